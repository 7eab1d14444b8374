//! Opening books of shogi: a compact format of their own, those of other programs, and the choice
//! among book moves.
//!
//! [`OpenBook`] is a book of any format, open for lookups; [`filter_moves`] and [`choose`] select
//! among its moves. [`BookMap`] is a book in memory, for building and merging. [`Shob`] is Sabi's
//! book file, opened without loading and probed by [`book_key`]. [`formats`] reads and writes the
//! books of other programs, [`learning`] keeps the games from which a book learns.
//!
//! ```
//! use sabi_books::{BookMap, BookMove, BookPosition, Shob, ShobOptions, book_key, encode};
//! use sabi_shogi::Position;
//!
//! let position = Position::startpos();
//! let key = book_key(&position);
//! let moves = vec![BookMove::new("7g7f".parse()?, 2), BookMove::new("2g2f".parse()?, 1)];
//! let book = BookMap::from([(key, BookPosition { position, moves })]);
//!
//! let bytes = encode(&book, ShobOptions { compress: true, positions: true })?;
//! let moves = Shob::new(bytes)?.lookup(key)?.ok_or("the position is not in the book")?;
//! assert_eq!(moves[0].mv.to_string(), "7g7f");
//! assert_eq!(moves[1].weight, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod book;
mod choice;
pub mod formats;
pub mod learning;
mod open_book;
mod shob;

pub use book::{BookMap, BookMove, BookPosition, WIN_RATE_ONE, book_key, flipped_book_key};
pub use choice::{Choice, Criteria, RejectReason, Rules, Selection, choose, filter_moves, line, shown_score};
pub use open_book::{OpenBook, OpenError};
pub use shob::{CacheCounts, Entries, Shob, ShobEntry, ShobError, ShobOptions, ShobWriteError, encode, write};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
