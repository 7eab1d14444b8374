//! Iteration over a book file and its verification.

use super::columns::MoveBlock;
use super::encode::duplicate_move;
use super::header::{BLOCK, HEADER, Header, PACKED};
use super::positions::unpacked;
use super::search::key_at;
use super::{Shob, ShobError, blocks, positions};
use crate::{BookMap, BookMove, BookPosition, book_key};
use sabi_files::{Cursor, crc32};
use sabi_shogi::{PackedSfen, Position};

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

impl Shob {
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
        let keys = self.keys().get(0, self.keys().len())?;
        if !keys.chunks_exact(8).map(|key| key_at(key, 0)).is_sorted_by(|a, b| a < b) {
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
            blocks::check_ends(&self.section(&self.sections.moves), self.header.blocks())?;
            return if self.header.has_positions {
                blocks::check_ends(&self.section(&self.sections.positions), self.header.blocks())
            } else {
                Ok(())
            };
        }
        let index = self.section(&self.sections.index);
        let index = index.get(0, index.len())?;
        let mut starts = Cursor(&index);
        let mut last = starts.u32()?;
        let mut fine = last == 0;
        for _ in 0..self.len() {
            let start = starts.u32()?;
            fine &= start >= last;
            last = start;
        }
        if fine && last == self.header.moves { Ok(()) } else { Err(ShobError::Damaged("its index is wrong")) }
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
}

impl Entries<'_> {
    fn entry(&mut self) -> Result<ShobEntry, ShobError> {
        let at = self.next;
        let (rank, moves, position) = if self.book.header.compressed {
            self.packed(at)?
        } else {
            (at, self.book.moves_at(at)?, self.book.plain_position(at)?)
        };
        let key = key_at(&self.book.keys().get(8 * rank, 8)?, 0).ok_or(ShobError::Damaged("a key is missing"))?;
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
        let (Some((block, positions)), Some(&rank)) = (&self.block, self.ranks.get(slot)) else {
            return Err(missing);
        };
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

impl Shob {
    /// The position of a key in an uncompressed book.
    fn plain_position(&self, rank: usize) -> Result<Option<Position>, ShobError> {
        if !self.header.has_positions {
            return Ok(None);
        }
        let bytes = self.section(&self.sections.positions).get(PACKED * rank, PACKED)?;
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
        let section = self.section(&self.sections.positions);
        let bytes = blocks::unpack(&section, self.header.blocks(), number, count * positions::MAX_BYTES)?;
        positions::read(&bytes, count, moves)
    }
}
