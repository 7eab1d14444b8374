//! Files that are either wholly the old ones or wholly the new ones.

use super::append::is_named;
use super::regular::{check_writable, folder_of, open_regular};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Tells the files written by one process at the same time apart.
static NUMBER: AtomicU32 = AtomicU32::new(0);
/// What the names of new files end with.
const ENDING: &str = ".tmp";

/// Gives the file at `path` the contents that `write` writes, all at once: whatever happens on the way, the path names either
/// the old file or the complete new one.
///
/// The new file grows beside the target under a name that begins with a dot and ends with `.tmp`, locked by its writer. What a
/// process that was killed left there has no lock, and the next call for the same target removes it. A symbolic link is followed,
/// and what it names is replaced. Permissions are kept.
///
/// # Errors
/// Those of `write` and of the file system, and when the path names something else than a regular file; what is there is then
/// untouched.
pub fn replace_file(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    check_writable(path)?;
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    remove_abandoned(&target);
    let (unfinished, file) = Unfinished::beside(&target)?;
    let mut file = BufWriter::with_capacity(1 << 16, file);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Ok(old) = fs::metadata(&target) {
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()?;
    // Still locked, so it does not count as abandoned.
    unfinished.rename_to(&target)?;
    drop(file);
    sync_folder(folder_of(&target))
}

/// [`replace_file`] with contents that are there already.
///
/// # Errors
/// Those of the file system; the old file is then untouched.
pub fn replace_with_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_file(path, |file| file.write_all(bytes))
}

/// Whether [`replace_file`] can be expected to do its work later: the path names a regular file or nothing, and a file can be
/// made beside it.
///
/// # Errors
/// Those that replacing the file would meet.
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    check_writable(path)?;
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    Unfinished::beside(&target).map(drop)
}

/// Removes a file, and returns when the disk has forgotten it.
///
/// # Errors
/// Those of the file system.
pub fn remove_file(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    sync_folder(folder_of(path))
}

/// A file on its way, deleted if it does not get there.
struct Unfinished(Option<PathBuf>);

impl Unfinished {
    fn beside(target: &Path) -> io::Result<(Self, File)> {
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let mut unique = start_of_names(target)?;
            unique.push(format!("{}.{number}{ENDING}", process_number()));
            let path = folder_of(target).join(unique);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => match file.try_lock() {
                    // Where there are no locks, it is never removed.
                    Ok(()) | Err(TryLockError::Error(_)) if is_named(&file, &path)? => {
                        return Ok((Self(Some(path)), file));
                    }
                    // Before it was locked, another process took it for abandoned.
                    _ => {}
                },
                // What a killed process with the same number left behind.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn rename_to(mut self, target: &Path) -> io::Result<()> {
        if let Some(path) = &self.0 {
            fs::rename(path, target)?;
        }
        self.0 = None;
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // The error has no reader, and nothing else can be done.
            let _ = fs::remove_file(path);
        }
    }
}

/// What the names of new files for a target begin with.
fn start_of_names(target: &Path) -> io::Result<OsString> {
    let none = || io::Error::new(io::ErrorKind::InvalidInput, "this path names no file");
    let name = target.file_name().ok_or_else(none)?;
    Ok([".".as_ref(), name, ".".as_ref()].into_iter().collect())
}

/// Removes what processes that were killed left of new files for a target: those that are not locked. What cannot be
/// removed does no harm.
fn remove_abandoned(target: &Path) {
    let (Ok(start), Ok(entries)) = (start_of_names(target), fs::read_dir(folder_of(target))) else { return };
    let numbers = |name: OsString| -> Option<bool> {
        let middle = name.as_encoded_bytes().strip_prefix(start.as_encoded_bytes())?.strip_suffix(ENDING.as_bytes())?;
        Some(middle.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.'))
    };
    for entry in entries.flatten().filter(|entry| numbers(entry.file_name()) == Some(true)) {
        let path = entry.path();
        if let Ok(file) = open_regular(&path)
            && file.try_lock().is_ok()
            && is_named(&file, &path).is_ok_and(|named| named)
        {
            let _ = fs::remove_file(path);
        }
    }
}

/// WebAssembly has no processes to tell apart.
fn process_number() -> u32 {
    if cfg!(target_family = "wasm") { 0 } else { std::process::id() }
}

/// Makes names last: they are kept in the folder, not in the file.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems give no handle for it.
#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
