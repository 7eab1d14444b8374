//! Writer of YaneuraOu text books.

use super::db_lines::move_line;
use super::merge::Merger;
use super::read_report::ReadReport;
use crate::book::BookPosition;
use std::io::{self, Write};

/// The first line; some programs reject a book without it.
const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// Entries that a format cannot hold.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Omitted {
    /// Positions.
    pub positions: usize,
    /// Their moves.
    pub moves: usize,
}

/// Writes a book as required by programs that search it on disk: sorted by the bytes of the
/// position lines, each position once with its smallest move number, hands in standard order, LF
/// line ends.
///
/// Weights are written as counts. A position without a playable move (all weights 0) is omitted:
/// counts of 0 would make the moves equal. Returns the number omitted. Games, win rates and names
/// are omitted.
///
/// # Errors
/// When writing fails.
pub fn write_yaneuraou<'a>(
    mut out: impl Write,
    positions: impl IntoIterator<Item = &'a BookPosition>,
) -> io::Result<Omitted> {
    let (mut lines, mut omitted) = (Vec::new(), Omitted::default());
    for position in positions {
        if position.moves.iter().any(|entry| entry.weight > 0) {
            lines.push((position.sfen_without_ply(), position));
        } else {
            omitted.positions += 1;
            omitted.moves += position.moves.len();
        }
    }
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    writeln!(out, "{HEADER}")?;
    for equal in lines.chunk_by(|a, b| a.0 == b.0) {
        match equal {
            [(_, position)] => write_position(&mut out, position)?,
            several => {
                let (mut merger, mut ignored) = (Merger::default(), ReadReport::default());
                several.iter().for_each(|&(_, position)| merger.add(position.clone(), &mut ignored));
                for position in merger.into_positions() {
                    write_position(&mut out, &position)?;
                }
            }
        }
    }
    out.flush().map(|()| omitted)
}

fn write_position(out: &mut impl Write, position: &BookPosition) -> io::Result<()> {
    let any_score = position.moves.iter().any(|entry| entry.score.is_some() || entry.depth.is_some());
    writeln!(out, "sfen {}", position.position.sfen())?;
    for entry in &position.moves {
        writeln!(out, "{}", move_line(entry, any_score))?;
    }
    Ok(())
}
