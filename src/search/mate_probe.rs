//! The mate solver of a search and its results.

use crate::mate::solver::MateSolver;
use sabi_shogi::{Move, Position};
use std::collections::HashMap;

/// Solver memory, in MB.
pub(super) const MEGABYTES: usize = 16;

/// The solver and its results during one search.
pub(super) struct MateProbe<'a> {
    pub solver: &'a mut MateSolver,
    /// Results by position key.
    pub results: HashMap<u64, MateStatus>,
    /// The last proved mate with quiet moves of the side to move at the root.
    pub win: Option<Vec<Move>>,
    /// Nodes spent on all probes.
    pub spent: u64,
}

/// Result of a position for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MateStatus {
    /// No result within this many nodes.
    Unknown(u64),
    /// A mate, with its line.
    Mate(Vec<Move>),
    /// No mate by checks alone.
    NoMate,
}

/// Effect of a probe on the search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum MateProbeResult {
    /// None.
    None,
    /// The side to move mates: the search is over.
    Mate,
    /// The best move allows a mate: another move, not yet searched as best, took its place.
    Refutation,
}

impl<'a> MateProbe<'a> {
    pub(super) fn new(solver: &'a mut MateSolver) -> Self {
        Self { solver, results: HashMap::new(), win: None, spent: 0 }
    }

    /// The known mate of a position.
    pub(super) fn mate_of(&self, position: &Position) -> Option<&[Move]> {
        match self.results.get(&position.key()) {
            Some(MateStatus::Mate(line)) => Some(line),
            _ => None,
        }
    }

    /// `pv` from `root` up to the first position with a proved mate, followed by that mate.
    pub(super) fn with_mate(&self, root: &Position, pv: &[Move]) -> Vec<Move> {
        let mut position = root.clone();
        for at in 0..=pv.len() {
            let next = pv.get(at);
            if let Some(mate) = self.mate_of(&position)
                && next.is_none_or(|mv| mate.first() == Some(mv))
            {
                return [&pv[..at], mate].concat();
            }
            next.into_iter().for_each(|&mv| position.play(mv));
        }
        pv.to_vec()
    }
}
