//! YaneuraOu's binary book: a sorted index of packed positions, then their moves.

use super::reading::{
    Candidates, DropReason, Format, FormatError, Location, Omitted, PositionVisitor, ReadReport, UNSEARCHED_DEPTH,
    UnknownValues, file_score,
};
use crate::{BookMove, BookPosition};
use sabi_files::{Cursor, DecodeError};
use sabi_shogi::{MAX_MOVES, Move, PackedSfen, Position, Score};
use std::io::{self, Write};

/// Magic bytes.
pub(super) const MAGIC: &[u8; 16] = b"YANE-BINBOOK-V1\0";
const HEADER: usize = 32;
const RECORD: usize = 44;
/// The only flag: moves have a depth.
pub(super) const WITH_DEPTH: u64 = 1;

/// A book in its file format.
pub struct Ybb<'a> {
    index: &'a [[u8; RECORD]],
    moves: &'a [u8],
    with_depth: bool,
    unknown: UnknownValues,
}

/// A record of the index.
struct Record {
    packed: PackedSfen,
    offset: u64,
    ply: u16,
    moves: u16,
}

impl Record {
    fn read(mut row: Cursor<'_>) -> Result<Self, DecodeError> {
        let (packed, offset) = (PackedSfen(row.array()?), row.u64()?);
        // Some programs count from 0.
        Ok(Self { packed, offset, ply: row.u16()?.max(1), moves: row.u16()? })
    }
}

fn damaged(at: usize, what: &'static str) -> FormatError {
    FormatError::Damaged { format: Format::Ybb, at: at as u64, what }
}

impl<'a> Ybb<'a> {
    /// Checks the structure; the moves of a position are checked when read.
    ///
    /// # Errors
    /// When the header is invalid, or the index exceeds the file or is not sorted.
    pub fn new(bytes: &'a [u8]) -> Result<Self, FormatError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(damaged(0, "the magic is missing"))?;
        let mut rest = Cursor(rest);
        let count = rest.u64().map_err(|_| damaged(16, "the header is cut off"))?;
        let flags = rest.u64().map_err(|_| damaged(24, "the header is cut off"))?;
        if flags & !WITH_DEPTH != 0 {
            return Err(damaged(24, "there are flags that are not known"));
        }
        let length = usize::try_from(count).ok().and_then(|count| count.checked_mul(RECORD));
        let (index, moves) =
            length.and_then(|length| rest.0.split_at_checked(length)).ok_or(damaged(16, "the index is cut off"))?;
        let (index, _) = index.as_chunks::<RECORD>();
        if let Some(at) = index.windows(2).position(|pair| pair[0][..32] >= pair[1][..32]) {
            return Err(FormatError::NotSorted { format: Format::Ybb, at: (HEADER + (at + 1) * RECORD) as u64 });
        }
        let with_depth = flags & WITH_DEPTH != 0;
        let unknown = if with_depth { UnknownValues::ZeroAtDepth } else { UnknownValues::Zero };
        Ok(Self { index, moves, with_depth, unknown })
    }

    /// The same with unknown values as they are written.
    pub(crate) fn with_written_values(self) -> Self {
        Self { unknown: UnknownValues::AsWritten, ..self }
    }

    /// Passes on all positions in index order.
    pub fn read(&self, report: &mut ReadReport, visitor: &mut PositionVisitor<'_>) {
        for (at, row) in self.index.iter().enumerate() {
            let Ok(record) = Record::read(Cursor(row)) else { return };
            let Ok(position) = record.packed.position(record.ply.into()) else {
                report.note(DropReason::BadPosition, location(at), || format!("{:02x?}", record.packed.0));
                continue;
            };
            if let Some(done) = self.moves_of(at, &record, position, report)
                && visitor(done).is_break()
            {
                return;
            }
        }
    }

    fn moves_of(
        &self,
        at: usize,
        record: &Record,
        position: Position,
        report: &mut ReadReport,
    ) -> Option<BookPosition> {
        let Some(bytes) = self.slice(record) else {
            report.note(DropReason::BadRecord, location(at), || {
                format!("{} moves at {} of {} bytes", record.moves, record.offset, self.moves.len())
            });
            return None;
        };
        let mut candidates = Candidates::new(position, location(at), self.unknown);
        for entry in bytes.chunks_exact(self.move_size()) {
            let number = |at: usize| entry.get(at..).and_then(<[u8]>::first_chunk).map(|&two| u16::from_le_bytes(two));
            let (bits, eval, depth) = (number(0)?, number(2)?.cast_signed(), number(4));
            match Move::from_yaneuraou(bits) {
                Some(mv) => {
                    let entry = BookMove { score: Some(file_score(eval.into())), depth, ..BookMove::new(mv, 0) };
                    candidates.push(entry, location(at), mv, report);
                }
                None => report.note(DropReason::BadMove, location(at), || format!("{bits:#06x}")),
            }
        }
        candidates.finish(report)
    }

    fn move_size(&self) -> usize {
        if self.with_depth { 6 } else { 4 }
    }

    /// The moves of a record, if within the file and not more than a position can have.
    fn slice(&self, record: &Record) -> Option<&'a [u8]> {
        let count = usize::from(record.moves);
        let start = usize::try_from(record.offset).ok()?;
        (count <= MAX_MOVES).then(|| self.moves.get(start..)?.get(..count * self.move_size())).flatten()
    }
}

fn location(at: usize) -> Location {
    Location::Byte((HEADER + at * RECORD) as u64)
}

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
