//! YaneuraOu's text book, DB2016, read line by line.
//!
//! Read with patience: the header may be missing or wrong, lines end in any way, move lines have one to many fields,
//! comments stand anywhere, hands are in any order, the same position may come again with another move number, and
//! nothing need be sorted. The count of a move becomes its weight. AobaZero's text, `position sfen …` and below it one
//! move, is read as well.

use super::candidates::{Candidates, Unknown};
use super::db_lines::{Line, read_move, read_position};
use super::lines::Lines;
use super::report::{Cause, Place, Report};
use super::{ForeignError, Sink};
use std::io::BufRead;

/// Reads a whole book and hands on its positions one by one.
///
/// # Errors
/// When the source cannot be read.
pub fn read(source: impl BufRead, report: &mut Report, sink: &mut Sink<'_>) -> Result<(), ForeignError> {
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
