//! Atomic file replacement: failures, links and permissions, leftovers of killed processes.

use sabi_files::{check_replaceable, replace_file, replace_with_bytes};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

#[test]
fn failed_write_keeps_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "old").unwrap();
    let failed = replace_file(&path, |file| {
        file.write_all(b"half of what")?;
        Err(io::Error::other("no more"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "no more");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(replace_file(&folder.path().join("none/file"), |_| Ok(())).is_err());
    assert!(replace_file(Path::new("/"), |_| Ok(())).is_err());
}

#[test]
fn unwritable_target_fails_early() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    check_replaceable(&path).unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is left");
    fs::write(&path, "old").unwrap();
    check_replaceable(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"old");
    for bad in [folder.path(), &folder.path().join("none/file"), &path.join("file"), Path::new("/")] {
        assert!(check_replaceable(bad).is_err(), "{}", bad.display());
    }
}

#[cfg(unix)]
#[test]
fn keeps_links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    replace_file(&link, |file| file.write_all(b"new")).unwrap();
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    // Also where there is no file yet.
    fs::remove_file(&path).unwrap();
    replace_file(&link, |file| file.write_all(b"first")).unwrap();
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&path).unwrap(), "first");
}

/// Leftovers of a killed process are unlocked; files being written are locked.
#[test]
fn removes_leftovers_of_killed_writers() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (left, other, foreign, held) =
        (path(".e.db.99.0.tmp"), path(".f.db.99.0.tmp"), path(".e.db.notes.tmp"), path(".e.db.98.7.tmp"));
    for file in [&left, &other, &foreign, &held] {
        fs::write(file, "half").unwrap();
    }
    let writer = fs::File::open(&held).unwrap();
    writer.try_lock().unwrap();
    replace_with_bytes(&path("e.db"), b"new").unwrap();
    assert_eq!([&left, &other, &foreign, &held].map(|file| file.exists()), [false, true, true, true]);
    drop(writer);
    // A process that another test starts holds the lock as well, from its fork to its exec.
    let removed = (0..200).any(|_| {
        replace_with_bytes(&path("e.db"), b"newer").unwrap();
        let removed = !held.exists();
        if !removed {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        removed
    });
    assert!(removed);
    assert_eq!(fs::read(path("e.db")).unwrap(), b"newer");
}

/// Writers remove abandoned files while others write.
#[test]
fn concurrent_writers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.db");
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let path = &path;
            scope.spawn(move || (0..50).for_each(|_| replace_with_bytes(path, &vec![b'0' + writer; 5000]).unwrap()));
        }
    });
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.len() == 5000 && bytes.iter().all(|&byte| byte == bytes[0]));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
