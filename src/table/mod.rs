//! Floor 4: tables shared by all search threads.
//!
//! `bucket` is the concurrency primitive: a cache line with its own lock word.
//! [`TranspositionTable`] and [`EvalCache`] build on it with a replacement [`Policy`]. A
//! transposition table may have a second level (`second`) of compact entries (`compact`).
//!
//! [`Counts`] of events are collected by the `_counted` functions.

mod bucket;
mod compact;
mod counts;
mod entry;
mod eval_cache;
mod policy;
mod second;
#[cfg(test)]
mod tests;
mod transposition;

pub use counts::{Counts, Event};
pub use entry::{Entry, Source};
pub use eval_cache::{EvalCache, LocalEvalCache, ThreadEvalCache};
pub use policy::Policy;
pub use transposition::TranspositionTable;
