//! Writer of YaneuraOu text books.

use super::Omitted;
use super::db_lines::move_line;
use crate::BookPosition;
use std::io::{self, Write};

/// The first line; some programs reject a book without it.
const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// Writes a book as required by programs that search it on disk: sorted by the bytes of the
/// position lines, hands in standard order, LF line ends. No two positions may be equal.
///
/// Weights are written as counts. Excluded moves (weight 0) are left out, as are moves without a
/// score beside moves with one, and positions without a move left. Games, win rates and names are
/// omitted.
///
/// # Errors
/// When writing fails.
pub fn write_yaneuraou<'a>(
    mut out: impl Write,
    positions: impl IntoIterator<Item = &'a BookPosition>,
) -> io::Result<Omitted> {
    let (mut lines, mut omitted) = (Vec::new(), Omitted::default());
    for position in positions {
        let moves = omitted.keep_moves(position);
        if !moves.is_empty() {
            lines.push((position.sfen_without_ply(), position.position.ply(), moves));
        }
    }
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    writeln!(out, "{HEADER}")?;
    for (sfen, ply, moves) in &lines {
        let any_score = moves.iter().any(|entry| entry.score.is_some() || entry.depth.is_some());
        writeln!(out, "sfen {sfen} {ply}")?;
        for entry in moves {
            writeln!(out, "{}", move_line(entry, any_score))?;
        }
    }
    out.flush().map(|()| omitted)
}
