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
mod detect;
mod json;
pub mod openings;
mod reading;
pub mod sbk;
pub mod yaneuraou;
mod ybb;

pub use apery::{Apery, apery_key};
pub(crate) use detect::{DETECTED, detect_head};
pub use detect::{detect, read, read_merged};
pub use json::{is_own_json, read_json, write_json};
pub use reading::{
    DropReason, Dropped, Example, Format, FormatError, Location, Merger, Omitted, PositionVisitor, ReadReport,
};
pub(crate) use reading::{UnknownValues, is_unsearched, replace_move, sort_moves};
pub use yaneuraou::{PlyRule, SortedDb, write_yaneuraou};
pub use ybb::{Ybb, write_ybb};
