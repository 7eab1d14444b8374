//! Mates in play that are proved, not only seen.
//!
//! The first thread asks the mate solver, within a share of its nodes, whether the side to move mates at the root, and after each
//! iteration whether somebody does on the best line. A mate of its own is played at once. What is found elsewhere is told to the
//! table, and a best move that walks into a mate loses its place. When all is lost, every move is asked about: then the one that
//! holds out longest is played.

use super::root;
use super::worker::Worker;
use crate::mate::solver::{MateProgress, MateQuestion, MateResult, MateSolver};
use crate::position::Position;
use crate::table::{Entry, Source};
use crate::types::{Bound, MAX_PLY, Move, Score};
use std::collections::HashMap;

/// Memory of the solver, in MB.
pub(super) const MEGABYTES: usize = 16;

/// Nodes of the solver, which are no nodes of the search: those that all questions together may cost at first, and the
/// share of the search's nodes that they may cost in the end.
const AT_FIRST: u64 = 2_000;
const SHARE: u64 = 32;
/// A question is not worth asking for fewer nodes.
const LEAST: u64 = 16;
/// So far the best line is followed.
const LINE_PLIES: usize = 8;

/// Asks and remembers the answers, for one search.
pub(super) struct Prover<'a> {
    solver: &'a mut MateSolver,
    /// By the keys of the positions.
    answers: HashMap<u64, Answer>,
    /// Nodes that all questions have cost.
    spent: u64,
}

/// Whether the side to move mates.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    /// Nothing was found in so many nodes.
    Open(u64),
    /// It does, by this line.
    Mate(Vec<Move>),
    /// It does not, by checks alone.
    Never,
}

/// What asking has shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Proved {
    /// Nothing that changes the course of the search.
    Nothing,
    /// The side to move mates, and that is all there is to know.
    Mate,
    /// The best move walks into a mate: another one is best now, and was not searched as such.
    Refutation,
}

impl<'a> Prover<'a> {
    pub(super) fn new(solver: &'a mut MateSolver) -> Self {
        Self { solver, answers: HashMap::new(), spent: 0 }
    }
}

impl Worker<'_> {
    /// Asks about the root.
    pub(super) fn prove_root(&mut self) -> Proved {
        let mates = self.with_prover(|worker, prover| worker.mates_at_root(prover));
        if mates == Some(true) && self.shared.settings.multi_pv == 1 { Proved::Mate } else { Proved::Nothing }
    }

    /// Asks about the root and the best line after an iteration.
    pub(super) fn prove(&mut self) -> Proved {
        if self.prove_root() == Proved::Mate {
            return Proved::Mate;
        }
        let proved = self.with_prover(|worker, prover| match worker.root_moves.first().map(|root| root.score) {
            Some(score) if score.is_loss() => worker.prove_loss(prover),
            Some(score) if !score.is_win() => worker.follow_line(prover),
            _ => Proved::Nothing,
        });
        proved.unwrap_or(Proved::Nothing)
    }

    /// Lends the prover to something that needs the worker too.
    fn with_prover<R>(&mut self, work: impl FnOnce(&mut Self, &mut Prover<'_>) -> R) -> Option<R> {
        let mut prover = self.prover.take()?;
        let result = work(self, &mut prover);
        self.prover = Some(prover);
        Some(result)
    }

    /// Whether the side to move mates by checks: then that becomes the best line.
    fn mates_at_root(&mut self, prover: &mut Prover<'_>) -> bool {
        let root = self.position.clone();
        let Some(line) = self.ask(prover, &root) else { return false };
        let Some(at) = self.root_moves.iter().position(|root| root.mv() == line[0]) else { return false };
        self.root_moves[..=at].rotate_right(1);
        self.completed_depth = self.completed_depth.max(line.len() as i32);
        self.root_moves[0].prove(line);
        true
    }

    /// Puts best moves back that walk into a mate, then asks on the best line, ply by ply, until somebody mates.
    fn follow_line(&mut self, prover: &mut Prover<'_>) -> Proved {
        let mut proved = Proved::Nothing;
        // Where several lines are wanted, what the table is told is enough: all are searched again.
        let alternatives = if self.shared.settings.multi_pv == 1 { self.root_moves.len() } else { 0 };
        for _ in 1..alternatives {
            if !self.refutes_best(prover) {
                break;
            }
            proved = Proved::Refutation;
        }
        let line: Vec<Move> = self.root_moves[0].pv.iter().copied().take(LINE_PLIES).collect();
        let mut position = self.position.clone();
        for mv in line {
            position.play(mv);
            if self.ask(prover, &position).is_some() {
                break;
            }
        }
        proved
    }

    /// Whether the best move walks into a mate: then it becomes the last of all.
    fn refutes_best(&mut self, prover: &mut Prover<'_>) -> bool {
        let (mv, seemed) = (self.root_moves[0].mv(), self.root_moves[0].score);
        let Some(line) = self.loses_by(prover, mv) else { return false };
        self.root_moves[0].prove(line);
        self.root_moves.rotate_left(1);
        let next = &mut self.root_moves[0];
        if next.score == -Score::INFINITE {
            // All that is known of it is that it seemed no better.
            (next.score, next.bound, next.depth) = (seemed, Bound::Upper, self.root_depth);
        }
        true
    }

    /// Whether the opponent mates after every move: then the longest of these mates is the best line.
    fn prove_loss(&mut self, prover: &mut Prover<'_>) -> Proved {
        let mut lines = Vec::new();
        for at in 0..self.root_moves.len() {
            let mv = self.root_moves[at].mv();
            let Some(line) = self.loses_by(prover, mv) else { return Proved::Nothing };
            lines.push(line);
        }
        self.root_moves.iter_mut().zip(lines).for_each(|(root, line)| root.prove(line));
        root::sort(&mut self.root_moves);
        Proved::Nothing
    }

    /// The line from a root move to the mate that the opponent then has.
    fn loses_by(&mut self, prover: &mut Prover<'_>, mv: Move) -> Option<Vec<Move>> {
        let mut position = self.position.clone();
        position.play(mv);
        let mate = self.ask(prover, &position)?;
        Some(std::iter::once(mv).chain(mate).collect())
    }

    /// The mate that the side to move has in a position, if that is known, or found for what may be spent on it now. The table
    /// is told of it.
    fn ask(&mut self, prover: &mut Prover<'_>, position: &Position) -> Option<Vec<Move>> {
        let key = position.key();
        let mut answer = prover.answers.remove(&key).unwrap_or(Answer::Open(0));
        if let Answer::Open(tried) = answer {
            answer = self.ask_anew(prover, position, tried);
            if let Answer::Mate(line) = &answer {
                self.shared.table.store(key, &mate_entry(line));
            }
        }
        let mate = if let Answer::Mate(line) = &answer { Some(line.clone()) } else { None };
        prover.answers.insert(key, answer);
        mate
    }

    /// Asks the solver, if more may be spent on it than the nodes in which nothing was found the last time.
    fn ask_anew(&mut self, prover: &mut Prover<'_>, position: &Position, tried: u64) -> Answer {
        let nodes = self.shared.counters[self.index].get();
        let limit = self.shared.limits.nodes.unwrap_or(u64::MAX);
        let allowed = (AT_FIRST + nodes / SHARE).min(limit / SHARE).saturating_sub(prover.spent);
        // Half is kept for the next question.
        let budget = allowed / 2;
        if budget < LEAST.max(2 * tried) || self.is_halted() {
            return Answer::Open(tried);
        }
        let question = MateQuestion { nodes: Some(budget), plies: None, shortest: true, as_problem: false };
        let (shared, clock) = (self.shared, &self.clock);
        let mut go_on = |_: &MateProgress<'_>| !(shared.signals.is_stopped() || clock.is_over());
        let (result, nodes) = prover.solver.solve(position, &question, &mut go_on);
        prover.spent += nodes;
        // A mate after the last move of the game is none, and a score knows none that is so long.
        let last =
            self.shared.settings.max_moves.map_or(MAX_PLY, |last| (last + 1).saturating_sub(position.ply()) as usize);
        match result {
            MateResult::Mate(mate) if mate.line.len() <= last.min(MAX_PLY - 2) => Answer::Mate(mate.line),
            MateResult::Mate(_) | MateResult::NoMate => Answer::Never,
            MateResult::Unknown => Answer::Open(budget),
        }
    }
}

/// What the table is told of a mate.
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
