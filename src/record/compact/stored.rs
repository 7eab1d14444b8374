//! A game as it stands in a block.

use crate::position::{PackedSfen, PackedSfenError, Position, STARTPOS_SFEN};
use crate::record::builder::{Builder, Outcome};
use crate::record::error::Fault;
use crate::record::game::{EndReason, Game, GameResult};
use crate::record::illegal::IllegalReason;
use crate::record::packed::PackError;
use crate::types::{Color, Move, Score};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How a game begins.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// As an even game.
    Even,
    /// In a position.
    Packed {
        /// The position.
        position: PackedSfen,
        /// The number of the first move.
        ply: u32,
    },
}

impl Start {
    /// No game begins later.
    pub(super) const LAST_PLY: u32 = 1 << 20;

    /// That of a position.
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
    /// When the bytes are none.
    pub fn position(&self) -> Result<Position, PackedSfenError> {
        match self {
            Self::Even => Ok(Position::startpos()),
            Self::Packed { position, ply } => position.position(*ply),
        }
    }
}

/// A game as it stands in a block: neither its start nor its moves are checked against the rules.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct StoredGame<'a> {
    /// Its number; for games of self-play the seed.
    pub number: u64,
    /// How it begins.
    pub start: Start,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub end: EndReason,
    /// The moves.
    pub moves: &'a [Move],
    /// What each move was thought to be worth, from the view of the side that played it; `None` where that is not known.
    pub scores: &'a [Option<Score>],
}

impl StoredGame<'_> {
    /// Shows every position in which a move was played, with the move and its score, and gives the last position. This is the fast way
    /// through many games.
    ///
    /// # Errors
    /// When the first position is none, or a move is illegal. What was before it has been shown then.
    pub fn replay(&self, mut show: impl FnMut(&Position, Move, Option<Score>)) -> Result<Position, Fault> {
        let mut position = self.start.position()?;
        for (at, (&mv, &score)) in self.moves.iter().zip(self.scores).enumerate() {
            if !position.is_legal(mv) {
                return Err(illegal(&position, mv, at + 1));
            }
            show(&position, mv, score);
            position.play(mv);
        }
        Ok(position)
    }

    /// The game as every reader gives it. Its number becomes its event.
    ///
    /// # Errors
    /// When the first position is none, or a move is illegal.
    pub fn game(&self) -> Result<Game, Fault> {
        let mut builder = Builder::new(self.start.position()?, 0);
        for (&mv, score) in self.moves.iter().zip(self.scores) {
            if IllegalReason::of(builder.position(), mv).is_some() {
                return Err(illegal(builder.position(), mv, builder.number()));
            }
            let black = builder.position().side_to_move() == Color::Black;
            let score = score.map(|score| if black { score } else { -score });
            builder.push(mv, score);
        }
        builder.game().event = Some(format!("game {}", self.number));
        let outcome = match self.result {
            GameResult::Draw => Outcome::Draw,
            result => result.winner().map_or(Outcome::Unknown, Outcome::Wins),
        };
        builder.end((self.end, outcome));
        Ok(builder.finish())
    }

    /// The same for games with the same start and the same moves, and for hardly any others. Not to be kept: it may change with the
    /// program.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.start.hash(&mut hasher);
        self.moves.hash(&mut hasher);
        hasher.finish()
    }
}

fn illegal(position: &Position, mv: Move, number: usize) -> Fault {
    match IllegalReason::of(position, mv) {
        Some(reason) => Fault::Illegal { number, text: mv.to_string(), reason },
        None => Fault::NotAMove(mv.to_string()),
    }
}
