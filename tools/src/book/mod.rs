//! Making books: counting games, merging, trimming, learning, rescoring, pruning, statistics.
//!
//! The same input in the same order gives the same book.

mod check;
mod diff;
mod learn;
mod load;
mod merge;
mod opening_statistics;
mod prune;
mod rescore;
mod stats;
mod trim;

pub use check::{Check, check};
pub use diff::{Diff, diff};
pub use learn::{LearnSettings, learn};
pub use load::{Loaded, load};
pub use merge::{MergeStrategy, merge};
pub use opening_statistics::{GameCounts, GameFilter, OpeningStatistics};
pub use prune::{PruneCounts, PruneLimits, prune};
pub use rescore::{ScoredPosition, Unscored, store_results, unscored};
pub use stats::Stats;
pub use trim::{TrimLimits, trim};

use sabi_books::{BookMap, BookMove, BookPosition};
use sabi_shogi::Score;
use std::cmp::Reverse;

/// Sorts moves by weight, with a total order for ties.
fn sort_moves(moves: &mut [BookMove]) {
    moves.sort_by_key(|entry| Reverse((entry.weight, entry.games, entry.score, Reverse(entry.mv))));
}

/// Whether any move has a number of games.
pub fn has_games(book: &BookMap) -> bool {
    book.values().flat_map(|entry| &entry.moves).any(|entry| entry.games.is_some())
}

/// The positions of a book sorted by SFEN, as in text books.
pub fn in_text_order(book: &BookMap) -> Vec<&BookPosition> {
    let mut positions: Vec<(String, &BookPosition)> =
        book.values().map(|entry| (entry.sfen_without_ply(), entry)).collect();
    positions.sort_by(|a, b| a.0.cmp(&b.0));
    positions.into_iter().map(|(_, entry)| entry).collect()
}

/// The score of a move from the score of the position after it.
fn move_score(score: Score) -> Score {
    -score.from_table(1)
}

/// The score of the position after a move from the score of the move; inverse of [`move_score`].
fn child_score(score: Score) -> Score {
    (-score).to_table(1)
}
