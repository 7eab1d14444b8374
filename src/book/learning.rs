//! The games that are noted beside a book until it has learnt of them.
//!
//! Beside `book.shob` the file `book.shob.learn` lists the games in which moves of the book were played, one on each line as
//! [`Game::list_line`] spells it, each up to the last move of the book. Engines add to it while they play. Whoever folds the
//! games into the book itself takes the list away first, as `book.shob.learn.taken`, and removes it when the new book is
//! written; engines begin a new list meanwhile.
//!
//! Whoever is killed before the new book is written leaves the taken list, which is the first to be folded in next time:
//! nothing is lost, and nothing counted twice. Killed in the moment between the writing of the book and the removal of the
//! list, the games of the list are counted once more.

use crate::record::{Game, Games, read_list};
use crate::util::{append_line, open_lines, remove_file};
use std::fs::{self, File};
use std::io::{self, Read, Seek};
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
        let lists: Vec<Self> =
            [Self::open(with_ending(&list, ".taken"))?, Self::open(list)?].into_iter().flatten().collect();
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
            return Ok(Some(unfinished));
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

    /// Removes it: the book has learnt of its games.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn remove(self) -> io::Result<()> {
        remove_file(&self.path)
    }
}
