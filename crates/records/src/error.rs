//! Errors of records.

use super::compact::CompactError;
use super::illegal::IllegalReason;
use sabi_files::JsonError;
use sabi_shogi::{Color, PackedSfenError, SfenError};
use std::io;
use std::path::{Path, PathBuf};

/// A game that could not be read: where, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", place(file, *line))]
pub struct RecordError {
    /// The file.
    pub file: PathBuf,
    /// The line, or in packed files the record or game, from 1; 0 for the file as a whole.
    pub line: usize,
    /// The reason.
    pub fault: Fault,
}

fn place(file: &Path, line: usize) -> String {
    if line == 0 { file.display().to_string() } else { format!("{}:{line}", file.display()) }
}

/// Why a record is invalid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum Fault {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Json(#[from] JsonError),
    #[error("the text is neither UTF-8 nor Shift_JIS")]
    Encoding,
    #[error("the input is empty")]
    Empty,
    #[error("unknown record format")]
    UnknownFormat,
    #[error("there is no game in it")]
    NoGame,
    #[error("the line is longer than {0} bytes")]
    LongLine(usize),
    #[error("the game is longer than {0} moves")]
    LongGame(usize),
    #[error("the game takes more than {0} bytes")]
    LongText(usize),
    #[error("the start position is wrong: {0}")]
    Start(#[from] SfenError),
    #[error("the packed position is wrong: {0}")]
    Packed(#[from] PackedSfenError),
    #[error("the bits {0:#06x} are not a move")]
    MoveBits(u16),
    #[error("invalid result {0}")]
    ResultByte(i8),
    #[error("the record is truncated after {length} of {expected} bytes")]
    TruncatedRecord { length: usize, expected: usize },
    #[error(transparent)]
    Compact(#[from] CompactError),
    #[error("'{0}' does not describe a position")]
    Board(String),
    #[error("there is no piece '{0}' to take away")]
    NothingToRemove(String),
    #[error("the handicap '{0}' is not known, and no position is given")]
    Handicap(String),
    #[error("'{0}' is not a move")]
    NotAMove(String),
    #[error("'{0}' is not a statement of this format")]
    NotAStatement(String),
    #[error("move {number} '{text}' is illegal: {reason}")]
    Illegal { number: usize, text: String, reason: IllegalReason },
    #[error("move {number} '{text}' moves {actual}, which is another piece")]
    WrongPiece { number: usize, text: String, actual: String },
    #[error("move {number} '{text}' is played by {0:?}, whose turn it is not", color)]
    WrongSide { number: usize, text: String, color: Color },
    #[error("move {number} '{text}' is ambiguous: {candidates} pieces match")]
    Ambiguous { number: usize, text: String, candidates: usize },
    #[error("move {number} '{text}' goes to the square of the move before, but there was none")]
    NoMoveBefore { number: usize, text: String },
    #[error("move number {found} instead of {expected}")]
    Numbering { expected: u32, found: String },
    #[error("unexpected '{0}' after the end of the game")]
    AfterTheEnd(String),
}

/// A fault and its line, before the file is known.
#[derive(Debug)]
pub(super) struct Located {
    pub(super) line: usize,
    pub(super) fault: Fault,
}

impl Fault {
    pub(super) const fn at(self, line: usize) -> Located {
        Located { line, fault: self }
    }
}
