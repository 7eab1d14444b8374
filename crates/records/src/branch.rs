//! A branch of a game.

use sabi_shogi::Move;

/// A branch, to be written with a game. Only KIF supports them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Number of moves of the game before it.
    pub after: usize,
    /// Its moves, legal there.
    pub moves: Vec<Move>,
    /// The comment lines of its first move.
    pub comment: Vec<String>,
}
