//! The games that are noted beside a book until it has learnt of them.
//!
//! Beside `book.shob` the file `book.shob.learn` lists the games in which moves of the book were played, one on each line as
//! [`Game::list_line`] spells it, each up to the last move of the book. Engines add to it while they play. A program that folds the
//! games into the book itself takes the list away first, as `book.shob.learn.taken`, and removes it when the new book is
//! written; engines begin a new list meanwhile.
//!
//! A program that is killed on the way leaves the taken list, which is the first to be folded in next time. Before the new book takes
//! the place of the old one, the list says which book that will be: a comment with its length and checksum. A taken list that
//! names the present book has been folded in already, and is only removed. So nothing is lost, and nothing counted twice.

use crate::record::{Game, Games, read_list};
use crate::util::{append_line, crc32, open_lines, read_regular, remove_file};
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The list of the games noted for a book. A link to a book shares that of the book.
pub fn list_of(book: &Path) -> PathBuf {
    let book = fs::canonicalize(book).unwrap_or_else(|_| book.to_owned());
    with_ending(&book, ".learn")
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Adds a game to the list of a book, and returns when the disk has it.
///
/// # Errors
/// Those of [`append_line`].
pub fn note_game(book: &Path, game: &Game) -> io::Result<()> {
    append_line(&list_of(book), &game.list_line())
}

/// What the note of a new book begins with; a comment for those who read games.
const MARK: &str = "# learnt by the book of ";

fn mark_of(book: &[u8]) -> String {
    format!("{MARK}{} bytes, CRC-32 {:08x}", book.len(), crc32(book))
}

/// A list of noted games as it was when it was opened.
#[derive(Debug)]
pub struct NotedGames {
    path: PathBuf,
    file: File,
    length: u64,
}

impl NotedGames {
    /// The lists that there are for a book: one that somebody took and did not finish, and the present one, to which engines
    /// go on adding.
    ///
    /// # Errors
    /// Those of the file system, and [`io::ErrorKind::ResourceBusy`] when another process holds one of them.
    pub fn look(book: &Path) -> io::Result<Vec<Self>> {
        let list = list_of(book);
        let mut lists = Vec::new();
        for list in [Self::open(with_ending(&list, ".taken"))?, Self::open(list)?].into_iter().flatten() {
            if !list.is_learnt(book)? {
                lists.push(list);
            }
        }
        // Where there are no locks there is nothing to let go.
        lists.iter().for_each(|list| drop(list.file.unlock()));
        Ok(lists)
    }

    /// Takes the list of a book away from the engines, or one that was taken before and not finished; `None` when there is
    /// neither. It is held until it is dropped. The book should be read only then: until now somebody else may have been
    /// teaching it.
    ///
    /// # Errors
    /// Those of the file system, and [`io::ErrorKind::ResourceBusy`] when another process holds a list.
    pub fn take(book: &Path) -> io::Result<Option<Self>> {
        let list = list_of(book);
        let taken = with_ending(&list, ".taken");
        if let Some(unfinished) = Self::open(taken.clone())? {
            if !unfinished.is_learnt(book)? {
                return Ok(Some(unfinished));
            }
            unfinished.remove()?;
        }
        let Some(present) = Self::open(list)? else { return Ok(None) };
        // Only who holds the present list may rename it, and not over one that was taken since.
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

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its games. To be asked for once at a time.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn games(&self) -> io::Result<Games> {
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        Ok(read_list(&self.path, file.take(self.length)))
    }

    /// Notes which book, as the bytes of its file, will have learnt of the games, and returns when the disk has it. To be called
    /// before that book takes the place of the old one.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn mark(&mut self, book: &[u8]) -> io::Result<()> {
        self.file.write_all(format!("{}\n", mark_of(book)).as_bytes())?;
        self.file.sync_data()
    }

    /// Whether the book is the one that was noted last.
    fn is_learnt(&self, book: &Path) -> io::Result<bool> {
        let (mut file, mut bytes) = (self.file.try_clone()?, Vec::new());
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        let noted = bytes.split(|&byte| byte == b'\n').rfind(|line| line.starts_with(MARK.as_bytes()));
        let Some(noted) = noted else { return Ok(false) };
        match read_regular(book) {
            Ok(book) => Ok(noted == mark_of(&book).as_bytes()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes it: the book has learnt of its games.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn remove(self) -> io::Result<()> {
        remove_file(&self.path)
    }
}
