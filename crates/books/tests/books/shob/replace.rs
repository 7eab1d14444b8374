//! Atomic file replacement.

use super::support::{Random, connected_book};
use sabi_books::{BookMap, Shob, ShobOptions, encode, write};
use sabi_files::{check_replaceable, replace_file, replace_with_bytes};
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const PATH: &str = "SABI_TEST_WRITE_BOOKS_TO";
const OPTIONS: ShobOptions = ShobOptions { compress: false, positions: true };

fn books() -> [BookMap; 2] {
    [connected_book(30, 60, &mut Random(11)), connected_book(60, 60, &mut Random(12))]
}

/// Helper process of the next test: writes books until it is killed.
#[test]
fn writer_process() {
    let Some(path) = env::var_os(PATH) else { return };
    let books = books();
    println!("ready");
    loop {
        for book in &books {
            write(book, OPTIONS, Path::new(&path)).unwrap();
        }
    }
}

#[test]
fn killed_writer_leaves_old_or_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.shob");
    let books = books();
    let whole = books.each_ref().map(|book| encode(book, OPTIONS).unwrap());
    write(&books[0], OPTIONS, &path).unwrap();
    let mut random = Random(13);
    let (mut seen, mut left) = ([0, 0], 0);
    // On slow disks it takes longer until every case has occurred.
    for kills in 0..400 {
        if kills >= 40 && seen[0] > 0 && seen[1] > 0 && left > 0 {
            break;
        }
        let mut writer = Command::new(env::current_exe().unwrap())
            .args(["--exact", "book::replace::writer_process", "--nocapture"])
            .env(PATH, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = io::BufReader::new(writer.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("ready") {
            line.clear();
            assert!(io::BufRead::read_line(&mut output, &mut line).unwrap() > 0);
        }
        std::thread::sleep(Duration::from_micros(random.below(30_000 + 2_000 * kills) as u64));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let found = fs::read(&path).unwrap();
        let which = whole.iter().position(|bytes| *bytes == found).expect("a whole book");
        seen[which] += 1;
        Shob::open(&path).unwrap().verify().unwrap();
        left = fs::read_dir(folder.path()).unwrap().count() - 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "the books were not replaced: {seen:?}");
    assert!(left > 0, "no writer was killed in the middle of its work");
    // Leftovers of killed writers are removed.
    write(&books[1], OPTIONS, &path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), whole[1]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

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

#[test]
fn open_book_survives_replacement() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.shob");
    let books = books();
    write(&books[0], OPTIONS, &path).unwrap();
    let open = Shob::open(&path).unwrap();
    write(&books[1], OPTIONS, &path).unwrap();
    open.verify().unwrap();
    assert_eq!(open.len(), books[0].len());
    assert_eq!(Shob::open(&path).unwrap().len(), books[1].len());
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
