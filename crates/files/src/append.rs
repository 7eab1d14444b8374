//! Files to which several processes append without loss, and the lock they take for it.

use super::regular::{check_writable, folder_of, is_named, may_be_in_use, sync_folder};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
#[cfg(windows)]
use std::os::windows::{fs::OpenOptionsExt, io::AsRawHandle};
use std::path::Path;
use std::thread;
use std::time::Duration;
#[cfg(windows)]
use windows_sys::Win32::{
    Foundation::{ERROR_LOCK_VIOLATION, GENERIC_READ, GENERIC_WRITE},
    Storage::FileSystem::{LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx, UnlockFileEx},
    System::IO::{OVERLAPPED, OVERLAPPED_0, OVERLAPPED_0_0},
};

/// Attempts to open and lock a file, and the pause between them: a second in all.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);
/// Terminates a truncated line and marks it as such.
const TRUNCATED: &[u8] = b" <cut>\n";

/// Appends a line to a file, creating it if needed, and syncs it to disk.
///
/// The line is written in one piece under a lock. If the process is killed meanwhile, all earlier
/// lines are intact, and the next call marks the truncated one. When writing fails, the file keeps
/// its length.
///
/// # Errors
/// Those of the file system, and [`io::ErrorKind::ResourceBusy`] when another process holds the
/// lock for more than a second.
pub fn append_line(path: &Path, line: &str) -> io::Result<()> {
    append_to(open_locked_for_append(path, true)?, path, line)
}

/// [`append_line`] to a file that the caller has locked.
///
/// # Errors
/// Those of the file system.
pub(super) fn append_line_to_locked(path: &Path, line: &str) -> io::Result<()> {
    check_writable(path)?;
    append_to(appending().open(path)?, path, line)
}

fn append_to(mut file: File, path: &Path, line: &str) -> io::Result<()> {
    end_last_line(&mut file)?;
    let length = file.seek(SeekFrom::End(0))?;
    if let Err(error) = file.write_all(format!("{line}\n").as_bytes()).and_then(|()| file.sync_data()) {
        // Part of a line would precede the next one; the first error is reported.
        let _ = file.set_len(length);
        return Err(error);
    }
    if length == 0 {
        sync_folder(folder_of(path));
    }
    Ok(())
}

/// Opens a file of lines for reading and appending, locked until it is closed. A truncated last
/// line is terminated with the mark `<cut>`. The position is unspecified; the caller seeks the end
/// before it writes.
///
/// # Errors
/// Those of [`append_line`]; without `create` also when the file does not exist.
pub fn open_lines(path: &Path, create: bool) -> io::Result<File> {
    let mut file = open_locked_for_append(path, create)?;
    end_last_line(&mut file)?;
    Ok(file)
}

fn end_last_line(file: &mut File) -> io::Result<()> {
    if file.metadata()?.len() > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(TRUNCATED)?;
        }
    }
    Ok(())
}

/// Opens a file for appending without a lock, creating it if needed.
///
/// # Errors
/// Those of the file system, and when it is not a regular file.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    check_writable(path)?;
    OpenOptions::new().create(true).append(true).open(path)
}

/// Opens a file for reading and appending, locked until it is closed. The position is unspecified;
/// the caller seeks the end before it writes.
///
/// # Errors
/// Those of [`append_line`]; without `create` also when the file does not exist.
pub fn open_locked_for_append(path: &Path, create: bool) -> io::Result<File> {
    open_locked(path, appending().create(create))
}

/// Options to read, append and truncate.
fn appending() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    // Windows truncates nothing that is open for appending only. Under the lock, the position at
    // the end does the same.
    #[cfg(windows)]
    options.access_mode(GENERIC_READ | GENERIC_WRITE);
    options
}

/// Opens a file with these options, locked until it is closed.
///
/// # Errors
/// Those of [`append_line`].
pub(super) fn open_locked(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let busy = || io::Error::new(io::ErrorKind::ResourceBusy, "another process is writing it");
    let mut reason = busy();
    for _ in 0..TRIES {
        check_writable(path)?;
        let file = match options.open(path) {
            Err(error) if may_be_in_use(&error) => {
                reason = error;
                thread::sleep(PAUSE);
                continue;
            }
            opened => opened?,
        };
        match try_lock(&file) {
            Err(TryLockError::WouldBlock) => {
                reason = busy();
                thread::sleep(PAUSE);
            }
            // Where there are no locks, a line is still written in one piece, but on Windows it may
            // overwrite another.
            Ok(()) | Err(TryLockError::Error(_)) if is_named(&file, path)? => return Ok(file),
            // Renamed or removed before it was locked.
            _ => {}
        }
    }
    Err(reason)
}

/// [`File::try_lock`].
///
/// # Errors
/// When the file is locked, and where there are no locks.
#[cfg(not(windows))]
pub(super) fn try_lock(file: &File) -> Result<(), TryLockError> {
    file.try_lock()
}

/// [`File::unlock`].
///
/// # Errors
/// Where there are no locks.
#[cfg(not(windows))]
pub fn unlock(file: &File) -> io::Result<()> {
    file.unlock()
}

/// Locks a byte behind the end of any file until the handle is closed: locked bytes cannot be read
/// or written by others, not even by another handle of this process.
///
/// # Errors
/// When the file is locked, and where there are no locks.
#[cfg(windows)]
pub(super) fn try_lock(file: &File) -> Result<(), TryLockError> {
    let flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    let mut place = behind_any_end();
    // SAFETY: the handle is that of an open file. This project opens none for overlapped
    // operations, so the call is over, and `place` no longer used, when it returns.
    if unsafe { LockFileEx(file.as_raw_handle(), flags, 0, 1, 0, &raw mut place) } != 0 {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    let is_locked = error.raw_os_error() == Some(ERROR_LOCK_VIOLATION as i32);
    Err(if is_locked { TryLockError::WouldBlock } else { TryLockError::Error(error) })
}

/// Unlocks what [`try_lock`] has locked.
///
/// # Errors
/// When it is not locked.
#[cfg(windows)]
pub fn unlock(file: &File) -> io::Result<()> {
    let mut place = behind_any_end();
    // SAFETY: as in `try_lock`.
    if unsafe { UnlockFileEx(file.as_raw_handle(), 0, 1, 0, &raw mut place) } != 0 {
        return Ok(());
    }
    Err(io::Error::last_os_error())
}

/// The place of the locked byte.
#[cfg(windows)]
fn behind_any_end() -> OVERLAPPED {
    let offset = OVERLAPPED_0_0 { Offset: 0, OffsetHigh: 1 << 30 };
    OVERLAPPED { Anonymous: OVERLAPPED_0 { Anonymous: offset }, ..Default::default() }
}

#[cfg(not(target_family = "wasm"))]
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    #[test]
    fn locked_file_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = File::create(&path).unwrap();
        try_lock(&file).unwrap();
        file.write_all(b"text").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"text");
        let other = File::options().write(true).open(&path).unwrap();
        assert!(matches!(try_lock(&other), Err(TryLockError::WouldBlock)));
        unlock(&file).unwrap();
        try_lock(&other).unwrap();
        drop(other);
        try_lock(&file).unwrap();
    }
}
