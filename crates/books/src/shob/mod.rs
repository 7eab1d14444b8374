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
//! move. So a game needs few blocks, and neighbours are similar. `header` documents the
//! blocks, `moves` and `positions` their contents: moves value by value as differences to
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

mod encode;
mod header;
mod moves;
mod positions;

pub use encode::{ShobOptions, ShobWriteError, encode, write};
pub use header::ShobError;

use crate::{BookMap, BookMove, BookPosition, book_key};
use encode::duplicate_move;
use header::{BLOCK, HEADER, Header, MAGIC, PACKED, Part, ROW, Section, slot_bytes};
use lru::LruCache;
use moves::{MAX_MOVE_BYTES, MoveBlock, Names, decode_moves, read_row};
use positions::{MAX_POSITION_BYTES, decode_positions, unpacked};
use sabi_files::{ByteSource, Cursor, crc32};
use sabi_shogi::{MAX_MOVES, PackedSfen, Position};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum memory of the cached blocks in bytes. The last one is kept even if it is larger.
const MAX_MEMORY: usize = 1 << 20;

/// An open book file, shareable between threads.
#[derive(Debug)]
pub struct Shob {
    source: ByteSource<'static>,
    header: Header,
    cache: Mutex<Cache>,
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
        let book = Self { source, header, cache: Mutex::default() };
        let names = book.section(Part::Names).len() as u64;
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
        find(&self.section(Part::Keys), key)?.map(|rank| self.moves_at(rank)).transpose()
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
        self.cache().counts
    }

    /// All positions.
    ///
    /// # Errors
    /// When the index of the book is damaged.
    pub fn entries(&self) -> Result<Entries<'_>, ShobError> {
        let ranks = if self.header.compressed { self.ranks()? } else { Vec::new() };
        Ok(Entries { book: self, next: 0, ranks, block: None })
    }

    /// Loads the whole book.
    ///
    /// # Errors
    /// When the book is damaged, or stores keys only.
    pub fn to_map(&self) -> Result<BookMap, ShobError> {
        if !self.header.has_positions {
            return Err(ShobError::NoPositions);
        }
        let mut book = BookMap::new();
        for entry in self.entries()? {
            let ShobEntry { key, moves, position } = entry?;
            let position = position.ok_or(ShobError::NoPositions)?;
            book.insert(key, BookPosition { position, moves });
        }
        Ok(book)
    }

    /// Reads everything and checks all that opening does not: checksum, key order, index, every
    /// move and every position.
    ///
    /// # Errors
    /// The first problem.
    pub fn verify(&self) -> Result<(), ShobError> {
        if Header::read(&self.source)? != self.header {
            return Err(ShobError::Header("it has changed"));
        }
        if crc32(&self.source.read(HEADER..self.source.len())?) != self.header.checksum {
            return Err(ShobError::Damaged("its checksum is wrong"));
        }
        let keys = self.section(Part::Keys);
        let keys = keys.get(0, keys.len())?;
        if !keys.as_chunks::<8>().0.iter().map(|key| u64::from_le_bytes(*key)).is_sorted_by(|a, b| a < b) {
            return Err(ShobError::Damaged("its keys are not in order"));
        }
        self.check_index()?;
        self.names().check()?;
        let mut moves = 0;
        for entry in self.entries()? {
            let entry = entry?;
            moves += entry.moves.len();
            if duplicate_move(&entry.moves).is_some() {
                return Err(ShobError::Damaged("duplicate move"));
            }
        }
        if moves == self.move_count() { Ok(()) } else { Err(ShobError::Damaged("its number of moves is wrong")) }
    }

    fn check_index(&self) -> Result<(), ShobError> {
        if self.header.compressed {
            self.section(Part::Moves).check_blocks(self.header.blocks())?;
            if self.header.has_positions {
                self.section(Part::Positions).check_blocks(self.header.blocks())?;
            }
            return Ok(());
        }
        let index = self.section(Part::Index);
        let index = index.get(0, index.len())?;
        let mut starts = index.as_chunks::<4>().0.iter().map(|start| u32::from_le_bytes(*start));
        let fits = starts.clone().is_sorted()
            && starts.next() == Some(0)
            && starts.next_back().unwrap_or(0) == self.header.moves;
        if fits { Ok(()) } else { Err(ShobError::Damaged("its index is wrong")) }
    }

    /// Key index of each slot.
    fn ranks(&self) -> Result<Vec<u32>, ShobError> {
        let mut ranks = vec![u32::MAX; self.len()];
        for rank in 0..self.len() {
            match ranks.get_mut(self.slot(rank)?) {
                Some(free) if *free == u32::MAX => *free = rank as u32,
                _ => return Err(ShobError::Damaged("its index is wrong")),
            }
        }
        Ok(ranks)
    }

    fn section(&self, part: Part) -> Section<'_> {
        self.header.section(&self.source, part)
    }

    fn names(&self) -> Names<'_> {
        Names(self.section(Part::Names))
    }

    /// No panic can occur while the cache changes, so a poisoned lock is still consistent.
    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
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
        let number = slot / BLOCK;
        // Threads do not wait for each other; two may decompress the same block.
        let cached = self.cache().find(number);
        let block = match cached {
            Some(block) => block,
            None => {
                let block = Arc::new(self.unpack_moves(number)?);
                self.cache().insert(number, block.clone());
                block
            }
        };
        let moves = block.get(slot % BLOCK).ok_or(ShobError::Damaged("a position is missing"))?;
        Ok(moves.to_vec())
    }

    fn plain_moves(&self, rank: usize) -> Result<Vec<BookMove>, ShobError> {
        let starts = self.section(Part::Index).get(4 * rank, 8)?;
        let mut starts = Cursor(&starts);
        let (start, end) = (starts.u32()? as usize, starts.u32()? as usize);
        let count = end.checked_sub(start).filter(|&count| count <= MAX_MOVES);
        let count = count.ok_or(ShobError::Damaged("its index is wrong"))?;
        // `start` is untrusted: the product may overflow 32 bits.
        let first = start.checked_mul(ROW).ok_or(ShobError::Damaged("its index is wrong"))?;
        let rows = self.section(Part::Moves).get(first, count * ROW)?;
        let mut cursor = Cursor(&rows);
        let names = self.names();
        (0..count).map(|_| read_row(&mut cursor, &names)).collect()
    }

    /// Slot of the position with key index `rank`.
    fn slot(&self, rank: usize) -> Result<usize, ShobError> {
        let width = slot_bytes(self.header.positions);
        let bytes = self.section(Part::Index).get(width * rank, width)?;
        Ok(bytes.iter().rev().fold(0, |slot, &byte| slot << 8 | usize::from(byte)))
    }

    /// Number of positions of a block.
    fn positions_in(&self, number: usize) -> usize {
        self.len().saturating_sub(number * BLOCK).min(BLOCK)
    }

    fn unpack_moves(&self, number: usize) -> Result<MoveBlock, ShobError> {
        let count = self.positions_in(number);
        let max_moves = (count * MAX_MOVES).min(self.move_count());
        let limit = (count + max_moves) * MAX_MOVE_BYTES;
        let bytes = self.section(Part::Moves).block(self.header.blocks(), number, limit)?;
        decode_moves(&bytes, count, max_moves, &self.names())
    }

    /// The position of a key in an uncompressed book.
    fn plain_position(&self, rank: usize) -> Result<Option<Position>, ShobError> {
        if !self.header.has_positions {
            return Ok(None);
        }
        let bytes = self.section(Part::Positions).get(PACKED * rank, PACKED)?;
        let mut cursor = Cursor(&bytes);
        let packed = PackedSfen(cursor.array()?);
        unpacked(&packed, cursor.u32()?.into()).map(Some)
    }

    /// The positions of a block, if stored.
    fn unpack_positions(&self, number: usize, moves: &MoveBlock) -> Result<Vec<Position>, ShobError> {
        if !self.header.has_positions {
            return Ok(Vec::new());
        }
        let count = self.positions_in(number);
        let section = self.section(Part::Positions);
        let bytes = section.block(self.header.blocks(), number, count * MAX_POSITION_BYTES)?;
        decode_positions(&bytes, count, moves)
    }
}

/// The index of a key.
///
/// Keys are evenly distributed, so the search starts at the interpolated index and doubles the step
/// until it passes the key: it touches a page or two even among millions. Uneven or unsorted keys
/// cost a few more steps, and the search always terminates.
fn find(keys: &Section<'_>, key: u64) -> Result<Option<usize>, ShobError> {
    let count = keys.len() / 8;
    let expected = ((u128::from(key) * count as u128) >> 64) as usize;
    // About the typical error of the interpolation.
    let mut step = (count.isqrt() / 2).max(8);
    let (mut lowest, mut highest) = (0, count);
    let (mut low, mut high) = (expected.saturating_sub(step), expected.saturating_add(step).min(count));
    while low < high {
        let part = keys.get(8 * low, 8 * (high - low))?;
        let (part, _) = part.as_chunks::<8>();
        let at = part.partition_point(|bytes| u64::from_le_bytes(*bytes) < key);
        step *= 2;
        if at == 0 && u64::from_le_bytes(part[0]) != key {
            (highest, low, high) = (low, low.saturating_sub(step).max(lowest), low);
        } else if at == part.len() {
            (lowest, low, high) = (high, high, high.saturating_add(step).min(highest));
        } else {
            return Ok((u64::from_le_bytes(part[at]) == key).then_some(low + at));
        }
    }
    Ok(None)
}

/// Cache statistics.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Hits.
    pub hits: u64,
    /// Misses.
    pub misses: u64,
}

/// Decompressed blocks by number.
#[derive(Debug)]
struct Cache {
    blocks: LruCache<usize, Arc<MoveBlock>>,
    memory: usize,
    counts: CacheCounts,
}

impl Default for Cache {
    fn default() -> Self {
        Self { blocks: LruCache::unbounded(), memory: 0, counts: CacheCounts::default() }
    }
}

impl Cache {
    fn find(&mut self, number: usize) -> Option<Arc<MoveBlock>> {
        let found = self.blocks.get(&number).cloned();
        match found {
            Some(_) => self.counts.hits += 1,
            None => self.counts.misses += 1,
        }
        found
    }

    fn insert(&mut self, number: usize, block: Arc<MoveBlock>) {
        self.memory += block.memory();
        if let Some(replaced) = self.blocks.put(number, block) {
            self.memory -= replaced.memory();
        }
        while self.memory > MAX_MEMORY && self.blocks.len() > 1 {
            if let Some((_, oldest)) = self.blocks.pop_lru() {
                self.memory -= oldest.memory();
            }
        }
    }
}

/// A position of a book file.
#[derive(Clone, Debug)]
pub struct ShobEntry {
    /// Its key.
    pub key: u64,
    /// Its moves, largest weight first.
    pub moves: Vec<BookMove>,
    /// The position, if stored.
    pub position: Option<Position>,
}

/// The positions of a book file in file order. Ends after an error.
#[derive(Debug)]
pub struct Entries<'a> {
    book: &'a Shob,
    next: usize,
    /// Key index of each slot, in a compressed book.
    ranks: Vec<u32>,
    block: Option<(MoveBlock, Vec<Position>)>,
}

impl Entries<'_> {
    fn entry(&mut self) -> Result<ShobEntry, ShobError> {
        let at = self.next;
        let (rank, moves, position) = if self.book.header.compressed {
            self.packed(at)?
        } else {
            (at, self.book.moves_at(at)?, self.book.plain_position(at)?)
        };
        let key = Cursor(&self.book.section(Part::Keys).get(8 * rank, 8)?).u64()?;
        if position.as_ref().is_some_and(|position| book_key(position) != key) {
            return Err(ShobError::Damaged("a position has a wrong key"));
        }
        Ok(ShobEntry { key, moves, position })
    }

    fn packed(&mut self, slot: usize) -> Result<(usize, Vec<BookMove>, Option<Position>), ShobError> {
        if slot.is_multiple_of(BLOCK) {
            let moves = self.book.unpack_moves(slot / BLOCK)?;
            let positions = self.book.unpack_positions(slot / BLOCK, &moves)?;
            self.block = Some((moves, positions));
        }
        let missing = ShobError::Damaged("a position is missing");
        let (Some((block, positions)), Some(&rank)) = (&self.block, self.ranks.get(slot)) else { return Err(missing) };
        let moves = block.get(slot % BLOCK).ok_or(missing)?;
        Ok((rank as usize, moves.to_vec(), positions.get(slot % BLOCK).cloned()))
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<ShobEntry, ShobError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.book.len() {
            return None;
        }
        let entry = self.entry();
        self.next = if entry.is_ok() { self.next + 1 } else { self.book.len() };
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_files::ByteSource;

    #[test]
    fn finds_every_key() {
        let spreads: [fn(u64) -> u64; 4] =
            [|n| n, |n| n << 50, |n| u64::MAX - (2000 - n) * (2000 - n), |n| n * 0x0020_c49b_a5e3_53f7];
        for spread in spreads {
            for count in [0, 1, 2, 3, 10, 100, 1000] {
                let keys: Vec<u64> = (0..count).map(|n| spread(n) | 1).collect();
                let mut sorted = keys.clone();
                sorted.sort_unstable();
                sorted.dedup();
                let bytes: Vec<u8> = sorted.iter().flat_map(|key| key.to_le_bytes()).collect();
                let source = ByteSource::from(bytes);
                let find = |key| find(&Section { source: &source, place: 0..source.len() }, key).unwrap();
                for (at, &key) in sorted.iter().enumerate() {
                    assert_eq!(find(key), Some(at));
                    assert_eq!(find(key ^ 1), None);
                }
                assert_eq!(find(0), None);
                assert_eq!(find(u64::MAX), sorted.iter().position(|&key| key == u64::MAX));
            }
        }
    }

    #[test]
    fn unsorted_keys_terminate() {
        let bytes: Vec<u8> = (0..1000u64).flat_map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes()).collect();
        let source = ByteSource::from(bytes);
        for n in 0..1000u64 {
            let _ = find(&Section { source: &source, place: 0..source.len() }, n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
    }
}
