//! What a book knows of a position, whatever file it came from.

use crate::position::Position;
use crate::types::{Move, Score};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A move of a book. What a source does not tell is `None`, never a number that means "unknown".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move. A candidate only: it is checked against the position before it is played.
    pub mv: Move,
    /// How often to choose it, in proportion to the other moves of the position.
    pub weight: u32,
    /// Games in which it was played.
    pub games: Option<u32>,
    /// What it scored in them for the side that played it, in 1/10000: a win counts 1, a draw half.
    pub win_rate: Option<u16>,
    /// Its score from the view of the side that plays it, in centipawns.
    pub score: Option<Score>,
    /// Plies searched for the score.
    pub depth: Option<u16>,
    /// The expected answer.
    pub answer: Option<Move>,
    /// The opening it belongs to, as the source names it.
    pub name: Option<Arc<str>>,
}

impl BookMove {
    /// A move of which only the weight is known.
    pub fn new(mv: Move, weight: u32) -> Self {
        Self { mv, weight, games: None, win_rate: None, score: None, depth: None, answer: None, name: None }
    }
}

/// What 1 is in a win rate.
pub const WIN_RATE_ONE: u16 = 10_000;

/// A position of a book with its moves, the weightiest first.
#[derive(Clone, Debug)]
pub struct BookPosition {
    /// The position; its number of plies is that of the line through which it was first reached.
    pub position: Position,
    /// Its moves: each only once.
    pub moves: Vec<BookMove>,
}

impl BookPosition {
    /// The SFEN without the number of the move, by which books for people are sorted.
    pub fn bare_sfen(&self) -> String {
        let mut sfen = self.position.sfen();
        sfen.truncate(sfen.rfind(' ').unwrap_or(sfen.len()));
        sfen
    }
}

/// A book in memory, to be built, merged, changed and written: positions by [`book_key`](super::book_key).
pub type BookMap = BTreeMap<u64, BookPosition>;
