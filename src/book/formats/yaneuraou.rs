//! Streaming reader of YaneuraOu text books (DB2016).
//!
//! Tolerant: the header may be missing or wrong, line ends vary, move lines have one to many
//! fields, comments are allowed anywhere, hands in any order, positions may be repeated with
//! another move number, and need not be sorted. The count of a move becomes its weight. AobaZero's
//! text (`position sfen …` followed by a move) is read as well.

use super::candidates::{Candidates, Unknown};
use super::db_lines::{Line, read_move, read_position};
use super::lines::Lines;
use super::report::{Cause, Place, Report};
use super::{FormatError, Sink};
use std::io::BufRead;

/// Reads a whole book and passes on its positions one by one.
///
/// # Errors
/// When reading fails.
pub fn read(source: impl BufRead, report: &mut Report, sink: &mut Sink<'_>) -> Result<(), FormatError> {
    let mut lines = Lines::new(source);
    let mut current: Option<Candidates> = None;
    while let Some(line) = lines.next()? {
        let place = Place::Line(lines.number());
        match Line::of(&line) {
            Line::Other => {}
            Line::Position(sfen) => {
                if let Some(done) = current.take().and_then(|candidates| candidates.finish(report))
                    && sink(done).is_break()
                {
                    return Ok(());
                }
                match read_position(sfen, place, report) {
                    Some(position) => current = Some(Candidates::new(position, place, Unknown::ZeroAtDepth)),
                    None => report.note(Cause::BadPosition, place, || sfen.to_owned()),
                }
            }
            Line::Move(text) => match &mut current {
                Some(candidates) => read_move(text, place, candidates, report),
                None => report.note(Cause::MoveWithoutPosition, place, || text.to_owned()),
            },
        }
    }
    if let Some(done) = current.and_then(|candidates| candidates.finish(report)) {
        let _ = sink(done);
    }
    Ok(())
}
