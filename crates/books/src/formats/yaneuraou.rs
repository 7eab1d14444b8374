//! Streaming reader of YaneuraOu text books (DB2016).
//!
//! Tolerant: the header may be missing or wrong, line ends vary, move lines have one to many
//! fields, comments are allowed anywhere, hands in any order, positions may be repeated with
//! another move number, and need not be sorted. The count of a move becomes its weight. AobaZero's
//! text (`position sfen …` followed by a move) is read as well.

use super::candidates::{Candidates, UnknownValues};
use super::db_lines::{DbLine, read_move, read_position};
use super::line_reader::LineReader;
use super::read_report::{DropReason, Location, ReadReport};
use super::{FormatError, PositionVisitor};
use std::io::BufRead;

/// Reads a whole book and passes on its positions one by one.
///
/// # Errors
/// When reading fails.
pub fn read(
    source: impl BufRead,
    report: &mut ReadReport,
    visitor: &mut PositionVisitor<'_>,
) -> Result<(), FormatError> {
    let mut lines = LineReader::new(source);
    let mut current: Option<Candidates> = None;
    while let Some(line) = lines.next()? {
        let location = Location::Line(lines.number());
        match DbLine::of(&line) {
            DbLine::Other => {}
            DbLine::Position(sfen) => {
                if let Some(done) = current.take().and_then(|candidates| candidates.finish(report))
                    && visitor(done).is_break()
                {
                    return Ok(());
                }
                match read_position(sfen, location, report) {
                    Some(position) => current = Some(Candidates::new(position, location, UnknownValues::ZeroAtDepth)),
                    None => report.note(DropReason::BadPosition, location, || sfen.to_owned()),
                }
            }
            DbLine::Move(text) => match &mut current {
                Some(candidates) => read_move(text, location, candidates, report),
                None => report.note(DropReason::MoveWithoutPosition, location, || text.to_owned()),
            },
        }
    }
    if let Some(done) = current.and_then(|candidates| candidates.finish(report)) {
        let _ = visitor(done);
    }
    Ok(())
}
