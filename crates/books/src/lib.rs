//! Floor 4, last: opening books.
//!
//! [`BookMap`] is a book in memory, for building and merging. [`Shob`] is Sabi's book file, opened
//! without loading and probed by [`book_key`]; [`EMBEDDED`] is part of the program.
//!
//! ```
//! use sabi_books::formats::{PlyRule, ReadReport};
//! use sabi_books::OpenBook;
//! use sabi_shogi::Position;
//!
//! let book = OpenBook::from_static(EMBEDDED)?;
//! let moves = book.lookup(&Position::startpos(), PlyRule::Any, &mut ReadReport::default())?;
//! assert!(moves.iter().any(|entry| entry.mv.to_string() == "7g7f"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod book;
mod choice;
pub mod formats;
pub mod learning;
mod probe;
mod shob;

pub use book::{BookMap, BookMove, BookPosition, WIN_RATE_ONE, book_key, flipped_book_key};
pub use choice::{Choice, Criteria, RejectReason, Selection, choose, filter_moves, line, shown_score};
pub use probe::{OpenBook, OpenError};
pub use shob::{CacheCounts, Entries, Shob, ShobEntry, ShobError, ShobOptions, ShobWriteError, encode, write};
