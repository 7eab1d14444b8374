//! A write lock for a file that is replaced repeatedly.

use super::append::open_alone;
use super::regular::folder_of;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Excludes other lock holders from writing a file. Reading is not affected.
///
/// The lock is on a file `.NAME.lock` next to it, removed with the lock, because the file itself
/// may be replaced. The lock file of a killed process stays but does not block.
#[derive(Debug)]
pub struct WriteLock {
    path: PathBuf,
    _file: File,
}

impl WriteLock {
    /// Locks a file, which need not exist.
    ///
    /// # Errors
    /// Those of the file system, and [`io::ErrorKind::ResourceBusy`] when another process holds the
    /// lock.
    pub fn of(target: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let name = target.file_name().ok_or(io::Error::new(io::ErrorKind::InvalidInput, "this path names no file"))?;
        let lock: OsString = [".".as_ref(), name, ".lock".as_ref()].into_iter().collect();
        let path = folder_of(&target).join(lock);
        let file = open_alone(&path, true)?;
        Ok(Self { path, _file: file })
    }
}

impl Drop for WriteLock {
    fn drop(&mut self) {
        // Removed before the unlock, so that no process locks a file about to be removed.
        let _ = fs::remove_file(&self.path);
    }
}
