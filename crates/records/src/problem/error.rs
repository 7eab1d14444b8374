//! Errors of problem files.

use crate::error::{Fault, RecordError};
use sabi_shogi::{PositionError, SfenError, Square};
use std::io;
use std::path::{Path, PathBuf};

/// A problem file that could not be read: where, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", location(file, place.as_deref()))]
pub struct ProblemError {
    /// The file.
    pub file: PathBuf,
    /// Line or number of the problem; `None` for the file as a whole.
    pub place: Option<String>,
    /// The reason.
    pub fault: ProblemFault,
}

fn location(file: &Path, place: Option<&str>) -> String {
    let file = file.display();
    place.map_or_else(|| file.to_string(), |place| format!("{file}, {place}"))
}

/// Why a problem is invalid. The message is complete, without a source.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ProblemFault {
    #[error("{0}")]
    Io(io::Error),
    #[error("there is no problem in it")]
    Empty,
    #[error("it has more than {0} bytes")]
    LargeFile(u64),
    #[error("{0}")]
    Record(Fault),
    #[error("{0}")]
    Json(String),
    #[error("the position is wrong: {0}")]
    Position(PositionError),
    #[error("'moves' must follow the start position, not '{0}'")]
    Trailing(String),
    #[error("there are two pieces on {0}")]
    TwoPieces(Square),
    #[error("the side to be mated has no king")]
    NoKingToMate,
    #[error("there is no position in the column 'sfen'")]
    NoSuchColumn,
    #[error("'{0}' is not a number of plies")]
    NotALength(String),
}

/// A fault and its place, before the file is known.
#[derive(Debug)]
pub(super) struct Misplaced {
    place: Option<String>,
    fault: ProblemFault,
}

impl ProblemFault {
    pub(super) const fn at(self, place: String) -> Misplaced {
        Misplaced { place: Some(place), fault: self }
    }

    pub(super) const fn nowhere(self) -> Misplaced {
        Misplaced { place: None, fault: self }
    }
}

impl From<Fault> for ProblemFault {
    fn from(fault: Fault) -> Self {
        Self::Record(fault)
    }
}

impl From<PositionError> for ProblemFault {
    fn from(error: PositionError) -> Self {
        Self::Position(error)
    }
}

impl From<SfenError> for ProblemFault {
    fn from(error: SfenError) -> Self {
        Self::Position(error.into())
    }
}

impl From<RecordError> for Misplaced {
    fn from(error: RecordError) -> Self {
        let place = (error.line > 0).then(|| format!("line {}", error.line));
        Self { place, fault: error.fault.into() }
    }
}

impl ProblemError {
    pub(super) fn new(file: &Path, Misplaced { place, fault }: Misplaced) -> Self {
        Self { file: file.to_owned(), place, fault }
    }
}
