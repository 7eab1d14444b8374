//! Regular files, told apart from what only has a name like one, and from each other.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

/// Opens a regular file for reading.
///
/// A named pipe is not opened, because that waits for a writer; nor is a device, which may have no end.
///
/// # Errors
/// Those of the file system, and [`io::ErrorKind::InvalidInput`] when it is something else.
pub fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    // The path may have come to name something else.
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

/// Whether a path may be opened for writing: it names a regular file, or nothing yet.
///
/// # Errors
/// Those of [`open_regular`].
pub(super) fn check_writable(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
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

/// Whether two paths lead to one file, also by links. Of files that are not there yet the folder and the name tell.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    match (fs::metadata(a), fs::metadata(b)) {
        (Ok(_), Ok(_)) => identity(a).is_some_and(|first| identity(b) == Some(first)),
        (Err(_), Err(_)) => a.file_name() == b.file_name() && is_same_file(folder_of(a), folder_of(b)),
        _ => false,
    }
}

/// What tells a file from all others as long as it is there.
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

/// Other systems do not tell two names of one file; symbolic links are resolved there too.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<std::path::PathBuf> {
    fs::canonicalize(path).ok()
}

/// The folder that a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Whether the path still names the file that was opened by it.
#[cfg(unix)]
pub(super) fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    Ok(identity(path) == Some(identity_of(&file.metadata()?)))
}

/// Other systems do not tell; a file that is gone is known there too.
#[cfg(not(unix))]
pub(super) fn is_named(_: &File, path: &Path) -> io::Result<bool> {
    std::fs::exists(path)
}
