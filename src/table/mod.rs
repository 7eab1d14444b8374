//! Floor 4: tables shared by all search threads.
//!
//! `bucket` holds the one concurrency primitive: a cache line with its own lock word. [`Table`] is the transposition table on it.

mod bucket;
mod entry;
mod transposition;

pub use entry::{Entry, Source};
pub use transposition::Table;
