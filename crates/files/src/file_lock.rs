//! Exclusive file locks that do not keep other programs from reading.

use std::fs::{File, TryLockError};
use std::io;
#[cfg(windows)]
use std::os::windows::io::AsRawHandle;
#[cfg(windows)]
use windows_sys::Win32::{
    Foundation::ERROR_LOCK_VIOLATION,
    Storage::FileSystem::{LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx, UnlockFileEx},
    System::IO::{OVERLAPPED, OVERLAPPED_0, OVERLAPPED_0_0},
};

/// [`File::try_lock`].
///
/// # Errors
/// When the file is locked, and where there are no locks.
#[cfg(not(windows))]
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
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
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
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

#[cfg(all(test, not(target_family = "wasm")))]
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
