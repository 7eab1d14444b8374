//! The header, the sections it names, and what may be wrong with them.
//!
//! A compressed section begins with the end offset of each block (`u64`, from the first block). A
//! block is its decompressed length (`u32`) and its LZ4 bytes.

use sabi_files::{ByteSource, Cursor, DecodeError, append_crc, compress, decompress, verify_crc};
use sabi_shogi::PackedSfen;
use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// Size of the header.
pub(super) const HEADER: usize = 64;
/// Positions per compressed block; the last block may have fewer.
pub(super) const BLOCK: usize = 64;
/// Size of an uncompressed move.
pub(super) const ROW: usize = 24;
/// Size of an uncompressed position: packed position and ply.
pub(super) const PACKED: usize = PackedSfen::BYTES + 4;

pub(super) const MAGIC: [u8; 4] = *b"SHOB";
const VERSION: u16 = 1;
const HAS_POSITIONS: u8 = 1;
const HAS_NAMES: u8 = 2;

const TRUNCATED: ShobError = ShobError::Damaged("something ends too early");
const OUTSIDE: ShobError = ShobError::Damaged("a block is outside its section");

/// Why a book file cannot be opened or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ShobError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("not a SHOB book")]
    WrongFormat,
    #[error("SHOB version {0} is not supported, only version 1")]
    Version(u16),
    #[error("this SHOB book has {found} bytes instead of {expected}")]
    Length {
        /// Length in the header, or the minimum.
        expected: u64,
        found: u64,
    },
    #[error("the header of this SHOB book is damaged: {0}")]
    Header(&'static str),
    #[error("this SHOB book is damaged: {0}")]
    Damaged(&'static str),
    #[error("this SHOB book stores only the keys of its positions")]
    NoPositions,
}

impl From<DecodeError> for ShobError {
    fn from(DecodeError(why): DecodeError) -> Self {
        Self::Damaged(why)
    }
}

/// The sections in file order.
#[derive(Copy, Clone, Debug)]
pub(super) enum Part {
    Keys,
    Index,
    Moves,
    Positions,
    Names,
}

/// The header fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub compressed: bool,
    pub has_positions: bool,
    pub has_names: bool,
    pub positions: u32,
    pub moves: u32,
    /// Offsets of the sections, and the length of the file.
    pub bounds: [u64; 6],
    /// Checksum of everything after the header.
    pub checksum: u32,
}

impl Header {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(u8::from(self.compressed));
        bytes.push(HAS_POSITIONS * u8::from(self.has_positions) + HAS_NAMES * u8::from(self.has_names));
        bytes.extend(self.positions.to_le_bytes());
        bytes.extend(self.moves.to_le_bytes());
        // The keys begin after the header.
        self.bounds[1..].iter().for_each(|bound| bytes.extend(bound.to_le_bytes()));
        bytes.extend(self.checksum.to_le_bytes());
        append_crc(&mut bytes);
        bytes
    }

    /// Reads the header of a file and checks it against the file length.
    pub fn read(source: &ByteSource<'_>) -> Result<Self, ShobError> {
        let found = source.len() as u64;
        let head = source.read(0..source.len().min(HEADER))?;
        if !head.starts_with(&MAGIC) {
            return Err(ShobError::WrongFormat);
        }
        if head.len() < HEADER {
            return Err(ShobError::Length { expected: HEADER as u64, found });
        }
        let mut cursor = Cursor(&head[MAGIC.len()..]);
        let version = cursor.u16()?;
        if version != VERSION {
            return Err(ShobError::Version(version));
        }
        let [compression, flags] = cursor.array()?;
        let (positions, moves) = (cursor.u32()?, cursor.u32()?);
        let mut bounds = [HEADER as u64; 6];
        for bound in &mut bounds[1..] {
            *bound = cursor.u64()?;
        }
        let checksum = cursor.u32()?;
        if verify_crc(&head).is_none() {
            return Err(ShobError::Header("its checksum is wrong"));
        }
        if compression > 1 {
            return Err(ShobError::Header("it names an unknown compression"));
        }
        if flags & !(HAS_POSITIONS | HAS_NAMES) != 0 {
            return Err(ShobError::Header("it has unknown flags"));
        }
        if bounds[5] != found {
            return Err(ShobError::Length { expected: bounds[5], found });
        }
        let (has_positions, has_names) = (flags & HAS_POSITIONS != 0, flags & HAS_NAMES != 0);
        let header =
            Self { compressed: compression == 1, has_positions, has_names, positions, moves, bounds, checksum };
        header.check_sizes()?;
        Ok(header)
    }

    /// Whether the sections are contiguous and of the right size.
    fn check_sizes(&self) -> Result<(), ShobError> {
        if !self.bounds.is_sorted() {
            return Err(ShobError::Header("its sections overlap"));
        }
        let size = |part: Part| self.bounds[part as usize + 1] - self.bounds[part as usize];
        let (positions, moves) = (u64::from(self.positions), u64::from(self.moves));
        // A compressed section begins with the ends of its blocks.
        let table = 8 * self.blocks() as u64;
        let index = if self.compressed { positions * slot_bytes(self.positions) as u64 } else { 4 * (positions + 1) };
        let fits = size(Part::Keys) == 8 * positions
            && size(Part::Index) == index
            && if self.compressed { size(Part::Moves) >= table } else { size(Part::Moves) == ROW as u64 * moves }
            && match (self.has_positions, self.compressed) {
                (false, _) => size(Part::Positions) == 0,
                (true, false) => size(Part::Positions) == PACKED as u64 * positions,
                (true, true) => size(Part::Positions) >= table,
            }
            && if self.has_names { size(Part::Names) >= 4 } else { size(Part::Names) == 0 };
        if fits { Ok(()) } else { Err(ShobError::Header("its sections have impossible sizes")) }
    }

    /// Number of blocks of a compressed section.
    pub fn blocks(&self) -> usize {
        (self.positions as usize).div_ceil(BLOCK)
    }

    /// A section of the file with this header.
    pub fn section<'a>(&self, source: &'a ByteSource<'static>, part: Part) -> Section<'a> {
        // No offset is above the length of the file, a `usize`.
        let bound = |number: usize| self.bounds[number] as usize;
        Section { source, place: bound(part as usize)..bound(part as usize + 1) }
    }
}

/// Bytes of a slot number in a book of this many positions.
pub(super) fn slot_bytes(positions: u32) -> usize {
    let bits = u32::BITS - positions.saturating_sub(1).leading_zeros();
    bits.div_ceil(8).max(1) as usize
}

/// A section of a book, with bounds-checked access.
#[derive(Clone, Debug)]
pub(super) struct Section<'a> {
    pub source: &'a ByteSource<'static>,
    pub place: Range<usize>,
}

impl<'a> Section<'a> {
    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// Bytes at an offset.
    #[inline]
    pub fn get(&self, at: usize, length: usize) -> Result<Cow<'a, [u8]>, ShobError> {
        let start = self.place.start.checked_add(at).ok_or(TRUNCATED)?;
        let end = start.checked_add(length).filter(|&end| end <= self.place.end).ok_or(TRUNCATED)?;
        Ok(self.source.read(start..end)?)
    }

    /// The `u32` at an offset.
    pub fn u32(&self, at: usize) -> Result<u32, ShobError> {
        Ok(Cursor(&self.get(at, 4)?).u32()?)
    }

    /// Decompresses block `number` of `count`. Its decompressed length is at most `limit`.
    pub fn block(&self, count: usize, number: usize, limit: usize) -> Result<Vec<u8>, ShobError> {
        // The end of the previous block and its own; the first begins after the table.
        let (first, ends) = (number.saturating_sub(1), number.min(1) + 1);
        let ends = self.get(8 * first, 8 * ends)?;
        let mut ends = Cursor(&ends);
        let start = if number == 0 { 0 } else { end_of(&mut ends)? };
        let length = end_of(&mut ends)?.checked_sub(start).ok_or(OUTSIDE)?;
        let packed = self.get(start.checked_add(8 * count).ok_or(OUTSIDE)?, length).map_err(outside)?;
        let mut packed = Cursor(&packed);
        let length = packed.u32()? as usize;
        if length > limit {
            return Err(ShobError::Damaged("a block claims an impossible length"));
        }
        decompress(packed.0, length).ok_or(ShobError::Damaged("a block cannot be decompressed"))
    }

    /// Checks that this many blocks are contiguous and fill the section.
    pub fn check_blocks(&self, count: usize) -> Result<(), ShobError> {
        let table = self.get(0, 8 * count).map_err(outside)?;
        let mut ends = Cursor(&table);
        let mut before = 0;
        for _ in 0..count {
            let end = end_of(&mut ends)?;
            if end < before {
                return Err(OUTSIDE);
            }
            before = end;
        }
        if before == self.len() - table.len() { Ok(()) } else { Err(OUTSIDE) }
    }
}

/// Compresses blocks into a section.
pub(super) fn block_section(blocks: &[Vec<u8>]) -> Vec<u8> {
    let mut ends = Vec::with_capacity(8 * blocks.len());
    let mut packed = Vec::new();
    for block in blocks {
        packed.extend((block.len() as u32).to_le_bytes());
        packed.extend(compress(block));
        ends.extend((packed.len() as u64).to_le_bytes());
    }
    ends.extend(packed);
    ends
}

fn end_of(ends: &mut Cursor<'_>) -> Result<usize, ShobError> {
    usize::try_from(ends.u64()?).map_err(|_| OUTSIDE)
}

/// An offset outside the section is an error of the table.
fn outside(error: ShobError) -> ShobError {
    if matches!(error, ShobError::Damaged(_)) { OUTSIDE } else { error }
}
