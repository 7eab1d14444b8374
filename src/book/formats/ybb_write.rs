//! Writer of YaneuraOu binary books.

use super::Omitted;
use super::candidates::UNSEARCHED_DEPTH;
use super::merge::Merger;
use super::read_report::ReadReport;
use super::ybb::{MAGIC, WITH_DEPTH};
use crate::book::BookPosition;
use crate::position::PackedSfen;
use crate::types::Score;
use std::io::{self, Write};

/// Writes a book with depths, sorted by packed positions, each once with its smallest move number.
///
/// The format has neither counts nor answers, so that moves are equal except for their scores:
/// unplayable moves (weight 0) are omitted, and the others are sorted by weight. Scores are clamped
/// to 16 bits. Positions that cannot be packed (some without a king) are omitted.
///
/// # Errors
/// When writing fails.
pub fn write_ybb<'a>(
    mut out: impl Write,
    positions: impl IntoIterator<Item = &'a BookPosition>,
) -> io::Result<Omitted> {
    let (mut merger, mut ignored) = (Merger::default(), ReadReport::default());
    positions.into_iter().for_each(|position| merger.add(position.clone(), &mut ignored));
    let (mut index, mut omitted) = (Vec::new(), Omitted::default());
    for mut position in merger.into_positions() {
        let all = position.moves.len();
        position.moves.retain(|entry| entry.weight > 0);
        match PackedSfen::of(&position.position).filter(|_| !position.moves.is_empty()) {
            Some(packed) => {
                omitted.moves += all - position.moves.len();
                index.push((packed.0, position));
            }
            None => {
                omitted.positions += 1;
                omitted.moves += all;
            }
        }
    }
    index.sort_unstable_by_key(|(packed, _)| *packed);
    out.write_all(MAGIC)?;
    out.write_all(&(index.len() as u64).to_le_bytes())?;
    out.write_all(&WITH_DEPTH.to_le_bytes())?;
    let (mut offset, mut moves) = (0_u64, Vec::new());
    for (packed, position) in &index {
        let ply = u16::try_from(position.position.ply()).unwrap_or(u16::MAX);
        out.write_all(packed)?;
        out.write_all(&offset.to_le_bytes())?;
        out.write_all(&ply.to_le_bytes())?;
        out.write_all(&(position.moves.len() as u16).to_le_bytes())?;
        let unsearched = position.moves.iter().all(|entry| entry.score.is_none() && entry.depth.is_none());
        for entry in &position.moves {
            let score = entry.score.map_or(0, Score::get).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            let depth = if unsearched { UNSEARCHED_DEPTH } else { entry.depth.unwrap_or(0) };
            moves.extend(entry.mv.to_yaneuraou().to_le_bytes());
            moves.extend(score.to_le_bytes());
            moves.extend(depth.to_le_bytes());
        }
        offset = moves.len() as u64;
    }
    out.write_all(&moves)?;
    out.flush().map(|()| omitted)
}
