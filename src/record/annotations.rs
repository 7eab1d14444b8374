//! Comments and branches of a game.

use crate::types::Move;

/// Comments and branches of a game, to be written with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Comment lines of the start, and of the position after each move; missing ones are empty.
    pub comments: Vec<Vec<String>>,
    /// Branches. Only KIF supports them.
    pub branches: Vec<Branch>,
}

/// A branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Number of moves of the game before it.
    pub after: usize,
    /// Its moves, legal there.
    pub moves: Vec<Move>,
    /// The comment lines of its first move.
    pub comment: Vec<String>,
}

impl Annotations {
    /// Comment lines of the position after this many moves.
    pub(super) fn comment(&self, moves: usize) -> &[String] {
        self.comments.get(moves).map_or(&[], Vec::as_slice)
    }
}
