//! Entries that a format cannot hold.

use crate::{BookMove, BookPosition};

/// Entries that a format cannot hold.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Omitted {
    /// Positions.
    pub positions: usize,
    /// Their moves.
    pub moves: usize,
}

impl Omitted {
    /// Counts a position that cannot be written.
    pub fn add(&mut self, position: &BookPosition) {
        self.positions += 1;
        self.moves += position.moves.len();
    }

    /// The moves of a position that YaneuraOu plays as intended; the others are counted.
    ///
    /// By default it ignores counts, so that it would play excluded moves (weight 0). An unknown
    /// score is 0 to it, which among known scores would be one of them.
    pub(super) fn keep_moves<'a>(&mut self, position: &'a BookPosition) -> Vec<&'a BookMove> {
        let mut moves: Vec<&BookMove> = position.moves.iter().filter(|entry| entry.weight > 0).collect();
        if moves.iter().any(|entry| entry.score.is_some()) {
            moves.retain(|entry| entry.score.is_some());
        }
        self.moves += position.moves.len() - moves.len();
        self.positions += usize::from(moves.is_empty());
        moves
    }
}
