//! Book moves and positions, in any format.

use sabi_shogi::{Move, Position, Score};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A book move. Unknown values are `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move. A candidate only: legality is checked before it is played.
    pub mv: Move,
    /// Weight relative to the other moves of the position; 0 if it is not to be played.
    pub weight: u32,
    /// Number of games with the move.
    pub games: Option<u32>,
    /// Score of these games for the side that played it, in 1/10000: win 1, draw 1/2.
    pub win_rate: Option<u16>,
    /// Score for the side that plays it, in centipawns.
    pub score: Option<Score>,
    /// Depth of the search for the score.
    pub depth: Option<u16>,
    /// The expected answer.
    pub answer: Option<Move>,
    /// Opening name.
    pub name: Option<Arc<str>>,
}

impl BookMove {
    /// A move with only a weight.
    pub fn new(mv: Move, weight: u32) -> Self {
        Self { mv, weight, games: None, win_rate: None, score: None, depth: None, answer: None, name: None }
    }
}

/// A win rate of 1.
pub const WIN_RATE_ONE: u16 = 10_000;

/// A position with its moves, largest weight first.
#[derive(Clone, Debug)]
pub struct BookPosition {
    /// The position; its ply is that of the line through which it was first reached.
    pub position: Position,
    /// Its moves, without duplicates.
    pub moves: Vec<BookMove>,
}

impl BookPosition {
    /// The SFEN without the move number, the sort key of text books.
    pub fn sfen_without_ply(&self) -> String {
        let mut sfen = self.position.sfen();
        sfen.truncate(sfen.rfind(' ').unwrap_or(sfen.len()));
        sfen
    }
}

/// A book in memory: positions by [`book_key`](super::book_key).
pub type BookMap = BTreeMap<u64, BookPosition>;
