//! Files to which several processes append without loss, the lock they take for it, and a lock for a
//! file that is replaced or extended repeatedly.

use super::regular::{check_writable, folder_of, is_named, may_be_in_use, resolve_links, sync_folder};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
#[cfg(windows)]
use std::os::windows::{fs::OpenOptionsExt, io::AsRawHandle};
use std::path::{Path, PathBuf};
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
fn open_locked(path: &Path, options: &OpenOptions) -> io::Result<File> {
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
            check_writable(&self.target)?;
            return append_to(appending().open(&self.target)?, &self.target, line);
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
