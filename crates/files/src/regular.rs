//! Regular files, links to them, and whether two names stand for one file.

use std::fs::{self, File, Metadata};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
#[cfg(windows)]
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
#[cfg(windows)]
use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_BACKUP_SEMANTICS;

/// Length of a chain of symbolic links that leads to no file; systems allow no more.
const MAX_LINKS: usize = 40;

/// Opens a regular file for reading.
///
/// A named pipe is rejected before opening, which would wait for a writer; so is a device, which
/// may have no end.
///
/// # Errors
/// Those of the file system, and [`io::ErrorKind::InvalidInput`] when it is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    // The path may name another file by now.
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// [`fs::read`] for a regular file.
///
/// # Errors
/// Those of [`open_regular`].
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut open_regular(path)?, &mut bytes)?;
    Ok(bytes)
}

/// Checks that a path may be opened for writing: a regular file, or nothing yet. Windows replaces
/// no file that is read-only, elsewhere the folder decides.
///
/// # Errors
/// Those of [`open_regular`].
pub(super) fn check_writable(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
        Ok(found) if cfg!(windows) && found.permissions().readonly() => {
            Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"))
        }
        Ok(found) => check_regular(&found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn check_regular(found: &Metadata) -> io::Result<()> {
    match (found.is_file(), found.is_dir()) {
        (true, _) => Ok(()),
        (_, true) => Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a directory, not a file")),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not a file")),
    }
}

/// Identity of a file. Nothing is opened for it, as the crate `same_file` does: a named pipe would
/// wait for a writer, and not every file can be read.
#[cfg(unix)]
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs::metadata(path).map(|found| (found.dev(), found.ino()))
}

/// [`identity`] of an open file.
#[cfg(unix)]
fn identity_of(file: &File) -> io::Result<(u64, u64)> {
    file.metadata().map(|found| (found.dev(), found.ino()))
}

/// Identity of a file or folder, by a handle without the right to read it.
#[cfg(windows)]
fn identity(path: &Path) -> io::Result<same_file::Handle> {
    let mut options = File::options();
    same_file::Handle::from_file(options.access_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path)?)
}

/// [`identity`] of an open file.
#[cfg(windows)]
fn identity_of(file: &File) -> io::Result<same_file::Handle> {
    same_file::Handle::from_file(file.try_clone()?)
}

/// Without file identities, symbolic links are resolved.
#[cfg(not(any(unix, windows)))]
fn identity(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

#[cfg(not(any(unix, windows)))]
fn identity_of(_: &File) -> io::Result<PathBuf> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether two paths name the same file, also through links. Files that do not exist yet are
/// compared by folder and name.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    match (identity(a), identity(b)) {
        (Ok(a), Ok(b)) => a == b,
        (Err(_), Err(_)) => a.file_name() == b.file_name() && is_same_file(folder_of(a), folder_of(b)),
        _ => false,
    }
}

/// Whether standard input is redirected from this file.
pub fn feeds_standard_input(path: &Path) -> bool {
    #[cfg(windows)]
    return same_file::Handle::stdin().is_ok_and(|input| identity(path).is_ok_and(|file| file == input));
    #[cfg(not(windows))]
    is_same_file(path, Path::new("/dev/stdin"))
}

/// Whether the path still names the opened file. A file that Windows is about to remove cannot be
/// opened, and is no longer named; without file identities, only a removed file is noticed.
///
/// # Errors
/// Those of the file system.
pub fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    if cfg!(not(any(unix, windows))) {
        return fs::exists(path);
    }
    match identity(path) {
        Ok(named) => Ok(named == identity_of(file)?),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether another program may have opened a file without sharing it, or removed it while it was
/// open, which is soon over. Only on Windows: elsewhere a file that others have open can be opened,
/// removed and replaced.
pub(super) fn may_be_in_use(error: &io::Error) -> bool {
    /// `ERROR_ACCESS_DENIED`, `ERROR_SHARING_VIOLATION`, `ERROR_LOCK_VIOLATION`.
    const IN_USE: [i32; 3] = [5, 32, 33];
    cfg!(windows) && error.raw_os_error().is_some_and(|code| IN_USE.contains(&code))
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The file that a path names through symbolic links, also when it does not exist yet.
pub(super) fn resolve_links(path: &Path) -> PathBuf {
    dunce::canonicalize(path).unwrap_or_else(|_| {
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            let Ok(next) = fs::read_link(&path) else { break };
            path = folder_of(&path).join(next);
        }
        path
    })
}

/// Syncs file names, which are stored in the folder, where that is possible: the folder may not be
/// readable, and the change is made already.
pub(super) fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Paths to try in order: a relative name in the executable's folder, then in the working folder,
/// because clients start engines from anywhere.
pub fn search_paths(name: &Path) -> Vec<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|exe| exe.parent().map(|folder| folder.join(name)));
    match beside {
        Some(beside) if name.is_relative() => vec![beside, name.to_owned()],
        _ => vec![name.to_owned()],
    }
}

#[cfg(not(target_family = "wasm"))]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaced_file_is_not_named() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        let file = File::create(&old).unwrap();
        assert!(is_named(&file, &old).unwrap());
        fs::rename(&old, &new).unwrap();
        assert!(!is_named(&file, &old).unwrap());
        fs::write(&old, "another").unwrap();
        assert!(!is_named(&file, &old).unwrap() && is_named(&file, &new).unwrap());
    }

    #[test]
    fn same_file_by_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let [file, hard, other] = ["file", "hard", "other"].map(|name| folder.path().join(name));
        let detour = folder.path().join("new/../missing");
        fs::create_dir(folder.path().join("new")).unwrap();
        fs::write(&file, "").unwrap();
        fs::write(&other, "").unwrap();
        fs::hard_link(&file, &hard).unwrap();
        assert!(is_same_file(&file, &hard) && !is_same_file(&file, &other));
        assert!(is_same_file(&folder.path().join("missing"), &detour), "a file that does not exist yet");
    }

    /// Opening a pipe for reading would wait for a writer.
    #[cfg(unix)]
    #[test]
    fn named_pipes_are_not_opened() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let [pipe, file] = ["pipe", "file"].map(|name| folder.path().join(name));
        let name = std::ffi::CString::new(pipe.as_os_str().as_bytes()).unwrap();
        // SAFETY: the name ends with a zero byte and outlives the call.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        let opened = File::create(&file).unwrap();
        assert!(is_same_file(&pipe, &pipe) && !is_same_file(&pipe, &file) && !feeds_standard_input(&pipe));
        assert!(!is_named(&opened, &pipe).unwrap());
        assert_eq!(open_regular(&pipe).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert!(check_writable(&pipe).is_err() && check_writable(&file).is_ok());
    }
}
