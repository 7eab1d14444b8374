//! Books of other programs, and Sabi's text form.
//!
//! [`detect`] recognises a format by its content, never by the file name. [`read`] streams the
//! positions of any format to a visitor and counts in a [`ReadReport`] what was dropped and why.
//! Every move passed on is legal and unique in its position, largest weight first; duplicate
//! positions of a file are passed on as they are, for [`Merger`].
//!
//! Input is untrusted: lengths and offsets are checked before use, memory stays within a small
//! multiple of the input, and invalid data is dropped with a reason or rejected with its location.
//!
//! | format | read all | look up without loading | write |
//! |---|---|---|---|
//! | YaneuraOu text (`.db`), AobaZero text | [`yaneuraou`] | [`SortedDb`] | [`write_yaneuraou`] |
//! | YaneuraOu binary (`.ybb`) | [`Ybb`] | | [`write_ybb`] |
//! | Apery (`book.bin`) | [`Apery`], walking from the start position | [`Apery`] | |
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
mod line_reader;
mod merge;
mod omitted;
pub mod openings;
mod read_report;
pub mod sbk;
pub mod yaneuraou;
mod ybb;
mod ybb_write;

pub use apery::Apery;
pub use apery_key::apery_key;
pub use db_lookup::{PlyRule, SortedDb};
pub use db_write::write_yaneuraou;
pub use detect::{DETECTED, detect, detect_head};
pub use format::Format;
pub use json::{is_own_json, read_json, write_json};
pub use merge::Merger;
pub use omitted::Omitted;
pub use read_report::{DropReason, Dropped, Example, Location, ReadReport};
pub use ybb::Ybb;
pub use ybb_write::write_ybb;

use super::BookPosition;
use sabi_files::{JsonError, without_bom};
use std::ops::ControlFlow;

/// Receives the positions of a book; may stop the reader.
pub type PositionVisitor<'a> = dyn FnMut(BookPosition) -> ControlFlow<()> + 'a;

/// Why a book cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum FormatError {
    #[error("unknown book format")]
    Unknown,
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Invalid JSON, or not a book. The message has line and column.
    #[error(transparent)]
    Json(#[from] JsonError),
    #[error("the {format} book is damaged at byte {at}: {what}")]
    Damaged { format: Format, at: u64, what: &'static str },
    /// A book to be searched on disk is not sorted.
    #[error("the {format} book is not sorted: the entry at byte {at} is out of order")]
    NotSorted { format: Format, at: u64 },
}

/// Reads a book of any format. Formats without positions are walked from the start position.
///
/// # Errors
/// When the format is unknown, or the book is damaged beyond recovery.
pub fn read(bytes: &[u8], report: &mut ReadReport, visitor: &mut PositionVisitor<'_>) -> Result<Format, FormatError> {
    let format = detect(bytes).ok_or(FormatError::Unknown)?;
    match format {
        Format::YaneuraOu => yaneuraou::read(bytes, report, visitor)?,
        Format::Ybb => Ybb::new(bytes)?.read(report, visitor),
        Format::Apery => Apery::new(bytes)?.walk(report, visitor),
        Format::Sbk => sbk::read(bytes, report, visitor)?,
        Format::Openings => openings::read(bytes, report, visitor)?,
        Format::Json => read_json(without_bom(bytes), report, visitor)?,
    }
    Ok(format)
}

/// Reads a book of any format into one list: equal positions merged, in SFEN order.
///
/// # Errors
/// Those of [`read`].
pub fn read_merged(bytes: &[u8], report: &mut ReadReport) -> Result<Vec<BookPosition>, FormatError> {
    // The merger needs its own report while the reader borrows the other.
    let (mut merger, mut merging) = (Merger::default(), ReadReport::default());
    read(bytes, report, &mut |position| {
        merger.add(position, &mut merging);
        ControlFlow::Continue(())
    })?;
    report.absorb_losses(merging);
    Ok(merger.into_positions())
}
