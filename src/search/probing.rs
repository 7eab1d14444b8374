//! Mate probes: mates in play that are proved, not only seen.
//!
//! Within a share of its nodes the first thread has the mate solver look at the root, and after each iteration at the positions of
//! the best line. A mate at the root is played at once. What is found elsewhere goes to the table, and a best move that walks
//! into a mate loses its place. When all is lost, every move is looked at: then the one that holds out longest is played. A mate
//! with quiet moves is proved by what the table knows of it (`mate_proof`).

use super::mate_probe::{Known, MateProbe, Probe};
use super::mate_proof::MateProof;
use super::root_move::{self, RootMove};
use super::worker::Worker;
use crate::mate::solver::{MateProgress, MateQuestion, MateResult};
use crate::position::Position;
use crate::table::{Entry, Source};
use crate::types::{Bound, MAX_PLY, Move, Score};

/// Nodes of the solver, which are no nodes of the search: how many are free where nothing says how long the search will be, how
/// many for each millisecond that it will take, and the share of the search's nodes that come on top.
const FREE_NODES: u64 = 2_000;
const FREE_NODES_PER_MS: u64 = 8;
const MOST_FREE_NODES: u64 = 2_000;
const NODE_SHARE: u64 = 24;
/// What one probe may take of the nodes that are left: of the root and of the answer to the best move, and of later positions.
const DECIDING_PART: u64 = 2;
const LATER_PART: u64 = 8;
/// A probe is not worth fewer nodes.
const LEAST_NODES: u64 = 16;
/// What a probe costs besides its nodes, in nodes.
const PROBE_COST: u64 = 8;
/// How many best moves are refuted before the search looks for another one: the next in order is seldom the best of the rest.
const REFUTED_AT_ONCE: usize = 2;
/// How far the best line is followed.
const LINE_PLIES: usize = 8;

impl Worker<'_> {
    /// Probes the root.
    pub(super) fn probe_root(&mut self) -> Probe {
        self.with_probe(Self::mate_at_root).unwrap_or(Probe::Nothing)
    }

    /// Probes the root and the best line after an iteration.
    pub(super) fn probe_best_line(&mut self) -> Probe {
        if self.probe_root() == Probe::Mate {
            return Probe::Mate;
        }
        let proved = self.with_probe(|worker, probe| match worker.root_moves.first().map(|root| root.line.score) {
            Some(score) if score.is_loss() => worker.prove_loss(probe),
            Some(score) if score.is_win() => worker.prove_win(probe),
            Some(_) => worker.follow_line(probe),
            None => Probe::Nothing,
        });
        proved.unwrap_or(Probe::Nothing)
    }

    /// Lends the probe to something that needs the worker too.
    fn with_probe<R>(&mut self, work: impl FnOnce(&mut Self, &mut MateProbe<'_>) -> R) -> Option<R> {
        let mut probe = self.probe.take()?;
        let result = work(self, &mut probe);
        self.probe = Some(probe);
        Some(result)
    }

    /// Makes a proved mate of the side to move the best line.
    fn mate_at_root(&mut self, probe: &mut MateProbe<'_>) -> Probe {
        let root = self.position.clone();
        let Some(line) = self.mate_of(probe, &root, DECIDING_PART) else { return Probe::Nothing };
        let plies = line.len() as i32;
        if !self.lead_with(line) {
            return Probe::Nothing;
        }
        self.completed_depth = self.completed_depth.max(plies);
        if self.shared.settings.multi_pv == 1 { Probe::Mate } else { Probe::Nothing }
    }

    /// Makes a proved mate the best line, if its first move is one of those to consider.
    fn lead_with(&mut self, line: Vec<Move>) -> bool {
        let Some(at) = self.root_moves.iter().position(|root| root.mv == line[0]) else { return false };
        self.root_moves[..=at].rotate_right(1);
        self.root_moves[0].set_proved(line);
        true
    }

    /// Proves the mate that the search has found, where checks alone do not. One that is longer than the search is deep does not end
    /// the search: there may be a shorter one.
    fn prove_win(&mut self, probe: &mut MateProbe<'_>) -> Probe {
        let best = &self.root_moves[0].line;
        let Some(plies) = best.score.mate_plies().filter(|_| !best.proved) else { return Probe::Nothing };
        let of_last_iteration = probe.win.take().filter(|line| line.len() <= plies as usize);
        probe.win = of_last_iteration.or_else(|| MateProof::new(self, probe).mate(&self.position, plies as usize));
        let Some(line) = probe.win.clone() else { return Probe::Nothing };
        let is_short = line.len() <= self.root_depth as usize;
        if !self.lead_with(line) {
            return Probe::Nothing;
        }
        self.root_moves[0].line.depth = self.root_depth;
        if is_short && self.shared.settings.multi_pv == 1 { Probe::Mate } else { Probe::Nothing }
    }

    /// Puts best moves back that walk into a mate, then probes the best line, ply by ply, until one side mates.
    fn follow_line(&mut self, probe: &mut MateProbe<'_>) -> Probe {
        let mut proved = Probe::Nothing;
        // Where several lines are wanted, what the table is told is enough: all are searched again.
        let alternatives = if self.shared.settings.multi_pv == 1 { self.root_moves.len() } else { 0 };
        for _ in 1..alternatives.min(1 + REFUTED_AT_ONCE) {
            if !self.refutes_best(probe) {
                break;
            }
            proved = Probe::Refutation;
        }
        let line: Vec<Move> = self.root_moves[0].line.pv.iter().copied().take(LINE_PLIES).collect();
        let mut position = self.position.clone();
        for mv in line {
            position.play(mv);
            if self.mate_of(probe, &position, LATER_PART).is_some() {
                break;
            }
        }
        proved
    }

    /// Whether the best move walks into a mate: then it becomes the last of all.
    fn refutes_best(&mut self, probe: &mut MateProbe<'_>) -> bool {
        let (mv, seemed) = (self.root_moves[0].mv, self.root_moves[0].line.score);
        let Some(line) = self.loses_by(probe, mv) else { return false };
        self.root_moves[0].set_proved(line);
        self.root_moves.rotate_left(1);
        let RootMove { mv, line: next, .. } = &mut self.root_moves[0];
        if next.score == -Score::INFINITE {
            // All that is known of it is that it seemed no better.
            (next.score, next.bound, next.depth) = (seemed, Bound::Upper, self.root_depth);
        }
        if next.pv.is_empty() {
            next.pv.push(*mv);
        }
        true
    }

    /// Whether the opponent mates after every move: then the longest of these mates is the best line.
    fn prove_loss(&mut self, probe: &mut MateProbe<'_>) -> Probe {
        let plies = self.root_moves[0].line.score.mate_plies().map_or(0, |plies| plies.unsigned_abs() as usize - 1);
        let mut lines = Vec::new();
        for at in 0..self.root_moves.len() {
            let mv = self.root_moves[at].mv;
            let line = self.loses_by(probe, mv).or_else(|| {
                let mut position = self.position.clone();
                position.play(mv);
                let mate = MateProof::new(self, probe).mate(&position, plies)?;
                let line = [&[mv], &mate[..]].concat();
                probe.known.insert(position.key(), Known::Mate(mate));
                Some(line)
            });
            let Some(line) = line else { return Probe::Nothing };
            lines.push(line);
        }
        self.root_moves.iter_mut().zip(lines).for_each(|(root, line)| root.set_proved(line));
        root_move::sort(&mut self.root_moves);
        Probe::Nothing
    }

    /// The line from a root move to the mate that the opponent then has.
    fn loses_by(&mut self, probe: &mut MateProbe<'_>, mv: Move) -> Option<Vec<Move>> {
        let mut position = self.position.clone();
        position.play(mv);
        let mate = self.mate_of(probe, &position, DECIDING_PART)?;
        Some(std::iter::once(mv).chain(mate).collect())
    }

    /// The mate of the side to move in a position, if one is known or found with the nodes that may be spent on it now. It is
    /// stored in the table.
    fn mate_of(&mut self, probe: &mut MateProbe<'_>, position: &Position, resource: u64) -> Option<Vec<Move>> {
        let is_known = matches!(probe.known.get(&position.key()), Some(Known::Mate(_)));
        let mate = self.mate_within(probe, position, self.budget(probe, 1) / resource)?;
        if !is_known {
            self.shared.table.store(position.key(), &mate_entry(&mate));
        }
        Some(mate)
    }

    /// Nodes that may be spent now by what shares so many times the allowance.
    pub(super) fn budget(&self, probe: &MateProbe<'_>, shares: u64) -> u64 {
        let nodes = self.shared.counters[self.index].get();
        (shares * allowance(nodes, self.shared.limits.nodes, self.clock.optimum())).saturating_sub(probe.spent)
    }

    /// Plies of the longest mate that counts: one after the last move of the game is none, and a score knows none that is so long.
    pub(super) fn last_mate(&self, position: &Position) -> usize {
        let last = self.shared.settings.max_moves;
        last.map_or(MAX_PLY, |last| (last + 1).saturating_sub(position.ply()) as usize).min(MAX_PLY - 2)
    }

    /// The mate of the side to move in a position, if one is known or found by the solver within `budget` nodes.
    pub(super) fn mate_within(&self, probe: &mut MateProbe<'_>, position: &Position, budget: u64) -> Option<Vec<Move>> {
        let key = position.key();
        let mut known = probe.known.remove(&key).unwrap_or(Known::Open(0));
        if let Known::Open(tried) = known {
            known = self.solve(probe, position, budget, tried);
        }
        let mate = if let Known::Mate(line) = &known { Some(line.clone()) } else { None };
        probe.known.insert(key, known);
        mate
    }

    /// Runs the solver, if twice the nodes may be spent in which nothing was found the last time.
    fn solve(&self, probe: &mut MateProbe<'_>, position: &Position, budget: u64, tried: u64) -> Known {
        if budget < LEAST_NODES.max(2 * tried) || self.is_halted() {
            return Known::Open(tried);
        }
        let question = MateQuestion { nodes: Some(budget), plies: None, shortest: true, as_problem: false };
        let (shared, clock) = (self.shared, &self.clock);
        let mut go_on = |_: &MateProgress<'_>| !(shared.signals.is_stopped() || clock.is_over());
        let (result, nodes) = probe.solver.solve(position, &question, &mut go_on);
        probe.spent += nodes + PROBE_COST;
        match result {
            MateResult::Mate(mate) if mate.line.len() <= self.last_mate(position) => Known::Mate(mate.line),
            MateResult::Mate(_) | MateResult::NoMate => Known::Never,
            MateResult::Unknown => Known::Open(budget),
        }
    }
}

/// Nodes that all probes together may cost after `nodes` nodes of a search that will take `limit` nodes or about `optimum`
/// milliseconds. A node of the solver takes about half the time of a node of the search.
fn allowance(nodes: u64, limit: Option<u64>, optimum: Option<u64>) -> u64 {
    match (limit, optimum) {
        (Some(limit), _) => limit / NODE_SHARE,
        (None, Some(ms)) => ms.saturating_mul(FREE_NODES_PER_MS).min(MOST_FREE_NODES) + nodes / NODE_SHARE,
        (None, None) => FREE_NODES + nodes / NODE_SHARE,
    }
}

/// A mate as the table keeps it.
fn mate_entry(line: &[Move]) -> Entry {
    Entry {
        mv: line.first().copied(),
        score: Score::mate_in(line.len()),
        eval: None,
        depth: Entry::MAX_DEPTH,
        bound: Some(Bound::Exact),
        pv: true,
        source: Source::Main,
        generation: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_cost_little_of_any_search() {
        // At 500 to 1,000 nodes a millisecond in the search, and twice as many in the solver: three in a hundred.
        for ms in [10, 100, 1_000, 10_000] {
            for nodes in [500 * ms, 1_000 * ms] {
                assert!(allowance(nodes, None, Some(ms)) * 100 <= 2 * 3 * nodes, "{nodes} in {ms} ms");
                assert!(allowance(nodes, Some(nodes), None) * 100 <= 2 * 3 * nodes);
            }
        }
        assert!(allowance(0, None, None) > LEAST_NODES);
    }
}
