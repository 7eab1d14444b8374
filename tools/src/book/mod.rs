//! Making books: counting games, merging, trimming, learning, judging and pruning, and telling what a book is like.
//!
//! Everything gives the same book for the same input in the same order.

mod check;
mod diff;
mod learn;
mod load;
mod merge;
mod prune;
mod rescore;
mod stats;
mod tally;
mod trim;

pub use check::{Check, check};
pub use diff::{Diff, diff};
pub use learn::{Learning, learn};
pub use load::{Loaded, load};
pub use merge::{Strategy, merge};
pub use prune::{PruneLimits, Pruned, prune};
pub use rescore::{SearchResult, Unscored, enter, unscored};
pub use stats::Stats;
pub use tally::{GameCounts, GameFilter, Tally};
pub use trim::{Limits, trim};

use sabi::book::{BookMap, BookMove, BookPosition};
use sabi::types::Score;
use std::cmp::Reverse;

/// The weightiest move first; equal ones in an order that does not depend on how they came in.
fn tidy(moves: &mut [BookMove]) {
    moves.sort_by_key(|entry| Reverse((entry.weight, entry.games, entry.score, Reverse(entry.mv))));
}

/// The positions of a book in the order of their SFEN, as text books have them.
pub fn in_text_order(book: &BookMap) -> Vec<&BookPosition> {
    let mut positions: Vec<(String, &BookPosition)> = book.values().map(|entry| (entry.bare_sfen(), entry)).collect();
    positions.sort_by(|a, b| a.0.cmp(&b.0));
    positions.into_iter().map(|(_, entry)| entry).collect()
}

/// What a score of a position means for the move that led to it.
fn before(score: Score) -> Score {
    -score.from_table(1)
}

/// What a score of a move means for the position behind it; the inverse of [`before`].
fn behind(score: Score) -> Score {
    (-score).to_table(1)
}
