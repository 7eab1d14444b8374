//! Packed training data: a record for each position, with score, move and result.

mod chain;
mod hcpe;
mod psv;
mod records;

pub(super) use chain::Chain;
pub use records::{Positions, read_positions};
pub(super) use records::{Records, head};

use super::error::Fault;
use super::game::{Game, GameResult};
use super::illegal::IllegalReason;
use sabi_shogi::{Move, Position, Score};
use std::io::{self, Write};
use std::path::Path;

/// A training position with its labels.
#[derive(Clone, Debug)]
pub struct TrainingPosition {
    /// The position. Its history may be empty, and its move number is 1 if the format has none.
    pub position: Position,
    /// Score for the side to move. Packed records always have a score; 0 if unknown.
    pub score: Option<Score>,
    /// The move played or found best; legal.
    pub mv: Move,
    /// Who won the game.
    pub result: GameResult,
}

impl Game {
    /// The positions of the game in order, each with its move, without the last.
    pub fn training_positions(&self) -> impl Iterator<Item = TrainingPosition> {
        let mut next = self.start.clone();
        self.moves.iter().zip(&self.scores).map(move |(&mv, &score)| {
            let position = next.clone();
            next.play(mv);
            let score = score.map(|score| score.for_black(position.side_to_move()));
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

/// Why a position cannot be packed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum PackError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("packed records cannot store an unknown result")]
    UnknownResult,
    /// A king is missing, and the last bit is not 0.
    #[error("a king is missing, and the position does not fit into 32 bytes")]
    DoesNotFit,
    #[error("the game is longer than {0} moves")]
    TooLong(usize),
}

impl PackedFormat {
    const ALL: [Self; 2] = [Self::Hcpe, Self::Psv];
    /// Records examined to detect the format of a file.
    const SNIFFED: usize = 4;
    /// Bytes examined to detect the format of a file.
    pub(super) const SNIFFED_BYTES: u64 = (Self::SNIFFED * psv::BYTES) as u64;

    /// The format of a file extension.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "hcpe" => Some(Self::Hcpe),
            "psv" => Some(Self::Psv),
            _ => None,
        }
    }

    /// Bytes per record.
    pub const fn record_bytes(self) -> usize {
        match self {
            Self::Hcpe => hcpe::BYTES,
            Self::Psv => psv::BYTES,
        }
    }

    /// Writes one record. An unknown score is written as 0, as by other programs.
    ///
    /// # Errors
    /// When the position cannot be packed (nothing is written then), or writing fails.
    pub fn write(self, out: &mut impl Write, position: &TrainingPosition) -> Result<(), PackError> {
        match self {
            Self::Hcpe => out.write_all(&hcpe::pack(position)?)?,
            Self::Psv => out.write_all(&psv::pack(position)?)?,
        }
        Ok(())
    }

    /// Reads one record, of exactly [`PackedFormat::record_bytes`].
    pub(super) fn read(self, record: &[u8]) -> Result<TrainingPosition, Fault> {
        let cut = || Fault::TruncatedRecord { length: record.len(), expected: self.record_bytes() };
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

    /// Move number of a record as written; `None` if the format has none.
    fn move_number(self, record: &[u8]) -> Option<u16> {
        match self {
            Self::Hcpe => None,
            Self::Psv => psv::move_number(record),
        }
    }

    /// The format of a file of this length and start: the length must be a multiple of the record
    /// size, and the first records must be valid. Text is never recognised.
    pub fn detect(head: &[u8], length: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|format| {
            let size = format.record_bytes();
            let mut records = head.chunks_exact(size).take(Self::SNIFFED).peekable();
            length.is_multiple_of(size as u64)
                && records.peek().is_some()
                && records.all(|record| format.read(record).is_ok())
        })
    }
}

/// A score field of both formats.
const fn score_of(bytes: [u8; 2]) -> Option<Score> {
    Some(Score::raw(i16::from_le_bytes(bytes) as i32))
}

fn bytes_of(score: Option<Score>) -> [u8; 2] {
    (score.unwrap_or_default().get() as i16).to_le_bytes()
}
