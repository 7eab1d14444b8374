//! Errors of book files.

use crate::util::DecodeError;
use std::io;

/// Why a book file cannot be opened or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShobError {
    /// File system error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not a book file.
    #[error("not a SHOB book")]
    WrongFormat,
    /// Unknown version.
    #[error("SHOB version {0} is not supported, only version 1")]
    Version(u16),
    /// The length differs from that in the header.
    #[error("this SHOB book has {found} bytes instead of {expected}")]
    Length {
        /// Length in the header, or the minimum.
        expected: u64,
        /// Actual length.
        found: u64,
    },
    /// Invalid header.
    #[error("the header of this SHOB book is damaged: {0}")]
    Header(&'static str),
    /// Invalid data after the header.
    #[error("this SHOB book is damaged: {0}")]
    Damaged(&'static str),
    /// The book stores only the keys of its positions.
    #[error("this SHOB book stores only the keys of its positions")]
    NoPositions,
}

impl From<DecodeError> for ShobError {
    fn from(DecodeError(why): DecodeError) -> Self {
        Self::Damaged(why)
    }
}

/// Why a book cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShobWriteError {
    /// File system error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A position under the wrong key.
    #[error("the position '{0}' has a wrong key")]
    WrongKey(String),
    /// A duplicate move.
    #[error("duplicate move {mv} at '{sfen}'")]
    SameMove {
        /// The move, in USI notation.
        mv: String,
        /// The position.
        sfen: String,
    },
    /// Too many for the format.
    #[error("the book has too many {0}")]
    TooMany(&'static str),
    /// A win rate above one.
    #[error("a win rate of {0}/10000")]
    WinRate(u16),
    /// A position without a king that does not fit into 32 bytes.
    #[error("the position '{0}' cannot be packed")]
    Unpackable(String),
}
