//! Proofs of mates with quiet moves.
//!
//! The mate solver searches checks only. If the search finds a mate with a quiet move of the
//! attacker, the attacker's moves are in the best line and in the transposition table. They prove
//! the mate: an AND/OR search to its length, in which the attacker mates by checks or plays the
//! pv or tt move, and the defender every legal move.

use super::mate_probe::{MateProbe, MateStatus};
use super::worker::Worker;
use sabi_shogi::{Move, Position, legal_moves};
use std::collections::HashMap;

/// Proofs have a budget of their own, equal to that of the other probes, plus what these leave.
const SHARES: u64 = 2;
/// Share of the remaining budget for one proof.
const PART: u64 = 2;
/// Minimum nodes of a proof.
const MIN_NODES: u64 = 64;
/// Solver nodes for one position of a proof.
const CHECKS_NODES: u64 = 128;

/// A running proof.
pub(super) struct MateProof<'p, 'w, 's> {
    worker: &'p Worker<'w>,
    probe: &'p mut MateProbe<'s>,
    /// Moves of the best line by position key.
    line: HashMap<u64, Move>,
    /// Positions without a proof within this many plies.
    failed: HashMap<u64, usize>,
    /// The proof stops when all probes together have spent this many nodes.
    end: u64,
}

impl<'p, 'w, 's> MateProof<'p, 'w, 's> {
    pub(super) fn new(worker: &'p Worker<'w>, probe: &'p mut MateProbe<'s>) -> Self {
        let mut position = worker.position.clone();
        let mut line = HashMap::new();
        for &mv in &worker.root_moves[0].line.pv {
            line.insert(position.key(), mv);
            position.play(mv);
        }
        let end = probe.spent + worker.budget(probe, SHARES) / PART;
        Self { worker, probe, line, failed: HashMap::new(), end }
    }

    /// The mate of the side to move within `plies`, beginning with the pv or tt move.
    pub(super) fn mate(&mut self, position: &Position, plies: usize) -> Option<Vec<Move>> {
        let last = self.worker.shared.settings.last_mate(position);
        let is_worthwhile = self.end >= self.probe.spent + MIN_NODES && plies.min(last) > 0;
        if is_worthwhile { self.pv_or_tt_move(&mut position.clone(), plies.min(last)) } else { None }
    }

    /// The mate of the side to move within `plies`. A repetition does not count.
    fn attack(&mut self, position: &mut Position, plies: usize) -> Option<Vec<Move>> {
        let key = position.key();
        let no_mate = plies == 0 || self.failed.get(&key).is_some_and(|&failed| plies <= failed);
        if no_mate || self.is_over() || position.repetition_in_search(usize::MAX).is_some() {
            return None;
        }
        let nodes = CHECKS_NODES.min(self.end.saturating_sub(self.probe.spent));
        let by_checks = self.worker.mate_within(self.probe, position, nodes).filter(|mate| mate.len() <= plies);
        let mate = by_checks.or_else(|| self.pv_or_tt_move(position, plies));
        match &mate {
            Some(mate) => drop(self.probe.results.insert(key, MateStatus::Mate(mate.clone()))),
            None => drop(self.failed.insert(key, plies)),
        }
        mate
    }

    /// The mate that begins with the move of the best line or the tt move.
    fn pv_or_tt_move(&mut self, position: &mut Position, plies: usize) -> Option<Vec<Move>> {
        let key = position.key();
        let of_table = || self.worker.shared.table.probe(key).and_then(|entry| entry.mv);
        let mv = self.line.get(&key).copied().or_else(of_table).filter(|&mv| position.is_legal(mv))?;
        position.play(mv);
        let rest = self.defend(position, plies - 1);
        position.undo();
        Some([&[mv], &rest?[..]].concat())
    }

    /// The longest line to a mate of the side to move within `plies`, if every move loses.
    fn defend(&mut self, position: &mut Position, plies: usize) -> Option<Vec<Move>> {
        let rule = self.worker.shared.settings.entering_king;
        if position.repetition_in_search(usize::MAX).is_some() || position.declaration(rule).is_some() {
            return None;
        }
        let mut longest = Vec::new();
        for &mv in &legal_moves(position) {
            if plies == 0 {
                return None;
            }
            self.probe.spent += 1;
            position.play(mv);
            let mate = self.attack(position, plies - 1);
            position.undo();
            let mate = mate?;
            if mate.len() >= longest.len() {
                longest = [&[mv], &mate[..]].concat();
            }
        }
        Some(longest)
    }

    fn is_over(&self) -> bool {
        self.probe.spent >= self.end || self.worker.ends_probes()
    }
}
