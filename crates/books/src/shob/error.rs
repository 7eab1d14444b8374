//! Errors of book files.

use sabi_files::DecodeError;
use std::io;

/// Why a book file cannot be opened or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ShobError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("not a SHOB book")]
    WrongFormat,
    #[error("SHOB version {0} is not supported, only version 1")]
    Version(u16),
    #[error("this SHOB book has {found} bytes instead of {expected}")]
    Length {
        /// Length in the header, or the minimum.
        expected: u64,
        found: u64,
    },
    #[error("the header of this SHOB book is damaged: {0}")]
    Header(&'static str),
    #[error("this SHOB book is damaged: {0}")]
    Damaged(&'static str),
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
#[expect(missing_docs, reason = "the messages say it")]
pub enum ShobWriteError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("the position '{0}' has a wrong key")]
    WrongKey(String),
    #[error("duplicate move {mv} at '{sfen}'")]
    SameMove { mv: String, sfen: String },
    #[error("the book has too many {0}")]
    TooMany(&'static str),
    /// A win rate above one.
    #[error("a win rate of {0}/10000")]
    WinRate(u16),
    /// A position without a king that does not fit into 32 bytes.
    #[error("the position '{0}' cannot be packed")]
    Unpackable(String),
}
