//! A write lock for a file that is replaced or extended repeatedly.

use super::append::{append_line, append_line_to_locked, open_locked, open_locked_for_append};
use super::regular::{folder_of, is_named, resolve_links};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Excludes other lock holders from writing a file, by any of its names. Reading is not affected.
///
/// One lock is on a file `.NAME.lock` next to it, removed with the lock, because the file itself
/// may not exist yet, or be replaced. The lock file of a killed process stays but does not block.
///
/// On Unix there is another lock on the file itself, because it may have other names (hard links).
/// It stays on that file when this name gets a new one, until [`WriteLock::renew`]. Elsewhere that
/// lock is tried, but not kept, because not every file system of Windows replaces an open file.
#[derive(Debug)]
pub struct WriteLock {
    /// The file that is written, behind all links.
    target: PathBuf,
    lock: PathBuf,
    _lock_file: File,
    file: Option<File>,
}

impl WriteLock {
    /// Locks a file, which need not exist.
    ///
    /// # Errors
    /// Those of the file system, and [`io::ErrorKind::ResourceBusy`] when another process holds the
    /// lock.
    pub fn of(target: &Path) -> io::Result<Self> {
        let target = resolve_links(target);
        let name = target.file_name().ok_or(io::Error::new(io::ErrorKind::InvalidInput, "this path names no file"))?;
        let lock: OsString = [".".as_ref(), name, ".lock".as_ref()].into_iter().collect();
        let lock = folder_of(&target).join(lock);
        let lock_file = open_locked_for_append(&lock, true)?;
        let mut lock = Self { target, lock, _lock_file: lock_file, file: None };
        lock.renew()?;
        Ok(lock)
    }

    /// Locks the file that the name now stands for, after it was created or replaced.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] when another process has locked it, by another name.
    pub fn renew(&mut self) -> io::Result<()> {
        if !self.is_current() {
            self.file = lock_itself(&self.target)?;
        }
        Ok(())
    }

    /// Whether the file of this name is locked.
    fn is_current(&self) -> bool {
        self.file.as_ref().is_some_and(|file| is_named(file, &self.target).unwrap_or(false))
    }

    /// [`append_line`] to the locked file.
    ///
    /// # Errors
    /// Those of the file system, and of [`WriteLock::renew`].
    pub fn append_line(&mut self, line: &str) -> io::Result<()> {
        if self.is_current() {
            return append_line_to_locked(&self.target, line);
        }
        append_line(&self.target, line)?;
        self.renew()
    }
}

impl Drop for WriteLock {
    fn drop(&mut self) {
        // Removed before the unlock, so that no process locks a file about to be removed.
        let _ = fs::remove_file(&self.lock);
    }
}

/// The file, locked, if it exists and can be read; any other error is left to what uses it.
fn lock_itself(target: &Path) -> io::Result<Option<File>> {
    match open_locked(target, File::options().read(true)) {
        Err(busy) if busy.kind() == io::ErrorKind::ResourceBusy => Err(busy),
        file => Ok(file.ok().filter(|_| cfg!(unix))),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::replace_with_bytes;
    use std::os::unix::fs::symlink;
    use std::thread;
    use tempfile::TempDir;

    /// A folder with a file of several names: this one, and the others.
    fn names(exists: bool) -> (TempDir, PathBuf, Vec<PathBuf>) {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("folder")).unwrap();
        symlink(at("folder"), at("other")).unwrap();
        symlink("folder/file", at("relative")).unwrap();
        symlink(at("relative"), at("absolute")).unwrap();
        let file = at("folder/file");
        let mut others: Vec<PathBuf> =
            ["folder/../folder/./file", "other/file", "relative", "absolute"].map(at).to_vec();
        if exists {
            fs::write(&file, "old").unwrap();
            others.push(at("hard"));
            fs::hard_link(&file, at("hard")).unwrap();
        }
        (folder, file, others)
    }

    /// Whether a lock by this name is rejected.
    fn is_rejected(name: &Path) -> bool {
        match WriteLock::of(name) {
            Ok(_) => false,
            Err(error) => {
                assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
                true
            }
        }
    }

    /// Each in its own folder at once, because a rejection takes a second.
    #[test]
    fn one_lock_for_all_names() {
        let check = |exists, number: usize| {
            let (folder, file, others) = names(exists);
            let other = &others[number];
            let message = format!("{}, exists: {exists}", other.display());
            let lock = WriteLock::of(&file).unwrap();
            assert!(is_rejected(other), "{message}");
            drop(lock);
            let lock = WriteLock::of(other).unwrap();
            assert!(is_rejected(&file), "{message}, locked first");
            drop(lock);
            assert!(!is_rejected(&file), "{message}, released");
            let left = fs::read_dir(folder.path().join("folder")).unwrap().count();
            assert_eq!(left, usize::from(exists), "lock files are removed");
        };
        thread::scope(|scope| {
            for exists in [true, false] {
                for number in 0..names(exists).2.len() {
                    scope.spawn(move || check(exists, number));
                }
            }
        });
    }

    /// The name of a replaced file stands for another file, which is locked too.
    #[test]
    fn lock_of_a_replaced_file() {
        let (folder, file, _) = names(true);
        let (old, new) = (folder.path().join("hard"), folder.path().join("new"));
        let mut lock = WriteLock::of(&file).unwrap();
        replace_with_bytes(&file, b"new").unwrap();
        lock.renew().unwrap();
        fs::hard_link(&file, &new).unwrap();
        assert!(is_rejected(&file) && is_rejected(&new) && !is_rejected(&old));
        assert_eq!((fs::read(&file).unwrap(), fs::read(&old).unwrap()), (b"new".to_vec(), b"old".to_vec()));
    }

    #[test]
    fn lines_are_appended_under_the_lock() {
        let (folder, file, _) = names(false);
        let hard = folder.path().join("hard");
        let mut lock = WriteLock::of(&folder.path().join("absolute")).unwrap();
        lock.append_line("one").unwrap();
        fs::hard_link(&file, &hard).unwrap();
        assert!(is_rejected(&hard), "the file it created is locked");
        assert_eq!(append_line(&hard, "other").unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        lock.append_line("two").unwrap();
        drop(lock);
        let mut lock = WriteLock::of(&hard).unwrap();
        lock.append_line("three").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "one\ntwo\nthree\n");
        fs::remove_file(&hard).unwrap();
        lock.append_line("four").unwrap();
        assert_eq!(fs::read_to_string(&hard).unwrap(), "four\n", "started from scratch");
    }
}
