//! Mate probes: the df-pn solver during a search.
//!
//! The main thread probes the root first, and the positions of the best line after each iteration,
//! within a share of the search's nodes. A mate at the root is played at once. Mates elsewhere are
//! stored in the table, and a best move that allows one is demoted. If all moves lose, the one with
//! the longest mate is played. Mates with quiet moves are proved from the table (`mate_proof`).

use super::mate_probe::{MateProbe, MateProbeResult, MateStatus};
use super::mate_proof::MateProof;
use super::root_move::{self, Line, RootMove};
use super::worker::Worker;
use crate::mate::solver::{Mate, MateProgress, MateQuestion, MateResult};
use crate::table::{Entry, Source};
use sabi_shogi::{Bound, Move, Position, Score, legal_moves};

/// Node budget of the solver: free nodes, their maximum per millisecond of the optimum time, and
/// the share of the search's nodes added to them.
const FREE_NODES: u64 = 2_000;
const FREE_NODES_PER_MS: u64 = 8;
const NODE_SHARE: u64 = 24;
/// Share of the remaining budget for one probe: at the root and after the best move, and at later
/// positions.
const ROOT_SHARE: u64 = 2;
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

impl Worker<'_> {
    /// Probes the root.
    pub(super) fn probe_root(&mut self) -> MateProbeResult {
        self.with_probe(Self::mate_at_root).unwrap_or(MateProbeResult::None)
    }

    /// Probes the root and the best line after an iteration.
    pub(super) fn probe_best_line(&mut self) -> MateProbeResult {
        if self.probe_root() == MateProbeResult::Mate {
            return MateProbeResult::Mate;
        }
        let proved = self.with_probe(|worker, probe| match worker.root_moves.first().map(|root| root.line.score) {
            Some(score) if score.is_mate_loss() => worker.prove_loss(probe),
            Some(score) if score.is_mate_win() => worker.prove_win(probe),
            Some(_) => worker.probe_line(probe),
            None => MateProbeResult::None,
        });
        proved.unwrap_or(MateProbeResult::None)
    }

    /// Calls `work` with the worker and its probe.
    fn with_probe<R>(&mut self, work: impl FnOnce(&mut Self, &mut MateProbe<'_>) -> R) -> Option<R> {
        let mut main = self.main.take()?;
        let result = work(self, &mut main.probe);
        self.main = Some(main);
        Some(result)
    }

    /// Probes the root; a mate becomes the best line.
    fn mate_at_root(&mut self, probe: &mut MateProbe<'_>) -> MateProbeResult {
        let root = self.position.clone();
        let Some(line) = self.probe_mate(probe, &root, ROOT_SHARE) else { return MateProbeResult::None };
        let plies = line.len() as i32;
        if !self.set_best_line(line) {
            return MateProbeResult::None;
        }
        self.completed_depth = self.completed_depth.max(plies);
        if self.shared.settings.multi_pv == 1 { MateProbeResult::Mate } else { MateProbeResult::None }
    }

    /// Makes a proved mate the best line, unless `searchmoves` excludes its first move. That may be
    /// one that the search does not generate: not promoting can avoid mate by a dropped pawn.
    fn set_best_line(&mut self, line: Vec<Move>) -> bool {
        let at = match self.root_moves.iter().position(|root| root.mv == line[0]) {
            Some(at) => at,
            None if self.shared.limits.search_moves.is_empty() => {
                self.root_moves.push(RootMove::new(line[0]));
                self.root_moves.len() - 1
            }
            None => return false,
        };
        self.root_moves[..=at].rotate_right(1);
        self.root_moves[0].set_proved_mate(line);
        true
    }

    /// Proves a mate with quiet moves found by the search. A mate longer than the search depth does
    /// not end the search: there may be a shorter one.
    fn prove_win(&mut self, probe: &mut MateProbe<'_>) -> MateProbeResult {
        let best = &self.root_moves[0].line;
        let Some(plies) = best.score.mate_plies().filter(|_| !best.proved) else { return MateProbeResult::None };
        let of_last_iteration = probe.win.take().filter(|line| line.len() <= plies as usize);
        probe.win = of_last_iteration.or_else(|| MateProof::new(self, probe).mate(&self.position, plies as usize));
        let Some(line) = probe.win.clone() else { return MateProbeResult::None };
        let is_short = line.len() <= self.root_depth as usize;
        if !self.set_best_line(line) {
            return MateProbeResult::None;
        }
        self.root_moves[0].line.depth = self.root_depth;
        if is_short && self.shared.settings.multi_pv == 1 { MateProbeResult::Mate } else { MateProbeResult::None }
    }

    /// Demotes best moves that allow a mate, then probes the best line ply by ply up to the first
    /// mate.
    fn probe_line(&mut self, probe: &mut MateProbe<'_>) -> MateProbeResult {
        let mut proved = MateProbeResult::None;
        // With multi-PV, storing the mate in the table is enough: all lines are searched again.
        let alternatives = if self.shared.settings.multi_pv == 1 { self.root_moves.len() } else { 0 };
        for _ in 1..alternatives.min(1 + MAX_REFUTATIONS) {
            if !self.refutes_best(probe) {
                break;
            }
            proved = MateProbeResult::Refutation;
        }
        let line: Vec<Move> = self.root_moves[0].line.pv.iter().copied().take(LINE_PLIES).collect();
        let mut position = self.position.clone();
        for mv in line {
            position.play(mv);
            if self.probe_mate(probe, &position, LATER_PART).is_some() {
                break;
            }
        }
        proved
    }

    /// Whether the best move allows a mate; if so it is demoted.
    fn refutes_best(&mut self, probe: &mut MateProbe<'_>) -> bool {
        let (mv, old_score) = (self.root_moves[0].mv, self.root_moves[0].line.score);
        let Some(line) = self.opponent_mate(probe, mv) else { return false };
        self.root_moves[0].set_proved_mate(line);
        self.root_moves.rotate_left(1);
        let RootMove { mv, line: next, .. } = &mut self.root_moves[0];
        if next.score == -Score::INFINITE {
            // Its score is only an upper bound.
            (next.score, next.bound, next.depth) = (old_score, Bound::Upper, self.root_depth);
        }
        if next.pv.is_empty() {
            next.pv.push(*mv);
        }
        true
    }

    /// Gives lines known to allow a mate the score of that mate.
    pub(super) fn demote_refuted(&mut self, lines: usize) {
        self.with_probe(|worker, probe| {
            let root = worker.root_position;
            root_move::demote_refuted(&mut worker.root_moves[..lines], |mv| probe.mate_of(&root.after(mv)));
        });
    }

    /// Whether a root move is known to allow a mate.
    pub(super) fn is_refuted(&self, mv: Move) -> bool {
        self.main.as_ref().is_some_and(|main| main.probe.mate_of(&self.root_position.after(mv)).is_some())
    }

    /// Whether every move allows a mate; the longest becomes the best line. A move that the search
    /// does not generate may hold: not promoting can avoid mate by a dropped pawn.
    fn prove_loss(&mut self, probe: &mut MateProbe<'_>) -> MateProbeResult {
        let plies = self.root_moves[0].line.score.mate_plies().map_or(0, |plies| plies.unsigned_abs() as usize - 1);
        let mut moves: Vec<Move> = self.root_moves.iter().map(|root| root.mv).collect();
        if self.shared.limits.search_moves.is_empty() {
            let legal = legal_moves(&self.position);
            moves.extend(legal.iter().filter(|&mv| self.root_moves.iter().all(|root| root.mv != *mv)));
        }
        let mut lines = Vec::new();
        for &mv in &moves {
            let line = self.opponent_mate(probe, mv).or_else(|| {
                let position = self.position.after(mv);
                let mate = MateProof::new(self, probe).mate(&position, plies)?;
                let line = [&[mv], &mate[..]].concat();
                probe.results.insert(position.key(), MateStatus::Mate(mate));
                Some(line)
            });
            match line {
                Some(line) => lines.push(line),
                None if lines.len() < self.root_moves.len() => return MateProbeResult::None,
                None => return self.try_omitted(mv),
            }
        }
        self.root_moves.extend(moves.drain(self.root_moves.len()..).map(RootMove::new));
        self.root_moves.iter_mut().zip(lines).for_each(|(root, line)| root.set_proved_mate(line));
        root_move::sort(&mut self.root_moves);
        MateProbeResult::None
    }

    /// Makes an omitted move the best one, to be searched, in place of moves that allow a mate.
    fn try_omitted(&mut self, mv: Move) -> MateProbeResult {
        let mut root = RootMove::new(mv);
        let Line { score, depth, .. } = self.root_moves[0].line;
        root.line = Line { pv: vec![mv], score, bound: Bound::Upper, depth, ..root.line };
        self.root_moves.insert(0, root);
        MateProbeResult::Refutation
    }

    /// The line from a root move to the opponent's mate.
    fn opponent_mate(&mut self, probe: &mut MateProbe<'_>, mv: Move) -> Option<Vec<Move>> {
        let position = self.position.after(mv);
        let mate = self.probe_mate(probe, &position, ROOT_SHARE)?;
        Some(std::iter::once(mv).chain(mate).collect())
    }

    /// The mate of the side to move, known or found within the node budget. It is stored in the
    /// table.
    fn probe_mate(&mut self, probe: &mut MateProbe<'_>, position: &Position, part: u64) -> Option<Vec<Move>> {
        let is_known = probe.mate_of(position).is_some();
        let mate = self.mate_within(probe, position, self.budget(probe, 1) / part)?;
        if !is_known {
            self.shared.table.store(position.key(), &mate_entry(&mate));
        }
        Some(mate)
    }

    /// Remaining budget of `shares` times the node budget.
    pub(super) fn budget(&self, probe: &MateProbe<'_>, shares: u64) -> u64 {
        let nodes = self.shared.counters[self.index].get();
        (shares * node_budget(nodes, self.shared.limits.nodes, self.time.optimum())).saturating_sub(probe.spent)
    }

    /// The mate of the side to move, known or found by the solver within `budget` nodes.
    pub(super) fn mate_within(&self, probe: &mut MateProbe<'_>, position: &Position, budget: u64) -> Option<Vec<Move>> {
        let key = position.key();
        let mut known = probe.results.remove(&key).unwrap_or(MateStatus::Unknown(0));
        if let MateStatus::Unknown(tried) = known {
            known = self.solve(probe, position, budget, tried);
        }
        let mate = if let MateStatus::Mate(line) = &known { Some(line.clone()) } else { None };
        probe.results.insert(key, known);
        mate
    }

    /// Whether probes must end: for a ponder hit too, which starts a clock.
    pub(super) fn ends_probes(&self) -> bool {
        let signals = self.shared.signals;
        self.is_halted()
            || signals.is_stopped()
            || self.time.is_over()
            || self.time.is_pondering() && signals.received_ponder_hit().is_some()
    }

    /// Runs the solver, if the budget allows twice the nodes of the last failed attempt.
    fn solve(&self, probe: &mut MateProbe<'_>, position: &Position, budget: u64, tried: u64) -> MateStatus {
        if budget < MIN_NODES.max(2 * tried) || self.is_halted() {
            return MateStatus::Unknown(tried);
        }
        let question = MateQuestion { nodes: Some(budget), plies: None, shortest: true, as_problem: false };
        // Verifying the longest defence has no node limit of its own.
        let mut go_on = |progress: &MateProgress<'_>| !self.ends_probes() && progress.nodes < 2 * budget;
        let (result, nodes) = probe.solver.solve(position, &question, &mut go_on);
        probe.spent += nodes + PROBE_COST;
        status_of(result, budget, |mate| self.shared.settings.is_in_time(position, mate))
    }
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
