//! The mate solver of a search, and what it has found.

use crate::mate::solver::MateSolver;
use crate::position::Position;
use crate::types::Move;
use std::collections::HashMap;

/// Memory of the solver, in MB.
pub(super) const MEGABYTES: usize = 16;

/// The solver and its results, for one search.
pub(super) struct MateProbe<'a> {
    pub solver: &'a mut MateSolver,
    pub root: &'a Position,
    /// By the keys of the positions.
    pub known: HashMap<u64, Known>,
    /// The last proof of a mate with quiet moves by the side to move at the root.
    pub win: Option<Vec<Move>>,
    /// Nodes that all probes have cost.
    pub spent: u64,
}

/// Whether the side to move mates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing was found within this many nodes.
    Open(u64),
    /// It does, by this line.
    Mate(Vec<Move>),
    /// It does not, by checks alone.
    Never,
}

/// What a probe means for the search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Probe {
    /// Nothing that changes the course of the search.
    Nothing,
    /// The side to move mates, and that is all there is to know.
    Mate,
    /// The best move walks into a mate: another one is best now, and was not searched as such.
    Refutation,
}

impl<'a> MateProbe<'a> {
    pub(super) fn new(solver: &'a mut MateSolver, root: &'a Position) -> Self {
        Self { solver, root, known: HashMap::new(), win: None, spent: 0 }
    }

    /// A line from the root as far as the first position in which it goes on with a proved mate, and that mate.
    pub(super) fn completed(&self, pv: &[Move]) -> Vec<Move> {
        let mut position = self.root.clone();
        for at in 0..=pv.len() {
            let next = pv.get(at);
            if let Some(Known::Mate(mate)) = self.known.get(&position.key())
                && next.is_none_or(|mv| mate.first() == Some(mv))
            {
                return [&pv[..at], mate].concat();
            }
            next.into_iter().for_each(|&mv| position.play(mv));
        }
        pv.to_vec()
    }
}
