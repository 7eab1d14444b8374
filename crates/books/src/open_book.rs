//! Probing a book of any format.

use crate::formats::{Apery, DETECTED, Format, FormatError, PlyRule, ReadReport, SortedDb, detect_head, read_merged};
use crate::{BookMove, Shob, ShobError, book_key};
use sabi_files::ByteSource;
use sabi_shogi::Position;
use std::collections::HashMap;
use std::path::Path;

/// A book of any format, open for lookups.
#[derive(Debug)]
pub struct OpenBook(Content);

#[derive(Debug)]
enum Content {
    /// Sabi's format.
    Shob(Box<Shob>),
    /// A sorted text book, searched on disk.
    SortedText(SortedDb<'static>),
    /// A book of keys.
    Apery(Apery<'static>),
    /// Any other format, loaded into memory.
    Memory(HashMap<u64, Vec<BookMove>>),
}

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum OpenError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Shob(#[from] ShobError),
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error("it has no positions")]
    Empty,
}

impl OpenBook {
    /// Opens a book of any format, detected by content. Sabi's format is opened without loading,
    /// others are loaded; with `on_the_fly` a sorted text book is searched on disk. `report` gets
    /// the dropped entries of a loaded book, unless it is Apery's.
    ///
    /// # Errors
    /// When the file does not exist, is not a book, is damaged beyond recovery, or is empty.
    pub fn open(path: &Path, on_the_fly: bool, report: &mut ReadReport) -> Result<Self, OpenError> {
        let source = ByteSource::open(path)?;
        let head = source.read(0..source.len().min(DETECTED))?.into_owned();
        let content = if Shob::detect(&head) {
            Content::Shob(Box::new(Shob::new(source)?))
        } else {
            match detect_head(&head, source.len()) {
                Some(Format::YaneuraOu) if on_the_fly => Content::SortedText(SortedDb::new(source)?),
                Some(Format::Apery) => Content::Apery(Apery::new(source.read(0..source.len())?.into_owned())?),
                _ => {
                    let positions = read_merged(&source.read(0..source.len())?, report)?;
                    let rows = positions.into_iter().map(|row| (book_key(&row.position), row.moves));
                    Content::Memory(rows.collect())
                }
            }
        };
        let is_empty = match &content {
            Content::Shob(shob) => shob.is_empty(),
            Content::SortedText(book) => book.is_empty()?,
            Content::Apery(book) => book.is_empty(),
            Content::Memory(rows) => rows.is_empty(),
        };
        if is_empty { Err(OpenError::Empty) } else { Ok(Self(content)) }
    }

    /// An embedded book in Sabi's format.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self, OpenError> {
        Ok(Self(Content::Shob(Box::new(Shob::new(bytes)?))))
    }

    /// The book moves of a position, largest weight first; empty if unknown. Moves are candidates,
    /// not checked for legality. Only a text book on disk has move numbers. `report` receives
    /// dropped entries of an Apery book and of a text book on disk; those of others are reported by
    /// [`OpenBook::open`].
    ///
    /// # Errors
    /// When the entry of the position is damaged.
    pub fn lookup(
        &self,
        position: &Position,
        ply: PlyRule,
        report: &mut ReadReport,
    ) -> Result<Vec<BookMove>, OpenError> {
        let found = match &self.0 {
            Content::Shob(shob) => shob.lookup(book_key(position))?,
            Content::SortedText(book) => book.lookup(position, ply, report)?.map(|found| found.moves),
            Content::Apery(book) => book.lookup(position, report).map(|found| found.moves),
            Content::Memory(rows) => rows.get(&book_key(position)).cloned(),
        };
        Ok(found.unwrap_or_default())
    }

    /// [`OpenBook::lookup`]; if the position is unknown, looks up the rotated position with the
    /// sides exchanged.
    ///
    /// # Errors
    /// When the entry of the position is damaged.
    pub fn lookup_either_way(
        &self,
        position: &Position,
        ply: PlyRule,
        report: &mut ReadReport,
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
