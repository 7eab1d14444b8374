//! What is told about a game beside its moves.

use crate::types::Move;

/// Comments and branches of a game, to be written with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// The comment lines of the start, and of the position after each move; what is missing has
    /// none.
    pub comments: Vec<Vec<String>>,
    /// Lines that leave the game. Only KIF has a place for them.
    pub branches: Vec<Branch>,
}

/// A line that leaves the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// How many moves of the game stand before it.
    pub after: usize,
    /// Its moves, legal there.
    pub moves: Vec<Move>,
    /// The comment lines of its first move.
    pub comment: Vec<String>,
}

impl Remarks {
    /// The comment lines of the position after this number of moves.
    pub(super) fn comment(&self, moves: usize) -> &[String] {
        self.comments.get(moves).map_or(&[], Vec::as_slice)
    }
}
