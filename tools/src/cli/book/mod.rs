//! Shared by both book programs: counting games, reading and writing books.

mod files;
mod games;

pub use files::{Compression, load_book, lock_book_output, merge_books, save, stats_of, trim_book};
pub use games::{GameArguments, count_games};
