//! Mate probes: the df-pn solver during a search.
//!
//! The main thread probes the root first, and the positions of the best line after each iteration,
//! within a share of the search's nodes. A mate at the root is played at once. Mates elsewhere are
//! stored in the table, and a best move that allows one is demoted. If all moves lose, the one with
//! the longest mate is played. Mates with quiet moves are proved from the table ([`MateProof`]).

use super::root_move::{self, Line, RootMove};
use super::worker::Worker;
use crate::mate::solver::{Mate, MateProgress, MateQuestion, MateResult, MateSolver};
use crate::table::{Entry, Source};
use sabi_shogi::{Bound, Move, Position, Score, legal_moves};
use std::collections::HashMap;

/// Solver memory, in MB.
pub(super) const MEGABYTES: usize = 16;
/// Node budget of the solver: free nodes, their maximum per millisecond of the optimum time, and
/// the share of the search's nodes added to them.
const FREE_NODES: u64 = 2_000;
const FREE_NODES_PER_MS: u64 = 8;
const NODE_SHARE: u64 = 24;
/// Share of the remaining budget for one probe: at the root and after the best move, and at later
/// positions.
const ROOT_PART: u64 = 2;
const LATER_PART: u64 = 8;
/// Minimum nodes of a probe.
const MIN_NODES: u64 = 16;
/// Fixed cost of a probe, in nodes.
const PROBE_COST: u64 = 8;
/// Number of best moves refuted before searching again: the next in order is seldom the best of the
/// rest.
const MAX_REFUTATIONS: usize = 2;
/// Maximum plies of the best line to probe.
const LINE_PLIES: usize = 8;

/// Proofs have a budget of their own, equal to that of the other probes, plus what these leave.
const PROOF_SHARES: u64 = 2;
/// Share of the remaining budget for one proof.
const PROOF_PART: u64 = 2;
/// Minimum nodes of a proof.
const MIN_PROOF_NODES: u64 = 64;
/// Solver nodes for one position of a proof.
const CHECKS_NODES: u64 = 128;

/// The solver and its results during one search.
pub(super) struct MateProbe<'a> {
    solver: &'a mut MateSolver,
    /// Results by position key.
    results: HashMap<u64, MateStatus>,
    /// The last proved mate with quiet moves of the side to move at the root.
    win: Option<Vec<Move>>,
    /// Nodes spent on all probes.
    spent: u64,
}

/// Result of a position for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
enum MateStatus {
    /// No result within this many nodes.
    Unknown(u64),
    /// A mate, with its line.
    Mate(Vec<Move>),
    /// No mate by checks alone.
    NoMate,
}

/// Effect of a probe on the search.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum MateProbeResult {
    #[default]
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

    /// Probes the root before the first iteration; a mate becomes the best line.
    pub(super) fn root(&mut self, worker: &mut Worker<'_>) -> MateProbeResult {
        let root = worker.position.clone();
        let Some(line) = self.probe(worker, &root, ROOT_PART) else { return MateProbeResult::None };
        let plies = line.len() as i32;
        if !set_best_line(worker, line) {
            return MateProbeResult::None;
        }
        worker.completed_depth = worker.completed_depth.max(plies);
        if worker.shared.settings.multi_pv == 1 { MateProbeResult::Mate } else { MateProbeResult::None }
    }

    /// Probes the root and the best line after an iteration.
    pub(super) fn best_line(&mut self, worker: &mut Worker<'_>) -> MateProbeResult {
        if self.root(worker) == MateProbeResult::Mate {
            return MateProbeResult::Mate;
        }
        match worker.root_moves.first().map(|root| root.line.score) {
            Some(score) if score.is_mate_loss() => self.prove_loss(worker),
            Some(score) if score.is_mate_win() => self.prove_win(worker),
            Some(_) => self.probe_line(worker),
            None => MateProbeResult::None,
        }
    }

    /// Gives lines known to allow a mate the score of that mate.
    pub(super) fn demote_refuted(&self, worker: &mut Worker<'_>, lines: usize) {
        let root = worker.root_position;
        root_move::demote_refuted(&mut worker.root_moves[..lines], |mv| self.mate_of(&root.after(mv)));
    }

    /// Proves a mate with quiet moves found by the search. A mate longer than the search depth does
    /// not end the search: there may be a shorter one.
    fn prove_win(&mut self, worker: &mut Worker<'_>) -> MateProbeResult {
        let best = &worker.root_moves[0].line;
        let Some(plies) = best.score.mate_plies().filter(|_| !best.proved) else { return MateProbeResult::None };
        let of_last_iteration = self.win.take().filter(|line| line.len() <= plies as usize);
        self.win = of_last_iteration.or_else(|| MateProof::new(worker, self).mate(&worker.position, plies as usize));
        let Some(line) = self.win.clone() else { return MateProbeResult::None };
        let is_short = line.len() <= worker.root_depth as usize;
        if !set_best_line(worker, line) {
            return MateProbeResult::None;
        }
        worker.root_moves[0].line.depth = worker.root_depth;
        if is_short && worker.shared.settings.multi_pv == 1 { MateProbeResult::Mate } else { MateProbeResult::None }
    }

    /// Demotes best moves that allow a mate, then probes the best line ply by ply up to the first
    /// mate.
    fn probe_line(&mut self, worker: &mut Worker<'_>) -> MateProbeResult {
        let mut proved = MateProbeResult::None;
        // With multi-PV, storing the mate in the table is enough: all lines are searched again.
        let alternatives = if worker.shared.settings.multi_pv == 1 { worker.root_moves.len() } else { 0 };
        for _ in 1..alternatives.min(1 + MAX_REFUTATIONS) {
            if !self.refutes_best(worker) {
                break;
            }
            proved = MateProbeResult::Refutation;
        }
        let mut position = worker.position.clone();
        for &mv in worker.root_moves[0].line.pv.iter().take(LINE_PLIES) {
            position.play(mv);
            if self.probe(worker, &position, LATER_PART).is_some() {
                break;
            }
        }
        proved
    }

    /// Whether the best move allows a mate; if so it is demoted.
    fn refutes_best(&mut self, worker: &mut Worker<'_>) -> bool {
        let (mv, old_score) = (worker.root_moves[0].mv, worker.root_moves[0].line.score);
        let Some(line) = self.opponent_mate(worker, mv) else { return false };
        worker.root_moves[0].set_proved_mate(line);
        worker.root_moves.rotate_left(1);
        let RootMove { mv, line: next, .. } = &mut worker.root_moves[0];
        if next.score == -Score::INFINITE {
            // Its score is only an upper bound.
            (next.score, next.bound, next.depth) = (old_score, Bound::Upper, worker.root_depth);
        }
        if next.pv.is_empty() {
            next.pv.push(*mv);
        }
        true
    }

    /// Whether every move allows a mate; the longest becomes the best line. A move that the search
    /// does not generate may hold: not promoting can avoid mate by a dropped pawn.
    fn prove_loss(&mut self, worker: &mut Worker<'_>) -> MateProbeResult {
        let plies = worker.root_moves[0].line.score.mate_plies().map_or(0, |plies| plies.unsigned_abs() as usize - 1);
        let mut moves: Vec<Move> = worker.root_moves.iter().map(|root| root.mv).collect();
        if worker.shared.limits.search_moves.is_empty() {
            let legal = legal_moves(&worker.position);
            moves.extend(legal.iter().filter(|&mv| worker.root_moves.iter().all(|root| root.mv != *mv)));
        }
        let mut lines = Vec::new();
        for &mv in &moves {
            let line = self.opponent_mate(worker, mv).or_else(|| {
                let position = worker.position.after(mv);
                let mate = MateProof::new(worker, self).mate(&position, plies)?;
                let line = [&[mv], &mate[..]].concat();
                self.results.insert(position.key(), MateStatus::Mate(mate));
                Some(line)
            });
            match line {
                Some(line) => lines.push(line),
                None if lines.len() < worker.root_moves.len() => return MateProbeResult::None,
                None => {
                    // An omitted move may be better than all that allow a mate: search it.
                    let mut root = RootMove::new(mv);
                    let Line { score, depth, .. } = worker.root_moves[0].line;
                    root.line = Line { pv: vec![mv], score, bound: Bound::Upper, depth, ..root.line };
                    worker.root_moves.insert(0, root);
                    return MateProbeResult::Refutation;
                }
            }
        }
        worker.root_moves.extend(moves.drain(worker.root_moves.len()..).map(RootMove::new));
        worker.root_moves.iter_mut().zip(lines).for_each(|(root, line)| root.set_proved_mate(line));
        root_move::sort(&mut worker.root_moves);
        MateProbeResult::None
    }

    /// The line from a root move to the opponent's mate.
    fn opponent_mate(&mut self, worker: &Worker<'_>, mv: Move) -> Option<Vec<Move>> {
        let mate = self.probe(worker, &worker.position.after(mv), ROOT_PART)?;
        Some([&[mv], &mate[..]].concat())
    }

    /// The mate of the side to move, known or found within a part of the node budget. It is stored
    /// in the table.
    fn probe(&mut self, worker: &Worker<'_>, position: &Position, part: u64) -> Option<Vec<Move>> {
        let is_known = self.mate_of(position).is_some();
        let mate = self.mate_within(worker, position, self.budget(worker, 1) / part)?;
        if !is_known {
            worker.shared.table.store(position.key(), &mate_entry(&mate), &mut ());
        }
        Some(mate)
    }

    /// Remaining budget of `shares` times the node budget.
    fn budget(&self, worker: &Worker<'_>, shares: u64) -> u64 {
        let nodes = worker.shared.counters[worker.index].get();
        (shares * node_budget(nodes, worker.shared.limits.nodes, worker.time.optimum())).saturating_sub(self.spent)
    }

    /// The mate of the side to move, known or found by the solver within `budget` nodes.
    fn mate_within(&mut self, worker: &Worker<'_>, position: &Position, budget: u64) -> Option<Vec<Move>> {
        let key = position.key();
        let mut known = self.results.remove(&key).unwrap_or(MateStatus::Unknown(0));
        if let MateStatus::Unknown(tried) = known {
            known = self.solve(worker, position, budget, tried);
        }
        let mate = if let MateStatus::Mate(line) = &known { Some(line.clone()) } else { None };
        self.results.insert(key, known);
        mate
    }

    /// Runs the solver, if the budget allows twice the nodes of the last failed attempt.
    fn solve(&mut self, worker: &Worker<'_>, position: &Position, budget: u64, tried: u64) -> MateStatus {
        if budget < MIN_NODES.max(2 * tried) || worker.is_halted() {
            return MateStatus::Unknown(tried);
        }
        let question = MateQuestion { nodes: Some(budget), plies: None, shortest: true, as_problem: false };
        // Verifying the longest defence has no node limit of its own.
        let mut go_on = |progress: &MateProgress<'_>| !worker.ends_probes() && progress.nodes < 2 * budget;
        let (result, nodes) = self.solver.solve(position, &question, &mut go_on);
        self.spent += nodes + PROBE_COST;
        status_of(result, budget, |mate| worker.shared.settings.is_in_time(position, mate))
    }
}

impl Worker<'_> {
    /// Whether probes must end: for a ponder hit too, which starts a clock.
    pub(super) fn ends_probes(&self) -> bool {
        let signals = self.shared.signals;
        self.is_halted()
            || signals.is_stopped()
            || self.time.is_over()
            || self.time.is_pondering() && signals.received_ponder_hit().is_some()
    }
}

/// Makes a proved mate the best line, unless `searchmoves` excludes its first move. That may be one
/// that the search does not generate: not promoting can avoid mate by a dropped pawn.
fn set_best_line(worker: &mut Worker<'_>, line: Vec<Move>) -> bool {
    let at = match worker.root_moves.iter().position(|root| root.mv == line[0]) {
        Some(at) => at,
        None if worker.shared.limits.search_moves.is_empty() => {
            worker.root_moves.push(RootMove::new(line[0]));
            worker.root_moves.len() - 1
        }
        None => return false,
    };
    worker.root_moves[..=at].rotate_right(1);
    worker.root_moves[0].set_proved_mate(line);
    true
}

/// The status of a position with this result of the solver within `budget` nodes.
fn status_of(result: MateResult, budget: u64, is_in_time: impl Fn(&Mate) -> bool) -> MateStatus {
    match result {
        MateResult::Mate(mate) if is_in_time(&mate) => MateStatus::Mate(mate.line),
        // A shorter mate may be in time.
        MateResult::Mate(mate) if !mate.shortest => MateStatus::Unknown(budget),
        MateResult::Mate(_) | MateResult::NoMate => MateStatus::NoMate,
        MateResult::Unknown => MateStatus::Unknown(budget),
    }
}

/// Node budget of all probes after `nodes` nodes of a search limited to `limit` nodes or expected
/// to take `optimum` milliseconds. A solver node takes about half the time of a search node.
fn node_budget(nodes: u64, limit: Option<u64>, optimum: Option<u64>) -> u64 {
    let free = || optimum.map_or(FREE_NODES, |ms| ms.saturating_mul(FREE_NODES_PER_MS).min(FREE_NODES));
    limit.map_or_else(|| free() + nodes / NODE_SHARE, |limit| limit / NODE_SHARE)
}

/// A mate as a table entry.
fn mate_entry(line: &[Move]) -> Entry {
    Entry {
        mv: line.first().copied(),
        score: Score::mate_in(line.len()),
        eval: None,
        depth: Entry::MAX_DEPTH,
        bound: Some(Bound::Exact),
        pv: true,
        source: Source::Main,
    }
}

/// A running proof of a mate with quiet moves.
///
/// The mate solver searches checks only. If the search finds a mate with a quiet move of the
/// attacker, the attacker's moves are in the best line and in the transposition table. They prove
/// the mate: an AND/OR search to its length, in which the attacker mates by checks or plays the
/// pv or tt move, and the defender every legal move.
struct MateProof<'p, 'w, 's> {
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
    fn new(worker: &'p Worker<'w>, probe: &'p mut MateProbe<'s>) -> Self {
        let mut position = worker.position.clone();
        let mut line = HashMap::new();
        for &mv in &worker.root_moves[0].line.pv {
            line.insert(position.key(), mv);
            position.play(mv);
        }
        let end = probe.spent + probe.budget(worker, PROOF_SHARES) / PROOF_PART;
        Self { worker, probe, line, failed: HashMap::new(), end }
    }

    /// The mate of the side to move within `plies`, beginning with the pv or tt move.
    fn mate(&mut self, position: &Position, plies: usize) -> Option<Vec<Move>> {
        let last = self.worker.shared.settings.last_mate(position);
        let is_worthwhile = self.end >= self.probe.spent + MIN_PROOF_NODES && plies.min(last) > 0;
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
        let by_checks = self.probe.mate_within(self.worker, position, nodes).filter(|mate| mate.len() <= plies);
        let mate = by_checks.or_else(|| self.pv_or_tt_move(position, plies));
        match &mate {
            Some(mate) => drop(self.probe.results.insert(key, MateStatus::Mate(mate.clone()))),
            None => drop(self.failed.insert(key, plies)),
        }
        mate
    }

    /// The mate that begins with the move of the best line or the tt move.
    fn pv_or_tt_move(&mut self, position: &mut Position, plies: usize) -> Option<Vec<Move>> {
        let of_line = self.line.get(&position.key()).copied().filter(|&mv| position.is_legal(mv));
        let mv = of_line.or_else(|| self.worker.shared.tt_move(position))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_mate_may_have_a_shorter_one() {
        let status = |shortest, in_time| {
            let mate = Mate { line: Vec::new(), plies: 5, shortest };
            status_of(MateResult::Mate(mate), 100, |_| in_time)
        };
        assert_eq!(status(false, false), MateStatus::Unknown(100));
        assert_eq!(status(true, false), MateStatus::NoMate);
        assert_eq!(status(false, true), MateStatus::Mate(Vec::new()));
    }

    #[test]
    fn mate_probes_stay_within_share() {
        // With 500 to 1,000 search nodes and twice as many solver nodes per millisecond: 3%.
        for ms in [10, 100, 1_000, 10_000] {
            for nodes in [500 * ms, 1_000 * ms] {
                assert!(node_budget(nodes, None, Some(ms)) * 100 <= 2 * 3 * nodes, "{nodes} in {ms} ms");
                assert!(node_budget(nodes, Some(nodes), None) * 100 <= 2 * 3 * nodes);
            }
        }
        assert!(node_budget(0, None, None) > MIN_NODES);
    }
}
