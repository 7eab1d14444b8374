//! The book file format, version 1. Little-endian, unaligned.
//!
//! | bytes | header |
//! |---|---|
//! | 0–3 | `SHOB` |
//! | 4–5 | version, 1 |
//! | 6 | compression: 0 none, 1 LZ4 |
//! | 7 | flags: 1 positions are kept, 2 names are kept; others are 0 |
//! | 8–11, 12–15 | number of positions, number of moves |
//! | 16–47 | four `u64`: where index, moves, positions and names begin |
//! | 48–55 | length of the file |
//! | 56–59 | CRC-32 of everything after the header |
//! | 60–63 | CRC-32 of the 60 bytes before |
//!
//! The sections are contiguous; an omitted section has length 0.
//!
//! | section | without compression | with compression |
//! |---|---|---|
//! | keys | each position's [`book_key`](super::book_key), `u64`, ascending | the same |
//! | index | `u32` per key: first move; then the number of moves | slot per key, fewest bytes |
//! | moves | 24 bytes each | blocks of 64 slots |
//! | positions | 36 bytes each: [`PackedSfen`] and ply (`u32`) | blocks of 64 slots |
//! | names | their number (`u32`), the end of each (`u32`), UTF-8 text | the same |
//!
//! A move is: move (`u16`, [`Move::bits`](sabi_shogi::Move::bits)), answer (`u16`), weight
//! (`u32`), games (`u32`), win rate in 1/10000 (`u16`), score (`i16`), depth (`u16`), marks
//! (`u16`), number of the name (`u32`). Mark bits of known values: 1 games, 2 win rate, 4 score, 8
//! depth, 16 answer, 32 name; unknown values are 0.
//!
//! With compression positions are ordered in slots along lines: each is followed by the one after
//! its first move, unless that has a slot already, and so on; then come the lines of the second
//! move. So a game needs few blocks, and neighbours are similar. `blocks` documents the
//! compression, `columns` and `positions` the contents: moves value by value as differences to
//! predictions, and positions by the moves that lead to them.
//!
//! The incompressible part: a key has 64 random bits, and its slot log2 of the number of positions,
//! together 11 bytes in a large book. In a book of 286,438 positions from 6,426 games (mostly one
//! move per position, with games and win rate) the rest of a position is 2.8 bytes for its moves
//! and 1.1 for the position itself: 14.9 bytes instead of 72.9, or 13.8 instead of 36.9 with keys
//! only. A third of that, 12.3, is out of reach: it would leave 1.3 bytes for the moves, and an
//! entropy coder needs 1.4 for the move alone.
//!
//! A small book is loaded on opening; of a large one the header is read, and then the parts needed
//! by a lookup ([`ByteSource`]).
//!
//! Opening checks the header: its checksum, section sizes against the counts, and the length of the
//! file. Everything else is checked on use, and completely by [`Shob::verify`]. Damage causes at
//! worst an error or a wrong value: blocks are only decompressed to a length bounded by the counts.
//!
//! [`PackedSfen`]: sabi_shogi::PackedSfen

mod blocks;
mod cache;
mod columns;
mod encode;
mod entries;
mod error;
mod header;
mod moves;
mod names;
mod positions;
mod search;
mod storage;
mod tree;

pub use cache::CacheCounts;
pub use encode::{ShobOptions, encode, write};
pub use entries::{Entries, ShobEntry};
pub use error::{ShobError, ShobWriteError};

use super::BookMove;
use cache::Cache;
use columns::MoveBlock;
use header::{BLOCK, Header, MAGIC, Sections, slot_bytes};
use moves::{ROW, read_row};
use names::Names;
use sabi_files::{ByteSource, Cursor};
use sabi_shogi::MAX_MOVES;
use std::ops::Range;
use std::path::Path;
use storage::Section;

/// An open book file, shareable between threads.
#[derive(Debug)]
pub struct Shob {
    source: ByteSource<'static>,
    header: Header,
    sections: Sections,
    cache: Cache,
}

impl Shob {
    /// Opens a book file. Only its header is checked; [`Shob::verify`] checks the rest.
    ///
    /// # Errors
    /// When the file cannot be opened, or its header is invalid.
    pub fn open(path: &Path) -> Result<Self, ShobError> {
        Self::new(ByteSource::open(path)?)
    }

    /// Whether the bytes start like a book file.
    pub fn detect(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// A book from any byte source.
    ///
    /// # Errors
    /// When the header is invalid.
    pub fn new(source: impl Into<ByteSource<'static>>) -> Result<Self, ShobError> {
        let source = source.into();
        let header = Header::read(&source)?;
        let sections = header.sections();
        let book = Self { source, header, sections, cache: Cache::new() };
        let names = book.section(&book.sections.names).len() as u64;
        if names > 0 && 4 * (u64::from(book.names().count()?) + 1) > names {
            return Err(ShobError::Damaged("its names are outside the file"));
        }
        Ok(book)
    }

    /// The moves of the position with this [key](crate::book_key), largest weight first;
    /// `None` if it is not in the book.
    ///
    /// # Errors
    /// When the entry of the position is damaged.
    pub fn lookup(&self, key: u64) -> Result<Option<Vec<BookMove>>, ShobError> {
        match search::find(&self.keys(), key)? {
            Some(rank) => self.moves_at(rank).map(Some),
            None => Ok(None),
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.header.positions as usize
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Total number of moves.
    pub fn move_count(&self) -> usize {
        self.header.moves as usize
    }

    /// The options it was written with.
    pub fn options(&self) -> ShobOptions {
        ShobOptions { compress: self.header.compressed, positions: self.header.has_positions }
    }

    /// Cache statistics of lookups.
    pub fn cache_counts(&self) -> CacheCounts {
        self.cache.counts()
    }

    fn section(&self, place: &Range<usize>) -> Section<'_> {
        Section::new(&self.source, place)
    }

    fn keys(&self) -> Section<'_> {
        self.section(&self.sections.keys)
    }

    fn names(&self) -> Names<'_> {
        Names(self.section(&self.sections.names))
    }

    /// The moves of the position with key index `rank`.
    fn moves_at(&self, rank: usize) -> Result<Vec<BookMove>, ShobError> {
        if !self.header.compressed {
            return self.plain_moves(rank);
        }
        let slot = self.slot(rank)?;
        if slot >= self.len() {
            return Err(ShobError::Damaged("its index is wrong"));
        }
        let block = self.cache.get(slot / BLOCK, || self.unpack_moves(slot / BLOCK))?;
        let moves = block.get(slot % BLOCK).ok_or(ShobError::Damaged("a position is missing"))?;
        Ok(moves.to_vec())
    }

    fn plain_moves(&self, rank: usize) -> Result<Vec<BookMove>, ShobError> {
        let starts = self.section(&self.sections.index).get(4 * rank, 8)?;
        let mut starts = Cursor(&starts);
        let (start, end) = (starts.u32()? as usize, starts.u32()? as usize);
        let count = end.checked_sub(start).filter(|&count| count <= MAX_MOVES);
        let count = count.ok_or(ShobError::Damaged("its index is wrong"))?;
        // `start` is untrusted: the product may overflow 32 bits.
        let first = start.checked_mul(ROW).ok_or(ShobError::Damaged("its index is wrong"))?;
        let rows = self.section(&self.sections.moves).get(first, count * ROW)?;
        let mut cursor = Cursor(&rows);
        let names = self.names();
        (0..count).map(|_| read_row(&mut cursor, &names)).collect()
    }

    /// Slot of the position with key index `rank`.
    fn slot(&self, rank: usize) -> Result<usize, ShobError> {
        let width = slot_bytes(self.header.positions);
        let bytes = self.section(&self.sections.index).get(width * rank, width)?;
        Ok(bytes.iter().rev().fold(0, |slot, &byte| slot << 8 | usize::from(byte)))
    }

    /// Number of positions of a block.
    fn positions_in(&self, number: usize) -> usize {
        self.len().saturating_sub(number * BLOCK).min(BLOCK)
    }

    fn unpack_moves(&self, number: usize) -> Result<MoveBlock, ShobError> {
        let count = self.positions_in(number);
        let max_moves = (count * MAX_MOVES).min(self.move_count());
        let limit = (count + max_moves) * columns::MAX_BYTES;
        let bytes = blocks::unpack(&self.section(&self.sections.moves), self.header.blocks(), number, limit)?;
        columns::read(&bytes, count, max_moves, &self.names())
    }
}
