//! Atomic file replacement.

use super::append::try_lock;
use super::regular::{check_writable, folder_of, is_named, may_be_in_use, open_regular, resolve_links, sync_folder};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;
use tempfile::TempPath;

/// Distinguishes files written by one process at the same time.
static NUMBER: AtomicU32 = AtomicU32::new(0);
/// Attempts to replace a file that another program has open, and the pause between them: a second
/// in all.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);
/// Extension of temporary files.
const ENDING: &str = ".tmp";

/// Replaces the file at `path` atomically by what `write` writes: at any time the path names either
/// the old file or the complete new one.
///
/// The new file is written next to the target under a name that begins with a dot and ends with
/// `.tmp`, locked by its writer. Unlocked leftovers of killed processes are removed by the next
/// call for the same target. A symbolic link is followed and its target replaced. Permissions are
/// kept.
///
/// # Errors
/// Those of `write` and of the file system, and when the path is not a regular file; the old file
/// is unchanged.
pub fn replace_file(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    check_writable(path)?;
    let target = resolve_links(path);
    remove_stale_temp_files(&target);
    let (temp, file) = create_temp_file(&target)?;
    let mut file = BufWriter::with_capacity(1 << 16, file);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Ok(old) = fs::metadata(&target) {
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()?;
    // Still locked, so it does not count as abandoned.
    rename(temp, &target)?;
    drop(file);
    sync_folder(folder_of(&target));
    Ok(())
}

/// [`replace_file`] with the given bytes.
///
/// # Errors
/// Those of the file system; the old file is unchanged.
pub fn replace_with_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_file(path, |file| file.write_all(bytes))
}

/// Checks in advance that [`replace_file`] can work: the path is a regular file or nothing, and its
/// folder is writable.
///
/// # Errors
/// Those that replacing the file would cause.
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    check_writable(path)?;
    create_temp_file(&resolve_links(path)).map(drop)
}

/// Removes a file and syncs its folder.
///
/// # Errors
/// Those of the file system.
pub fn remove_file(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    sync_folder(folder_of(path));
    Ok(())
}

/// A new file beside the target, locked, and deleted unless it is renamed.
fn create_temp_file(target: &Path) -> io::Result<(TempPath, File)> {
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mut unique = start_of_names(target)?;
        // WebAssembly has a single process.
        let process = if cfg!(target_family = "wasm") { 0 } else { std::process::id() };
        unique.push(format!("{process}.{number}{ENDING}"));
        let path = folder_of(target).join(unique);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => match try_lock(&file) {
                // Without locks, leftovers are never removed.
                Ok(()) | Err(TryLockError::Error(_)) if is_named(&file, &path)? => {
                    return Ok((TempPath::try_from_path(path)?, file));
                }
                // Another process removed it as abandoned before it was locked.
                _ => {}
            },
            // Left behind by a killed process with the same id.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Waits for programs that have the target open and do not let others replace it (Windows).
/// `TempPath::persist` would not replace a file there that is open at all.
fn rename(mut temp: TempPath, target: &Path) -> io::Result<()> {
    let mut tries = 0;
    while let Err(error) = fs::rename(&temp, target) {
        tries += 1;
        if tries == TRIES || !may_be_in_use(&error) {
            return Err(error);
        }
        thread::sleep(PAUSE);
    }
    temp.disable_cleanup(true);
    Ok(())
}

/// Prefix of the temporary names of a target.
fn start_of_names(target: &Path) -> io::Result<OsString> {
    let none = || io::Error::new(io::ErrorKind::InvalidInput, "this path names no file");
    let name = target.file_name().ok_or_else(none)?;
    Ok([".".as_ref(), name, ".".as_ref()].into_iter().collect())
}

/// Removes unlocked temporary files of a target, left behind by killed processes. Failures are
/// harmless.
fn remove_stale_temp_files(target: &Path) {
    let (Ok(start), Ok(entries)) = (start_of_names(target), fs::read_dir(folder_of(target))) else { return };
    let numbers = |name: OsString| -> Option<bool> {
        let middle = name.as_encoded_bytes().strip_prefix(start.as_encoded_bytes())?.strip_suffix(ENDING.as_bytes())?;
        Some(middle.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.'))
    };
    for entry in entries.flatten().filter(|entry| numbers(entry.file_name()) == Some(true)) {
        let path = entry.path();
        if let Ok(file) = open_regular(&path)
            && try_lock(&file).is_ok()
            && is_named(&file, &path).is_ok_and(|named| named)
        {
            let _ = fs::remove_file(path);
        }
    }
}

/// Makes writing beyond the process's file size limit an error instead of a fatal signal.
pub fn ignore_sigxfsz() {
    // SAFETY: ignoring a signal installs no handler, and nothing else in this process uses it.
    #[cfg(unix)]
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
