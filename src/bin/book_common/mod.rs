//! What both book binaries share: reading games with a progress bar, and reading and writing books.

#[path = "../common/ending.rs"]
mod ending;
mod files;
mod games;
#[path = "../common/input.rs"]
mod input;
#[path = "../common/output.rs"]
pub mod output;
#[path = "../common/progress.rs"]
pub mod progress;
#[path = "../common/reading.rs"]
mod reading;

pub use ending::finish;
pub use files::{Compression, MergeStrategy, check_book_output, load_book, merge_books, save, stats_of};
pub use games::{GameArguments, count_games};
