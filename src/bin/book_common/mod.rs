//! What both book binaries share: reading games with a progress bar, and reading and writing books.

#[path = "../common/ending.rs"]
mod ending;
mod files;
mod games;
#[path = "../common/progress.rs"]
pub mod progress;
#[path = "../common/reading.rs"]
mod reading;

pub use ending::finish;
pub use files::{Compression, MergeStrategy, check_output, load_book, merge_books, save, stats_of};
pub use games::{GameArguments, count_games};
