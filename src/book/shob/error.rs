//! What can be wrong with a book file.

use std::io;

/// A book file cannot be opened or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShobError {
    /// The file system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It begins with other letters.
    #[error("this is no SHOB book")]
    OtherFormat,
    /// A version this program does not know.
    #[error("this SHOB book has version {0}, and only version 1 is known")]
    Version(u16),
    /// Shorter or longer than its header says.
    #[error("this SHOB book has {found} bytes instead of {expected}")]
    Length {
        /// What the header says, or the least there can be.
        expected: u64,
        /// What there is.
        found: u64,
    },
    /// The header contradicts its checksum or itself.
    #[error("the header of this SHOB book is damaged: {0}")]
    Header(&'static str),
    /// Something behind the header makes no sense.
    #[error("this SHOB book is damaged: {0}")]
    Damaged(&'static str),
    /// Positions were asked for, and the book has only their keys.
    #[error("this SHOB book holds keys of positions only")]
    NoPositions,
}

/// A book cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShobWriteError {
    /// The file system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A position stands under a key that is not its own.
    #[error("the position '{0}' stands under a wrong key")]
    WrongKey(String),
    /// A position has a move twice.
    #[error("the move {mv} stands twice at '{sfen}'")]
    SameMove {
        /// The move, in USI notation.
        mv: String,
        /// The position.
        sfen: String,
    },
    /// More than the format has room for.
    #[error("the book has too many {0}")]
    TooMany(&'static str),
    /// A win rate above one.
    #[error("a win rate of {0}/10000")]
    WinRate(u16),
    /// A position without a king that does not fit into 32 bytes.
    #[error("the position '{0}' cannot be packed")]
    Unpackable(String),
}
