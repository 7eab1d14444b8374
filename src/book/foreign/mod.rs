//! Books of other programs, and text forms of our own.
//!
//! [`detect`] tells a format by its content, never by the name of a file. [`read`] streams the positions of any of them
//! to a sink and notes in a [`Report`] what it dropped and why. Every move that comes out is legal in its position,
//! each only once, the weightiest first; what a file says twice comes out twice, and [`Merger`] makes one of it.
//!
//! Nothing here trusts a byte: a length or an offset is checked before it is used, memory stays within a small multiple
//! of the input, and what cannot be right is dropped with a reason or refused with its place.
//!
//! | format | read all | look up without loading | write |
//! |---|---|---|---|
//! | YaneuraOu text (`.db`), AobaZero text | [`yaneuraou`] | [`SortedDb`] | [`write_yaneuraou`] |
//! | YaneuraOu binary (`.ybb`) | [`Ybb`] | [`Ybb`] | [`write_ybb`] |
//! | Apery (`book.bin`) | [`Apery`], walking from given roots | [`Apery`] | |
//! | ShogiGUI (`.sbk`) | [`sbk`] | | |
//! | JSON with openings by name | [`openings`] | | |
//! | our JSON | [`read_json`] | | [`write_json`] |

mod apery;
mod apery_key;
mod candidates;
mod db_lines;
mod db_lookup;
mod db_write;
mod detect;
mod format;
mod json;
mod lines;
mod merge;
pub mod openings;
mod report;
pub mod sbk;
pub mod yaneuraou;
mod ybb;
mod ybb_write;

pub use apery::Apery;
pub use apery_key::apery_key;
pub use db_lookup::{PlyRule, SortedDb};
pub use db_write::{LeftOut, write_yaneuraou};
pub use detect::{DETECTED, detect, detect_head};
pub use format::Format;
pub use json::{is_own_json, read_json, write_json};
pub use merge::Merger;
pub use report::{Cause, Dropped, Example, Place, Report};
pub use ybb::Ybb;
pub use ybb_write::write_ybb;

use super::BookPosition;
use crate::position::Position;
use crate::util::JsonError;
use std::ops::ControlFlow;

/// What takes the positions of a book as they are read; it may break off.
pub type Sink<'a> = dyn FnMut(BookPosition) -> ControlFlow<()> + 'a;

/// A book that cannot be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// The content is that of no format known here.
    #[error("this is no book in a format known here")]
    Unknown,
    /// The source failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Not JSON, or not a book in it. The message names line and column.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// A binary book whose frame is broken.
    #[error("the {format} book is damaged at byte {at}: {what}")]
    Damaged {
        /// The format it is in.
        format: Format,
        /// Where.
        at: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// A book to be searched where it lies is not sorted.
    #[error("the {format} book is not sorted: the entry at byte {at} belongs before the one above it")]
    NotSorted {
        /// The format it is in.
        format: Format,
        /// The entry that is out of order.
        at: u64,
    },
}

/// Reads a book in whatever format it is. Formats that name no positions are walked from the start of the game.
///
/// # Errors
/// When the format is unknown, or so damaged that there is nothing to go on with.
pub fn read(bytes: &[u8], report: &mut Report, sink: &mut Sink<'_>) -> Result<Format, ForeignError> {
    read_from(bytes, &[Position::startpos()], report, sink)
}

/// Reads a book in whatever format it is. Formats that name no positions are walked from `roots`.
///
/// # Errors
/// When the format is unknown, or so damaged that there is nothing to go on with.
pub fn read_from(
    bytes: &[u8],
    roots: &[Position],
    report: &mut Report,
    sink: &mut Sink<'_>,
) -> Result<Format, ForeignError> {
    let format = detect(bytes).ok_or(ForeignError::Unknown)?;
    match format {
        Format::YaneuraOu => yaneuraou::read(bytes, report, sink)?,
        Format::Ybb => Ybb::new(bytes)?.read(report, sink),
        Format::Apery => Apery::new(bytes)?.walk(roots, report, sink),
        Format::Sbk => sbk::read(bytes, report, sink)?,
        Format::Openings => openings::read(bytes, report, sink)?,
        Format::Json => read_json(lines::without_mark(bytes), report, sink)?,
    }
    Ok(format)
}

/// Reads a book in whatever format it is into one list: equal positions merged, in the order of their SFEN.
///
/// # Errors
/// As [`read`].
pub fn read_merged(bytes: &[u8], report: &mut Report) -> Result<Vec<BookPosition>, ForeignError> {
    // Two borrows of one report would be needed: the merger keeps its own and hands it over in the end.
    let (mut merger, mut merging) = (Merger::default(), Report::default());
    read(bytes, report, &mut |position| {
        merger.add(position, &mut merging);
        ControlFlow::Continue(())
    })?;
    report.absorb_losses(merging);
    Ok(merger.into_positions())
}
