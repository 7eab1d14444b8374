//! Probing a book of any format.

use crate::formats::{
    Apery, DETECTED, Format, FormatError, PlyRule, ReadReport, SortedDb, UnknownValues, Ybb, detect_head, read_merged,
    replace_move, sort_moves, yaneuraou,
};
use crate::{BookMove, BookPosition, Rules, Shob, ShobError, book_key};
use sabi_files::ByteSource;
use sabi_shogi::Position;
use std::ops::ControlFlow;
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
    Memory(Vec<Loaded>, Rules),
}

/// A position in memory. They are sorted by key; those with the same key keep the order of the book.
#[derive(Debug)]
struct Loaded {
    key: u64,
    /// Move number; 0 in a format without them.
    ply: u32,
    moves: Vec<BookMove>,
}

/// The depth that YaneuraOu takes for the moves of an Apery book.
const APERY_DEPTH: u16 = 256;

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
                Some(Format::YaneuraOu) if on_the_fly => {
                    Content::SortedText(SortedDb::new(source)?.with_written_values())
                }
                Some(Format::Apery) => {
                    Content::Apery(Apery::new(source.read(0..source.len())?.into_owned())?.with_written_values())
                }
                format => load(format, &source.read(0..source.len())?, report)?,
            }
        };
        let is_empty = match &content {
            Content::Shob(shob) => shob.is_empty(),
            Content::SortedText(book) => book.is_empty()?,
            Content::Apery(book) => book.is_empty(),
            Content::Memory(rows, _) => rows.is_empty(),
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
    /// not checked for legality. Only a YaneuraOu book has move numbers; its moves have the values
    /// that are written, for its [`Rules`]. `report` receives dropped entries of an Apery book and of
    /// a text book on disk; those of others are reported by [`OpenBook::open`].
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
            Content::Memory(rows, _) => Some(moves_of(rows, position, ply)),
        };
        Ok(found.unwrap_or_default())
    }

    /// The rules that select among its moves.
    pub fn rules(&self) -> Rules {
        match self.0 {
            Content::Shob(_) => Rules::Sabi,
            Content::SortedText(_) => Rules::YaneuraOu { unknown_depth: 0 },
            Content::Apery(_) => Rules::YaneuraOu { unknown_depth: APERY_DEPTH },
            Content::Memory(_, rules) => rules,
        }
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

/// Loads a book, all positions as they are written.
fn load(format: Option<Format>, bytes: &[u8], report: &mut ReadReport) -> Result<Content, OpenError> {
    let with_ply = matches!(format, Some(Format::YaneuraOu | Format::Ybb));
    let mut rows = Vec::new();
    let mut add = |BookPosition { position, moves }: BookPosition| {
        let ply = if with_ply { position.ply() } else { 0 };
        rows.push(Loaded { key: book_key(&position), ply, moves });
        ControlFlow::Continue(())
    };
    match format {
        Some(Format::YaneuraOu) => yaneuraou::read_as(bytes, UnknownValues::AsWritten, report, &mut add)?,
        Some(Format::Ybb) => Ybb::new(bytes)?.with_written_values().read(report, &mut add),
        _ => {
            let _ = read_merged(bytes, report)?.into_iter().try_for_each(add);
        }
    }
    rows.sort_by_key(|row| row.key);
    Ok(Content::Memory(rows, if with_ply { Rules::YaneuraOu { unknown_depth: 0 } } else { Rules::Sabi }))
}

/// The moves of all entries of a position, together as YaneuraOu reads them.
fn moves_of(rows: &[Loaded], position: &Position, rule: PlyRule) -> Vec<BookMove> {
    let key = book_key(position);
    let same_key = rows[rows.partition_point(|row| row.key < key)..].iter().take_while(|row| row.key == key);
    let mut moves: Vec<BookMove> = Vec::new();
    for row in same_key.filter(|row| rule == PlyRule::Any || [0, position.ply()].contains(&row.ply)) {
        for entry in row.moves.iter().cloned() {
            match moves.iter_mut().find(|known| known.mv == entry.mv) {
                Some(known) => replace_move(known, entry),
                None => moves.push(entry),
            }
        }
    }
    sort_moves(&mut moves);
    moves
}
