//! One writer at a time for a file that is written again and again.

use super::append::open_alone;
use super::regular::folder_of;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Keeps other processes that ask for it from writing a file. Reading goes on meanwhile.
///
/// What is locked is a file beside it, with a dot before its name and `.lock` behind it, which goes away with the lock: the file
/// itself may be replaced by its writer. The file of a killed process stays, and blocks no other.
#[derive(Debug)]
pub struct WriteLock {
    path: PathBuf,
    _file: File,
}

impl WriteLock {
    /// Locks a file, which need not be there yet.
    ///
    /// # Errors
    /// Those of the file system, and [`io::ErrorKind::ResourceBusy`] when another process has the lock.
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
        // Before it is unlocked, so that no process takes a lock that is about to go away.
        let _ = fs::remove_file(&self.path);
    }
}
