//! A game as stored in a block.

use crate::builder::{Builder, Outcome};
use crate::error::Fault;
use crate::game::{EndReason, Game, GameResult};
use crate::illegal::IllegalReason;
use crate::packed::PackError;
use sabi_shogi::{Color, Move, PackedSfen, PackedSfenError, Position, STARTPOS_SFEN, Score};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Start of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// The start position.
    Even,
    /// A packed position.
    Packed {
        /// The position.
        position: PackedSfen,
        /// Its move number.
        ply: u32,
    },
}

impl Start {
    /// Maximum move number of a start.
    pub(super) const LAST_PLY: u32 = 1 << 20;

    /// The start of a position.
    ///
    /// # Errors
    /// When it does not fit into 32 bytes.
    pub fn of(position: &Position) -> Result<Self, PackError> {
        if position.sfen() == STARTPOS_SFEN {
            return Ok(Self::Even);
        }
        let ply = position.ply().clamp(1, Self::LAST_PLY);
        Ok(Self::Packed { position: PackedSfen::of(position).ok_or(PackError::DoesNotFit)?, ply })
    }

    /// The position.
    ///
    /// # Errors
    /// When the bytes are invalid.
    pub fn position(&self) -> Result<Position, PackedSfenError> {
        match self {
            Self::Even => Ok(Position::startpos()),
            Self::Packed { position, ply } => position.position(*ply),
        }
    }
}

/// A game as stored in a block, not checked against the rules.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct StoredGame<'a> {
    /// Its number; the seed for self-play games.
    pub number: u64,
    /// How it begins.
    pub start: Start,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub end: EndReason,
    /// The moves.
    pub moves: &'a [Move],
    /// Score of each move for the side that played it; `None` if unknown.
    pub scores: &'a [Option<Score>],
}

impl StoredGame<'_> {
    /// Calls `show` for every position with the move played and its score, and returns the last
    /// position: the fast way through many games.
    ///
    /// # Errors
    /// When the first position is invalid, or a move illegal. Earlier positions have been shown
    /// then.
    pub fn replay(&self, mut show: impl FnMut(&Position, Move, Option<Score>)) -> Result<Position, Fault> {
        let mut position = self.start.position()?;
        for (at, (&mv, &score)) in self.moves.iter().zip(self.scores).enumerate() {
            if let Some(reason) = IllegalReason::of(&position, mv) {
                return Err(Fault::Illegal { number: at + 1, text: mv.to_string(), reason });
            }
            show(&position, mv, score);
            position.play(mv);
        }
        Ok(position)
    }

    /// The game as returned by every reader. Its number becomes its event.
    ///
    /// # Errors
    /// When the first position is invalid, or a move illegal.
    pub fn game(&self) -> Result<Game, Fault> {
        let mut builder = Builder::new(self.start.position()?, 0);
        for (&mv, score) in self.moves.iter().zip(self.scores) {
            if let Some(reason) = IllegalReason::of(builder.position(), mv) {
                return Err(Fault::Illegal { number: builder.number(), text: mv.to_string(), reason });
            }
            let black = builder.position().side_to_move() == Color::Black;
            let score = score.map(|score| if black { score } else { -score });
            builder.push(mv, score);
        }
        builder.game().headers.event = Some(format!("game {}", self.number));
        let outcome = match self.result {
            GameResult::Draw => Outcome::Draw,
            result => result.winner().map_or(Outcome::Unknown, Outcome::Wins),
        };
        builder.end((self.end, outcome));
        Ok(builder.finish())
    }

    /// A hash of start and moves. Not to be stored: it may change between versions.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.start.hash(&mut hasher);
        self.moves.hash(&mut hasher);
        hasher.finish()
    }
}
