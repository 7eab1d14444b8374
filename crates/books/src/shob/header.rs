//! The 64-byte header and the sections.

use super::ShobError;
use super::moves::ROW;
use sabi_files::{ByteSource, Cursor, append_crc, verify_crc};
use sabi_shogi::PackedSfen;
use std::ops::Range;

/// Size of the header.
pub(super) const HEADER: usize = 64;
/// Positions per compressed block; the last block may have fewer.
pub(super) const BLOCK: usize = 64;
/// Size of an uncompressed position: packed position and ply.
pub(super) const PACKED: usize = PackedSfen::BYTES + 4;

pub(super) const MAGIC: [u8; 4] = *b"SHOB";
const VERSION: u16 = 1;
const HAS_POSITIONS: u8 = 1;
const HAS_NAMES: u8 = 2;

/// The header fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub compressed: bool,
    pub has_positions: bool,
    pub has_names: bool,
    pub positions: u32,
    pub moves: u32,
    /// Offsets of the sections after the keys: index, moves, positions, names.
    pub offsets: [u64; 4],
    pub length: u64,
    /// Checksum of everything after the header.
    pub checksum: u32,
}

/// Ranges of the sections.
#[derive(Clone, Debug)]
pub(super) struct Sections {
    pub keys: Range<usize>,
    pub index: Range<usize>,
    pub moves: Range<usize>,
    pub positions: Range<usize>,
    pub names: Range<usize>,
}

impl Header {
    pub fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(u8::from(self.compressed));
        bytes.push(HAS_POSITIONS * u8::from(self.has_positions) + HAS_NAMES * u8::from(self.has_names));
        bytes.extend(self.positions.to_le_bytes());
        bytes.extend(self.moves.to_le_bytes());
        self.offsets.iter().for_each(|offset| bytes.extend(offset.to_le_bytes()));
        bytes.extend(self.length.to_le_bytes());
        bytes.extend(self.checksum.to_le_bytes());
        append_crc(&mut bytes);
        let mut header = [0; HEADER];
        header.copy_from_slice(&bytes);
        header
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
        let mut cursor = Cursor(&head);
        cursor.array::<4>()?;
        let version = cursor.u16()?;
        if version != VERSION {
            return Err(ShobError::Version(version));
        }
        let [compression, flags] = cursor.array()?;
        let (positions, moves) = (cursor.u32()?, cursor.u32()?);
        let offsets = [cursor.u64()?, cursor.u64()?, cursor.u64()?, cursor.u64()?];
        let (length, checksum) = (cursor.u64()?, cursor.u32()?);
        if verify_crc(&head).is_none() {
            return Err(ShobError::Header("its checksum is wrong"));
        }
        if compression > 1 {
            return Err(ShobError::Header("it names an unknown compression"));
        }
        if flags & !(HAS_POSITIONS | HAS_NAMES) != 0 {
            return Err(ShobError::Header("it has unknown flags"));
        }
        if length != found {
            return Err(ShobError::Length { expected: length, found });
        }
        let header = Self {
            compressed: compression == 1,
            has_positions: flags & HAS_POSITIONS != 0,
            has_names: flags & HAS_NAMES != 0,
            positions,
            moves,
            offsets,
            length,
            checksum,
        };
        header.check_sizes()?;
        Ok(header)
    }

    /// Whether the sections are contiguous and of the right size.
    fn check_sizes(&self) -> Result<(), ShobError> {
        let bounds = [HEADER as u64, self.offsets[0], self.offsets[1], self.offsets[2], self.offsets[3], self.length];
        if !bounds.is_sorted() {
            return Err(ShobError::Header("its sections overlap"));
        }
        let size = |number: usize| bounds[number + 1] - bounds[number];
        let (positions, moves) = (u64::from(self.positions), u64::from(self.moves));
        // A compressed section begins with the ends of its blocks.
        let table = 8 * self.blocks() as u64;
        let fits = size(0) == 8 * positions
            && size(1) == self.index_size()
            && if self.compressed { size(2) >= table } else { size(2) == ROW as u64 * moves }
            && match (self.has_positions, self.compressed) {
                (false, _) => size(3) == 0,
                (true, false) => size(3) == PACKED as u64 * positions,
                (true, true) => size(3) >= table,
            }
            && if self.has_names { size(4) >= 4 } else { size(4) == 0 };
        if fits { Ok(()) } else { Err(ShobError::Header("its sections have impossible sizes")) }
    }

    /// Size of the index.
    fn index_size(&self) -> u64 {
        let positions = u64::from(self.positions);
        if self.compressed { positions * slot_bytes(self.positions) as u64 } else { 4 * (positions + 1) }
    }

    /// Number of blocks of a compressed section.
    pub fn blocks(&self) -> usize {
        (self.positions as usize).div_ceil(BLOCK)
    }

    /// The ranges of the sections in a checked file.
    pub fn sections(&self) -> Sections {
        // No offset is above the length of the file, a `usize`.
        let [index, moves, positions, names] = self.offsets.map(|offset| offset as usize);
        Sections {
            keys: HEADER..index,
            index: index..moves,
            moves: moves..positions,
            positions: positions..names,
            names: names..self.length as usize,
        }
    }
}

/// Bytes of a slot number.
pub(super) fn slot_bytes(positions: u32) -> usize {
    let bits = u32::BITS - positions.saturating_sub(1).leading_zeros();
    bits.div_ceil(8).max(1) as usize
}
