//! Book learning files.
//!
//! `book.shob.learn` lists the games in which moves of `book.shob` were played, one per line as in
//! [`Game::list_line`], each up to its last book move. Engines append to it. A program that merges
//! the games into the book first renames the list to `book.shob.learn.taken` and removes it when
//! the new book is written; engines start a new list meanwhile.
//!
//! A killed program leaves the taken list, which is merged first next time. Before the new book
//! replaces the old one, a comment with its length and checksum is added to the list. A taken list
//! that names the current book was merged already and is only removed, also before another program
//! changes that book. So nothing is lost or counted twice.

use sabi_files::{append_line, crc32, open_lines, read_regular, remove_file, unlock};
use sabi_records::{Game, Games, read_list};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The learning file of a book; links are resolved.
pub fn learning_file_of(book: &Path) -> PathBuf {
    dunce::canonicalize(book).unwrap_or_else(|_| book.to_owned()).with_added_extension("learn")
}

/// Appends a game to the learning file of a book and syncs it to disk.
///
/// # Errors
/// Those of [`append_line`].
pub fn append_game(book: &Path, game: &Game) -> io::Result<()> {
    append_line(&learning_file_of(book), &game.list_line())
}

/// Start of the comment that names the new book.
const MERGE_COMMENT: &str = "# learnt by the book of ";

fn merge_comment(book: &[u8]) -> String {
    format!("{MERGE_COMMENT}{} bytes, CRC-32 {:08x}", book.len(), crc32(book))
}

/// A learning file, as of when it was opened.
#[derive(Debug)]
pub struct LearningFile {
    /// Its path.
    pub path: PathBuf,
    file: File,
    length: u64,
}

impl LearningFile {
    /// The learning files of a book: a taken one that was not finished, and the current one, to
    /// which engines keep appending.
    ///
    /// # Errors
    /// Those of the file system, and [`io::ErrorKind::ResourceBusy`] when another process holds a
    /// lock.
    pub fn peek(book: &Path) -> io::Result<Vec<Self>> {
        let list = learning_file_of(book);
        let mut lists = Vec::new();
        for list in [Self::open(list.with_added_extension("taken"))?, Self::open(list)?].into_iter().flatten() {
            if !list.is_merged(book)? {
                lists.push(list);
            }
        }
        // Without locks there is nothing to unlock.
        lists.iter().for_each(|list| drop(unlock(&list.file)));
        Ok(lists)
    }

    /// Takes the learning file of a book, or one taken before and not finished; `None` if there is
    /// neither. It is locked until dropped. Read the book only afterwards: another process may have
    /// updated it before.
    ///
    /// # Errors
    /// Those of the file system, and [`io::ErrorKind::ResourceBusy`] when another process holds a
    /// lock.
    pub fn take(book: &Path) -> io::Result<Option<Self>> {
        let list = learning_file_of(book);
        let taken = list.with_added_extension("taken");
        if let Some(unfinished) = Self::open(taken.clone())? {
            if !unfinished.is_merged(book)? {
                return Ok(Some(unfinished));
            }
            unfinished.remove()?;
        }
        let Some(present) = Self::open(list)? else { return Ok(None) };
        // Rename only while holding the lock of the current list, and not over a taken one.
        if fs::exists(&taken)? {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        fs::rename(&present.path, &taken)?;
        Ok(Some(Self { path: taken, ..present }))
    }

    fn open(path: PathBuf) -> io::Result<Option<Self>> {
        match open_lines(&path, false) {
            Ok(file) => Ok(Some(Self { path, length: file.metadata()?.len(), file })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes the taken list of a book that contains its games already. To be called before the
    /// book is replaced, other than by the games of a list: the list names only the book of now.
    ///
    /// # Errors
    /// Those of the file system, and [`io::ErrorKind::ResourceBusy`] when another process holds the
    /// lock.
    pub fn finish(book: &Path) -> io::Result<()> {
        match Self::open(learning_file_of(book).with_added_extension("taken"))? {
            Some(list) if list.is_merged(book)? => list.remove(),
            _ => Ok(()),
        }
    }

    /// Its games. Only one iterator at a time.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn games(&self) -> io::Result<Games> {
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        Ok(read_list(&self.path, file.take(self.length)))
    }

    /// Records the new book, given by the bytes of its file, and syncs it to disk. To be called
    /// before that book replaces the old one.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn record_merge(&mut self, book: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(format!("{}\n", merge_comment(book)).as_bytes())?;
        self.file.sync_data()
    }

    /// Whether the book is the one recorded last.
    fn is_merged(&self, book: &Path) -> io::Result<bool> {
        let (mut file, mut bytes) = (self.file.try_clone()?, Vec::new());
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        let last = bytes.split(|&byte| byte == b'\n').rfind(|line| line.starts_with(MERGE_COMMENT.as_bytes()));
        let Some(last) = last else { return Ok(false) };
        match read_regular(book) {
            Ok(book) => Ok(last == merge_comment(&book).as_bytes()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes the list: the book contains its games.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn remove(self) -> io::Result<()> {
        remove_file(&self.path)
    }
}
