//! Errors of `go` and `ponderhit`.

use sabi_shogi::{Move, excerpt};

/// Deeper perft counts overflow.
pub(super) const MAX_PERFT_DEPTH: u64 = 12;

/// Why a `go` or `ponderhit` is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum GoError {
    #[error("unknown word '{0}'")]
    Unknown(String),
    #[error("missing value after {0}")]
    Missing(&'static str),
    #[error("{keyword} takes a number, not '{value}'")]
    Number { keyword: &'static str, value: String },
    #[error("the maximum perft depth is {MAX_PERFT_DEPTH}")]
    PerftTooDeep,
    #[error("perft takes its depth and nothing else")]
    PerftWithMore,
    #[error("mate takes a limit, infinite, movetime, nodes or depth, but no clock")]
    MateByClock,
    #[error("{0} cannot be combined with mate")]
    NotForMate(&'static str),
    #[error("the last position was rejected")]
    NoPosition,
    #[error("{0} is illegal here")]
    IllegalMove(Move),
}

impl GoError {
    pub(super) fn number(keyword: &'static str, value: &str) -> Self {
        Self::Number { keyword, value: excerpt(value) }
    }
}
