//! Regular files and file identity.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

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

/// Whether two paths name the same file, also through links. Files that do not exist yet are
/// compared by folder and name.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    match (fs::metadata(a), fs::metadata(b)) {
        (Ok(_), Ok(_)) => identity(a).is_some_and(|first| identity(b) == Some(first)),
        (Err(_), Err(_)) => a.file_name() == b.file_name() && is_same_file(folder_of(a), folder_of(b)),
        _ => false,
    }
}

/// Identity of an existing file.
#[cfg(unix)]
pub(super) fn identity(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|found| identity_of(&found))
}

/// [`identity`] of an open file.
#[cfg(unix)]
pub(super) fn identity_of(found: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (found.dev(), found.ino())
}

/// [`identity`] by an open handle.
#[cfg(windows)]
fn identity(path: &Path) -> Option<same_file::Handle> {
    handle(path).ok()
}

/// A handle of a file or folder, without the right to read it.
#[cfg(windows)]
fn handle(path: &Path) -> io::Result<same_file::Handle> {
    use std::os::windows::fs::OpenOptionsExt;
    use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_BACKUP_SEMANTICS;

    let mut options = File::options();
    same_file::Handle::from_file(options.access_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path)?)
}

/// Without file identities, symbolic links are resolved.
#[cfg(not(any(unix, windows)))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Whether standard input is redirected from this file.
pub fn feeds_standard_input(path: &Path) -> bool {
    #[cfg(windows)]
    return same_file::Handle::stdin().is_ok_and(|input| identity(path) == Some(input));
    #[cfg(not(windows))]
    is_same_file(path, Path::new("/dev/stdin"))
}

/// Whether another program may have opened a file without sharing it, or removed it while it was
/// open, which is soon over. Only on Windows.
#[cfg(windows)]
pub(super) fn may_be_in_use(error: &io::Error) -> bool {
    use windows_sys::Win32::Foundation::{ERROR_ACCESS_DENIED, ERROR_LOCK_VIOLATION, ERROR_SHARING_VIOLATION};

    let code = error.raw_os_error().unwrap_or_default() as u32;
    [ERROR_ACCESS_DENIED, ERROR_LOCK_VIOLATION, ERROR_SHARING_VIOLATION].contains(&code)
}

/// Elsewhere a file that others have open can be opened, removed and replaced.
#[cfg(not(windows))]
pub(super) fn may_be_in_use(_: &io::Error) -> bool {
    false
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

/// Whether the path still names the opened file.
///
/// # Errors
/// Those of the file system.
#[cfg(unix)]
pub fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    Ok(identity(path) == Some(identity_of(&file.metadata()?)))
}

/// A file that is about to be removed cannot be opened, and is no longer named.
///
/// # Errors
/// Those of the file system.
#[cfg(windows)]
pub fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    match handle(path) {
        Ok(named) => Ok(named == same_file::Handle::from_file(file.try_clone()?)?),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Without file identities, only a removed file is detected.
///
/// # Errors
/// Those of the file system.
#[cfg(not(any(unix, windows)))]
pub fn is_named(_: &File, path: &Path) -> io::Result<bool> {
    fs::exists(path)
}

#[cfg(all(test, not(target_family = "wasm")))]
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
}
