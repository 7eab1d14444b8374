//! A book that positions are looked up in, whatever file it came from.

use super::foreign::{self, Apery, ForeignError, Format, PlyRule, Report, SortedDb};
use super::{BookMove, Shob, ShobError, book_key};
use crate::position::Position;
use crate::util::{ByteSource, read_regular};
use std::collections::HashMap;
use std::path::Path;

/// A book, open for looking positions up.
#[derive(Debug)]
pub struct OpenBook(Content);

#[derive(Debug)]
enum Content {
    /// Our own.
    Shob(Box<Shob>),
    /// A sorted text book, searched where it lies.
    SortedText(SortedDb<'static>),
    /// A book of keys.
    Apery(Vec<u8>),
    /// Any other, read into memory.
    Memory(HashMap<u64, Vec<BookMove>>),
}

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Our own format, damaged.
    #[error(transparent)]
    Shob(#[from] ShobError),
    /// Another format.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
}

impl OpenBook {
    /// Opens a book in any format, told by its content. Our own is opened at once, others are read into memory; with `in_place` a
    /// text book is searched where it lies, which wants it sorted. `report` hears what is dropped of one that is read.
    ///
    /// # Errors
    /// When there is no such file, or it is no book, or one so damaged that nothing can be done with it.
    pub fn open(path: &Path, in_place: bool, report: &mut Report) -> Result<Self, OpenError> {
        let source = ByteSource::open(path)?;
        let head = source.read(0..source.len().min(foreign::DETECTED))?.into_owned();
        if Shob::is_one(&head) {
            return Ok(Self(Content::Shob(Box::new(Shob::new(source)?))));
        }
        let format = foreign::detect_head(&head, source.len());
        if in_place && format == Some(Format::YaneuraOu) {
            return Ok(Self(Content::SortedText(SortedDb::new(source)?)));
        }
        let bytes = match source {
            ByteSource::Memory(bytes) => bytes.into_owned(),
            ByteSource::File(..) => read_regular(path)?,
        };
        Ok(Self(match format {
            Some(Format::Apery) => {
                Apery::new(&bytes)?;
                Content::Apery(bytes)
            }
            _ => {
                let positions = foreign::read_merged(&bytes, report)?;
                let rows = positions.into_iter().map(|row| (book_key(&row.position), row.moves));
                Content::Memory(rows.collect())
            }
        }))
    }

    /// A book in our own format that is part of the program.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self, OpenError> {
        Ok(Self(Content::Shob(Box::new(Shob::from_static(bytes)?))))
    }

    /// What the book says of a position, the weightiest move first; nothing where it does not know the position. The moves are
    /// candidates, not proved to be legal. Only a text book searched in place knows move numbers. `report` hears what is dropped
    /// of a book that is searched where it lies; of others [`OpenBook::open`] told.
    ///
    /// # Errors
    /// When what belongs to the position is damaged.
    pub fn lookup(&self, position: &Position, ply: PlyRule, report: &mut Report) -> Result<Vec<BookMove>, OpenError> {
        let found = match &self.0 {
            Content::Shob(shob) => shob.lookup(book_key(position))?,
            Content::SortedText(book) => book.lookup(position, ply, report)?.map(|found| found.moves),
            Content::Apery(bytes) => Apery::checked(bytes).lookup(position, report).map(|found| found.moves),
            Content::Memory(rows) => rows.get(&book_key(position)).cloned(),
        };
        Ok(found.unwrap_or_default())
    }

    /// The same; where the book does not know the position, what it says of it with the board turned and the sides exchanged.
    ///
    /// # Errors
    /// When what belongs to the position is damaged.
    pub fn lookup_either_way(
        &self,
        position: &Position,
        ply: PlyRule,
        report: &mut Report,
    ) -> Result<Vec<BookMove>, OpenError> {
        let direct = self.lookup(position, ply, report)?;
        if !direct.is_empty() {
            return Ok(direct);
        }
        let turned = self.lookup(&position.rotated(), ply, report)?;
        let back = |found: BookMove| BookMove {
            mv: found.mv.rotated(),
            answer: found.answer.map(|answer| answer.rotated()),
            ..found
        };
        Ok(turned.into_iter().map(back).collect())
    }
}
