//! Tables shared by all search threads.
//!
//! `bucket` is the concurrency primitive: a cache line with its own lock word.
//! [`TranspositionTable`], with an optional second level, and [`EvalCache`] build on it with a
//! replacement [`Policy`]. Every access takes [`TableStats`]: [`Counts`], or `()` for none.

mod bucket;
mod counts;
mod entry;
mod eval_cache;
mod policy;
#[cfg(test)]
mod tests;
mod transposition;

pub use counts::{Counts, Event, TableStats};
pub use entry::{Entry, Source};
pub use eval_cache::{EvalCache, LocalEvalCache, ThreadEvalCache};
pub use policy::Policy;
pub use transposition::TranspositionTable;
