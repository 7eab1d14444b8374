//! Making books: counting games, merging, trimming, learning, rescoring, pruning, statistics.
//!
//! The same input in the same order gives the same book.

mod contents;
mod games;
mod merge;
mod scores;

pub use contents::{BookCheck, BookStats, Loaded, check_lines, has_games, in_text_order, load};
pub use games::{GameFilter, LearnSettings, OpeningStatistics, learn};
pub use merge::{MergeStrategy, TrimLimits, merge, trim};
pub use scores::{PruneCounts, PruneLimits, ScoredPosition, Unscored, prune, store_results, unscored};
