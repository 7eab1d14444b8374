//! Packed training data: one record for each position, with score, move and result.

mod chain;
mod hcpe;
mod psv;
mod records;

pub(super) use chain::Chain;
pub(super) use records::Records;
pub use records::{Positions, read_positions};

use super::error::Fault;
use super::game::{Game, GameResult};
use super::illegal::IllegalReason;
use crate::position::Position;
use crate::types::{Color, Move, Score};
use std::io::{self, Write};
use std::path::Path;

/// A position of a game with what is known of it.
#[derive(Clone, Debug)]
pub struct TrainingPosition {
    /// The position. Its history may be empty, and its move number is 1 where the format keeps none.
    pub position: Position,
    /// What it is worth to the side to move. Packed records always tell a score; 0 is what they tell of what was not judged.
    pub score: Option<Score>,
    /// The move that was played or found best; it is legal.
    pub mv: Move,
    /// Who won the game.
    pub result: GameResult,
}

impl Game {
    /// The positions of the game in order, each with the move played in it, without the last, in which none was played.
    pub fn training_positions(&self) -> impl Iterator<Item = TrainingPosition> {
        let mut next = self.start.clone();
        self.moves.iter().zip(&self.scores).map(move |(&mv, &score)| {
            let position = next.clone();
            next.play(mv);
            let score = if position.side_to_move() == Color::Black { score } else { score.map(|score| -score) };
            TrainingPosition { position, score, mv, result: self.result }
        })
    }
}

/// A format of packed training data.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PackedFormat {
    /// `HuffmanCodedPosAndEval` of Apery, dlshogi and cshogi: 38 bytes, without the move number.
    Hcpe,
    /// `PackedSfenValue` of YaneuraOu: 40 bytes.
    Psv,
}

/// A position that packed records cannot hold.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// Nothing could be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The result of the game is unknown.
    #[error("a packed record cannot say that a result is unknown")]
    UnknownResult,
    /// A king is missing, and a bit with it.
    #[error("a king is missing, and the position does not fit into 32 bytes")]
    DoesNotFit,
    /// The game has more moves than any reader takes.
    #[error("the game is longer than {0} moves")]
    TooLong(usize),
}

impl PackedFormat {
    const ALL: [Self; 2] = [Self::Hcpe, Self::Psv];
    /// How many records are looked at to recognise a file.
    const SNIFFED: usize = 4;
    /// How many bytes of a file are enough to recognise it.
    pub(super) const SNIFFED_BYTES: u64 = (Self::SNIFFED * psv::BYTES) as u64;

    /// The format that the extension of a file stands for.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "hcpe" => Some(Self::Hcpe),
            "psv" => Some(Self::Psv),
            _ => None,
        }
    }

    /// How many bytes each record has.
    pub const fn record_bytes(self) -> usize {
        match self {
            Self::Hcpe => hcpe::BYTES,
            Self::Psv => psv::BYTES,
        }
    }

    /// Writes one record. A score that is not known is written as 0, as other programs do.
    ///
    /// # Errors
    /// When the record cannot hold the position, of which nothing is written then, or nothing can be written.
    pub fn write(self, out: &mut impl Write, position: &TrainingPosition) -> Result<(), PackError> {
        match self {
            Self::Hcpe => out.write_all(&hcpe::pack(position)?)?,
            Self::Psv => out.write_all(&psv::pack(position)?)?,
        }
        Ok(())
    }

    /// Reads one record, of exactly [`PackedFormat::record_bytes`].
    pub(super) fn read(self, record: &[u8]) -> Result<TrainingPosition, Fault> {
        let cut = || Fault::CutRecord { found: record.len(), whole: self.record_bytes() };
        let read = match self {
            Self::Hcpe => hcpe::unpack(record.try_into().map_err(|_| cut())?),
            Self::Psv => psv::unpack(record.try_into().map_err(|_| cut())?),
        }?;
        match IllegalReason::of(&read.position, read.mv) {
            None => Ok(read),
            Some(reason) => {
                Err(Fault::Illegal { number: read.position.ply() as usize, text: read.mv.to_string(), reason })
            }
        }
    }

    /// The format of a file of this length that begins so: the length must be that of whole records, and the first of them
    /// must be right. No text passes for them.
    pub fn recognise(head: &[u8], length: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|format| {
            let size = format.record_bytes();
            let mut records = head.chunks_exact(size).take(Self::SNIFFED).peekable();
            length.is_multiple_of(size as u64)
                && records.peek().is_some()
                && records.all(|record| format.read(record).is_ok())
        })
    }
}

/// A score as both formats have it.
const fn score_of(bytes: [u8; 2]) -> Option<Score> {
    Some(Score::raw(i16::from_le_bytes(bytes) as i32))
}

fn bytes_of(score: Option<Score>) -> [u8; 2] {
    (score.unwrap_or_default().get() as i16).to_le_bytes()
}
