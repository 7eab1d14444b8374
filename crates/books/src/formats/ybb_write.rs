//! Writer of YaneuraOu binary books.

use super::Omitted;
use super::candidates::UNSEARCHED_DEPTH;
use super::ybb::{MAGIC, WITH_DEPTH};
use crate::BookPosition;
use sabi_shogi::{PackedSfen, Score};
use std::io::{self, Write};

/// Writes a book with depths, sorted by packed positions. No two positions may be equal.
///
/// The format has neither counts nor answers, so that moves are equal except for their scores; they
/// keep their order. Scores are clamped to 16 bits. Excluded moves (weight 0) are left out, as are
/// moves without a score beside moves with one, positions without a move left, and those that
/// cannot be packed (some without a king).
///
/// # Errors
/// When writing fails.
pub fn write_ybb<'a>(
    mut out: impl Write,
    positions: impl IntoIterator<Item = &'a BookPosition>,
) -> io::Result<Omitted> {
    let (mut index, mut omitted) = (Vec::new(), Omitted::default());
    for position in positions {
        match PackedSfen::of(&position.position) {
            Some(packed) => index.push((packed.0, position.position.ply(), omitted.keep_moves(position))),
            None => omitted.add(position),
        }
    }
    index.retain(|(_, _, moves)| !moves.is_empty());
    index.sort_unstable_by_key(|(packed, ..)| *packed);
    out.write_all(MAGIC)?;
    out.write_all(&(index.len() as u64).to_le_bytes())?;
    out.write_all(&WITH_DEPTH.to_le_bytes())?;
    let (mut offset, mut bytes) = (0_u64, Vec::new());
    for (packed, ply, moves) in &index {
        out.write_all(packed)?;
        out.write_all(&offset.to_le_bytes())?;
        out.write_all(&u16::try_from(*ply).unwrap_or(u16::MAX).to_le_bytes())?;
        out.write_all(&(moves.len() as u16).to_le_bytes())?;
        let unsearched = moves.iter().all(|entry| entry.score.is_none() && entry.depth.is_none());
        for entry in moves {
            let score = entry.score.map_or(0, Score::get).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            let depth = if unsearched { UNSEARCHED_DEPTH } else { entry.depth.unwrap_or(0) };
            bytes.extend(entry.mv.to_yaneuraou().to_le_bytes());
            bytes.extend(score.to_le_bytes());
            bytes.extend(depth.to_le_bytes());
        }
        offset = bytes.len() as u64;
    }
    out.write_all(&bytes)?;
    out.flush().map(|()| omitted)
}
