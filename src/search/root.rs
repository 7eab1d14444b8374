//! The moves at the root and what is known of them.

use super::settings::Settings;
use crate::movegen::{self, MoveList};
use crate::position::Position;
use crate::types::{Bound, Move, Score};

/// A move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    /// The best line that begins with it; never empty.
    pub pv: Vec<Move>,
    /// Its score in the present iteration; minus infinity when it was not better than others.
    pub score: Score,
    /// Its score in the last iteration.
    pub previous: Score,
    /// What the score promises.
    pub bound: Bound,
    /// The depth that gave the score.
    pub depth: i32,
    /// Plies of its longest line.
    pub seldepth: usize,
    /// Nodes spent on it.
    pub nodes: u64,
    /// Whether its score is a mate that the solver has proved.
    pub proved: bool,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        Self {
            pv: vec![mv],
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            bound: Bound::Exact,
            depth: 0,
            seldepth: 0,
            nodes: 0,
            proved: false,
        }
    }

    /// Its score in this iteration, or else in the last one; `None` before it was searched.
    pub(super) fn last_score(&self) -> Option<Score> {
        [self.score, self.previous].into_iter().find(|&score| score != -Score::INFINITE)
    }

    /// Takes over a line that was proved to end in mate: by whoever moves last.
    pub(super) fn prove(&mut self, line: Vec<Move>) {
        let plies = line.len();
        let score = if plies.is_multiple_of(2) { Score::mated_in(plies) } else { Score::mate_in(plies) };
        (self.depth, self.seldepth) = (line.len() as i32, line.len());
        (self.pv, self.score, self.bound, self.proved) = (line, score, Bound::Exact, true);
    }

    /// The move.
    pub(super) fn mv(&self) -> Move {
        self.pv[0]
    }
}

/// The moves to consider: those asked for, even where the generator would think them pointless, or all.
pub(super) fn root_moves(position: &Position, settings: &Settings, wanted: &[Move]) -> Vec<RootMove> {
    if wanted.is_empty() {
        let mut list = MoveList::new();
        movegen::moves(position, settings.promotions, &mut list);
        list.iter().copied().map(RootMove::new).collect()
    } else {
        wanted.iter().copied().filter(|&mv| position.is_legal(mv)).map(RootMove::new).collect()
    }
}

/// Brings the best moves to the front, and keeps the order of equals.
pub(super) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| std::cmp::Reverse((root.score, root.previous)));
}
