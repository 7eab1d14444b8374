//! Files to which several processes add, and of which nothing is lost.

use super::regular::{check_writable, folder_of};
use super::replace::sync_folder;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// How often a file that another process holds is asked for, and how long to wait in between: a second in all.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);
/// Ends a line that was cut short, so that it is not taken for a whole one.
const CUT: &[u8] = b" <cut>\n";

/// Adds a line to a file, which is made if there is none, and returns when the disk has it.
///
/// The line is written in one piece; other users of these functions wait meanwhile. When the process is killed on
/// the way, all earlier lines stay what they were, and the next call marks the one that was cut.
///
/// # Errors
/// Those of the file system, and [`io::ErrorKind::ResourceBusy`] when another process holds the file for more than a second.
pub fn append_line(path: &Path, line: &str) -> io::Result<()> {
    let mut file = open_lines(path, true)?;
    let is_new = file.metadata()?.len() == 0;
    file.write_all(format!("{line}\n").as_bytes())?;
    file.sync_data()?;
    if is_new { sync_folder(folder_of(path)) } else { Ok(()) }
}

/// Opens a file of lines for reading and adding, and holds it until it is closed: other users of these functions wait. A
/// last line without an end was cut short; it is given an end, and the word `<cut>` before it. Where reading begins is left
/// open.
///
/// # Errors
/// As those of [`append_line`]; without `create` also when there is no such file.
pub fn open_lines(path: &Path, create: bool) -> io::Result<File> {
    let mut file = open_alone(path, create)?;
    if file.metadata()?.len() > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(CUT)?;
        }
    }
    Ok(file)
}

/// Opens a file to add to it, which is made if there is none, together with its other writers.
///
/// # Errors
/// Those of the file system, and when it is something else than a regular file.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    check_writable(path)?;
    OpenOptions::new().create(true).append(true).open(path)
}

/// Opens a file for reading and adding, and holds it until it is closed: other users of these functions wait. Where reading begins is
/// left open.
///
/// # Errors
/// As those of [`append_line`]; without `create` also when there is no such file.
pub fn open_alone(path: &Path, create: bool) -> io::Result<File> {
    for _ in 0..TRIES {
        check_writable(path)?;
        let file = OpenOptions::new().read(true).append(true).create(create).open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            // Where there are no locks, a line still goes out in one piece.
            Ok(()) | Err(TryLockError::Error(_)) if is_named(&file, path)? => return Ok(file),
            // It was renamed or removed before it was ours.
            _ => {}
        }
    }
    Err(io::Error::new(io::ErrorKind::ResourceBusy, "another process is writing it"))
}

/// Whether the path still names the file that was opened by it.
#[cfg(unix)]
pub(super) fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    use super::regular::{identity, identity_of};
    Ok(identity(path) == Some(identity_of(&file.metadata()?)))
}

/// Other systems do not tell; a file that is gone is known there too.
#[cfg(not(unix))]
pub(super) fn is_named(_: &File, path: &Path) -> io::Result<bool> {
    std::fs::exists(path)
}
