//! Mate problems of other programs: positions on lines of text or in a column of a table (`line`), JSON (`object`), and
//! the first positions of game records.
//!
//! A bad problem is reported before the work begins: a file is read as a whole or not at all.

mod error;
mod line;
mod object;

pub use error::{ProblemError, ProblemFault};

use super::files::{is_multiline_record, read_bytes};
use super::text;
use crate::position::Position;
use crate::util::open_regular;
use error::Misplaced;
use std::io::Read;
use std::path::Path;

/// More than any collection of problems: a device that never ends is no file.
const MAX_BYTES: u64 = 1 << 30;

/// A position in which the side to move is to mate by checks.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The position. The other side has a king.
    pub position: Position,
    /// The length of the mate in plies, where the source states it.
    pub stated: Option<u32>,
    /// Where it stands in its source: a line, a number.
    pub place: String,
}

impl Problem {
    /// Reads a position as a line of a file has it: SFEN, `sfen …` or `startpos`, each also with `moves …`, or all of it behind
    /// the word `position`.
    ///
    /// # Errors
    /// When it is none, or has no king to be mated.
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
/// When it cannot be read, holds no problem, or anything in it is wrong.
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

/// The problems of a file that is already in memory; name and content tell the format.
///
/// # Errors
/// When it holds no problem, or anything in it is wrong.
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
    if is_multiline_record(name, &bytes) {
        return first_positions(name, bytes);
    }
    if object::is_typical(name, &bytes) {
        let text = text::decode(&bytes).map_err(|fault| ProblemFault::from(fault).nowhere())?;
        return object::read(&text);
    }
    line::read(&bytes)
}

/// How many moves a record has says nothing of the mate: they may go on behind it, or lead to something else.
fn first_positions(name: &Path, bytes: Vec<u8>) -> Result<Vec<Problem>, Misplaced> {
    let read = |(number, game): (usize, Result<_, super::RecordError>)| {
        let game: super::Game = game.map_err(Misplaced::from)?;
        let place = format!("game {number}");
        Problem::new(game.start, None, place.clone()).map_err(|fault| fault.at(place))
    };
    (1..).zip(read_bytes(name, bytes)).map(read).collect()
}
