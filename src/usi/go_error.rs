//! Errors of `go` and `ponderhit`.

use crate::types::Move;
use crate::util::excerpt;

/// Deeper perft counts overflow.
pub(super) const MAX_PERFT_DEPTH: u64 = 12;

/// Why a `go` or `ponderhit` is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoError {
    /// An unknown word.
    #[error("unknown word '{0}'")]
    Unknown(String),
    /// A word lacks its value.
    #[error("missing value after {0}")]
    Missing(&'static str),
    /// The value of a word is not a valid number.
    #[error("{keyword} takes a number, not '{value}'")]
    Number {
        /// The word.
        keyword: &'static str,
        /// What follows it.
        value: String,
    },
    /// Perft beyond the maximum depth.
    #[error("the maximum perft depth is {MAX_PERFT_DEPTH}")]
    PerftTooDeep,
    /// Perft with other words.
    #[error("perft takes its depth and nothing else")]
    PerftWithMore,
    /// `mate` with game clocks.
    #[error("mate takes a limit, infinite, movetime, nodes or depth, but no clock")]
    MateByClock,
    /// `mate` with this word of another search.
    #[error("{0} cannot be combined with mate")]
    NotForMate(&'static str),
    /// No valid position.
    #[error("the last position was rejected")]
    NoPosition,
    /// An illegal move in `searchmoves`.
    #[error("{0} is illegal here")]
    IllegalMove(Move),
}

impl GoError {
    pub(super) fn number(keyword: &'static str, value: &str) -> Self {
        Self::Number { keyword, value: excerpt(value) }
    }
}
