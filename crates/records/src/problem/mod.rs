//! Mate problems: positions in lines of text or in a column of a table (`line`), JSON (`object`),
//! and the first positions of game records.
//!
//! A bad problem is reported before solving begins: a file is read completely or not at all.

mod error;
mod line;
mod object;

pub use error::{ProblemError, ProblemFault};

use super::files::{is_multiline_record, read_bytes};
use super::text;
use error::Misplaced;
use sabi_files::open_regular;
use sabi_shogi::Position;
use std::io::Read;
use std::path::Path;

/// Maximum file size: protects from devices without an end.
const MAX_BYTES: u64 = 1 << 30;

/// A position in which the side to move mates by checks.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The position. The other side has a king.
    pub position: Position,
    /// Mate length in plies, if stated.
    pub stated: Option<u32>,
    /// Its place in the source: a line or a number.
    pub place: String,
}

impl Problem {
    /// Parses a position of a line: SFEN, `sfen …` or `startpos`, each optionally with `moves …`,
    /// optionally after the word `position`.
    ///
    /// # Errors
    /// When it is invalid, or the other side has no king.
    pub fn from_line(text: &str, place: String) -> Result<Self, ProblemFault> {
        Self::new(line::position(text)?, None, place)
    }

    fn new(position: Position, stated: Option<u32>, place: String) -> Result<Self, ProblemFault> {
        match position.king(!position.side_to_move()) {
            Some(_) => Ok(Self { position, stated, place }),
            None => Err(ProblemFault::NoKingToMate),
        }
    }
}

/// The problems of a file, in order.
///
/// # Errors
/// When it cannot be read, has no problem, or any problem is invalid.
pub fn read_problems(path: impl AsRef<Path>) -> Result<Vec<Problem>, ProblemError> {
    let path = path.as_ref();
    let read = || {
        let mut bytes = Vec::new();
        open_regular(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(bytes)
    };
    let bytes = read().map_err(|error| ProblemError::new(path, ProblemFault::Io(error).nowhere()))?;
    read_problem_bytes(path, bytes)
}

/// The problems of a file in memory; name and content give the format.
///
/// # Errors
/// When it has no problem, or any problem is invalid.
pub fn read_problem_bytes(name: impl AsRef<Path>, bytes: Vec<u8>) -> Result<Vec<Problem>, ProblemError> {
    let name = name.as_ref();
    let problems = problems(name, bytes).map_err(|misplaced| ProblemError::new(name, misplaced))?;
    if problems.is_empty() {
        return Err(ProblemError::new(name, ProblemFault::Empty.nowhere()));
    }
    Ok(problems)
}

fn problems(name: &Path, bytes: Vec<u8>) -> Result<Vec<Problem>, Misplaced> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ProblemFault::LargeFile(MAX_BYTES).nowhere());
    }
    // JSON and lines are split as bytes, in which UTF-16 has zeros.
    let bytes = text::utf8_bytes(bytes);
    if is_multiline_record(name, &bytes) {
        return first_positions(name, bytes);
    }
    if object::detect(name, &bytes) {
        let text = text::decode(&bytes).map_err(|fault| ProblemFault::from(fault).nowhere())?;
        return object::read(&text);
    }
    line::read(&bytes)
}

/// The number of moves of a record is not a mate length: they may continue beyond it or be another
/// line.
fn first_positions(name: &Path, bytes: Vec<u8>) -> Result<Vec<Problem>, Misplaced> {
    let read = |(number, game): (usize, Result<_, super::RecordError>)| {
        let game: super::Game = game.map_err(Misplaced::from)?;
        let place = format!("game {number}");
        Problem::new(game.start, None, place.clone()).map_err(|fault| fault.at(place))
    };
    (1..).zip(read_bytes(name, bytes)).map(read).collect()
}
