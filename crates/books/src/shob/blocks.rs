//! A section of LZ4 blocks, decompressed one at a time.
//!
//! The section begins with the end offset of each block (`u64`, from the first block). A block is
//! its decompressed length (`u32`) and the compressed bytes.

use super::ShobError;
use super::storage::Section;
use sabi_files::{Cursor, decompress};

const OUTSIDE: ShobError = ShobError::Damaged("a block is outside its section");

/// Compresses blocks into a section.
pub(super) fn section(blocks: &[Vec<u8>]) -> Vec<u8> {
    let mut ends = Vec::with_capacity(8 * blocks.len());
    let mut packed = Vec::new();
    for block in blocks {
        packed.extend((block.len() as u32).to_le_bytes());
        packed.extend(lz4_flex::block::compress(block));
        ends.extend((packed.len() as u64).to_le_bytes());
    }
    ends.extend(packed);
    ends
}

/// Decompresses block `number` of `count`. Its decompressed length is at most `limit`.
pub(super) fn unpack(section: &Section<'_>, count: usize, number: usize, limit: usize) -> Result<Vec<u8>, ShobError> {
    // The end of the previous block and its own; the first begins after the table.
    let (first, ends) = (number.saturating_sub(1), number.min(1) + 1);
    let ends = section.get(8 * first, 8 * ends)?;
    let mut ends = Cursor(&ends);
    let start = if number == 0 { 0 } else { end_of(&mut ends)? };
    let length = end_of(&mut ends)?.checked_sub(start).ok_or(OUTSIDE)?;
    let packed = section.get(start.checked_add(8 * count).ok_or(OUTSIDE)?, length).map_err(outside)?;
    let mut packed = Cursor(&packed);
    let length = packed.u32()? as usize;
    if length > limit {
        return Err(ShobError::Damaged("a block claims an impossible length"));
    }
    decompress(packed.0, length).ok_or(ShobError::Damaged("a block cannot be decompressed"))
}

/// Checks that the blocks are contiguous and fill the section.
pub(super) fn check_ends(section: &Section<'_>, count: usize) -> Result<(), ShobError> {
    let table = section.get(0, 8 * count).map_err(outside)?;
    let mut ends = Cursor(&table);
    let mut before = 0;
    for _ in 0..count {
        let end = end_of(&mut ends)?;
        if end < before {
            return Err(OUTSIDE);
        }
        before = end;
    }
    if before == section.len() - table.len() { Ok(()) } else { Err(OUTSIDE) }
}

fn end_of(ends: &mut Cursor<'_>) -> Result<usize, ShobError> {
    usize::try_from(ends.u64()?).map_err(|_| OUTSIDE)
}

/// An offset outside the section is an error of the table.
fn outside(error: ShobError) -> ShobError {
    if matches!(error, ShobError::Damaged(_)) { OUTSIDE } else { error }
}
