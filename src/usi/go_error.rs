//! What is wrong with a `go` or `ponderhit`.

use super::words::excerpt;
use crate::types::Move;

/// Deeper trees have more leaves than any number can count.
pub(super) const DEEPEST_PERFT: u64 = 12;

/// What is wrong with a `go` or `ponderhit`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoError {
    /// An unknown word.
    #[error("unknown word '{0}'")]
    Unknown(String),
    /// The line ends too soon.
    #[error("a value is missing after {0}")]
    Missing(&'static str),
    /// The value of a word is no number it can use.
    #[error("{keyword} takes a number, not '{value}'")]
    Number {
        /// The word.
        keyword: &'static str,
        /// What follows it.
        value: String,
    },
    /// A depth that would take years.
    #[error("perft goes no deeper than {DEEPEST_PERFT}")]
    PerftTooDeep,
    /// There is nothing to think about.
    #[error("the last position was refused, and the one before is not meant")]
    NoPosition,
    /// A move that cannot be searched because it cannot be played.
    #[error("{0} is illegal here")]
    IllegalMove(Move),
}

impl GoError {
    pub(super) fn number(keyword: &'static str, value: &str) -> Self {
        Self::Number { keyword, value: excerpt(value) }
    }
}
