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
mod json;
pub mod openings;
mod reading;
pub mod sbk;
pub mod yaneuraou;
mod ybb;

pub use apery::{Apery, apery_key};
pub use json::{is_own_json, read_json, write_json};
pub use reading::{
    DropReason, Dropped, Example, Format, FormatError, Location, Merger, Omitted, PositionVisitor, ReadReport,
};
pub(crate) use reading::{UnknownValues, is_unsearched, replace_move, sort_moves};
pub use yaneuraou::{PlyRule, SortedDb, write_yaneuraou};
pub use ybb::{Ybb, write_ybb};

use crate::BookPosition;
use sabi_files::without_bom;
use std::ops::ControlFlow;

/// Bytes needed for detection.
pub(crate) const DETECTED: usize = 4096;

/// The format of a book; `None` if unknown.
pub fn detect(bytes: &[u8]) -> Option<Format> {
    detect_head(&bytes[..bytes.len().min(DETECTED)], bytes.len())
}

/// The format of a book of this length with these first [`DETECTED`] bytes.
pub(crate) fn detect_head(head: &[u8], length: usize) -> Option<Format> {
    let complete = length <= DETECTED;
    if head.starts_with(ybb::MAGIC) {
        return Some(Format::Ybb);
    }
    if let Some(format) = detect_text(without_bom(head)) {
        return Some(format);
    }
    if sbk::detect(head, complete) {
        return Some(Format::Sbk);
    }
    (length.is_multiple_of(16) && apery::detect(head, complete)).then_some(Format::Apery)
}

fn detect_text(head: &[u8]) -> Option<Format> {
    let text = head.trim_ascii_start();
    if text.starts_with(b"{") || text.starts_with(b"[") {
        // Our format starts with its name.
        let named = text[1..].trim_ascii_start().starts_with(b"\"format\"");
        return Some(if named { Format::Json } else { Format::Openings });
    }
    if text.starts_with(b"#YANEURAOU-DB") {
        return Some(Format::YaneuraOu);
    }
    let said = |line: &&[u8]| !(line.is_empty() || line.starts_with(b"#") || line.starts_with(b"//"));
    let starts_position = |line: &[u8]| line.starts_with(b"sfen ") || line.starts_with(b"position sfen ");
    let first = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).find(said)?;
    starts_position(first).then_some(Format::YaneuraOu)
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
