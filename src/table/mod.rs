//! Floor 4: tables shared by all search threads.
//!
//! `bucket` holds the one concurrency primitive: a cache line with its own lock word. [`Table`], the transposition table, and
//! [`EvalCache`] stand on it; a [`Policy`] says which entry of a bucket makes room for a new one. A transposition table may have
//! a second level (`second`) that keeps in short form (`compact`) what the first had no room for.
//!
//! Every table is generic over the word it is made of: atomic where there are threads, plain memory where there are none.
//! [`Counts`] of events are kept by the functions that count.

mod bucket;
mod compact;
mod counts;
mod entry;
mod evaluations;
mod policy;
mod second;
#[cfg(test)]
mod tests;
mod transposition;

pub use counts::{Counts, Event};
pub use entry::{Entry, Source};
pub use evaluations::{CachedEvaluations, EvalCache, NearEvaluations};
pub use policy::Policy;
pub use transposition::Table;
