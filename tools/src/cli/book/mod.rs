//! Shared by both book programs: counting games, reading and writing books.

mod files;
mod games;

pub use files::{Compression, check_book_output, load_book, merge_books, save, stats_of};
pub use games::{GameArguments, count_games};
