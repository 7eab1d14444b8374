//! A plain mate solver: depth-first search of checks and answers, deepened by two plies, with a memory of what was proved.
//!
//! The attacker tries only checks, the defender every legal move. The first depth with a mate is the shortest mate, and the
//! answer is the line in which both sides do their best. When some depth leaves no line unfinished, there is no mate at all.

use crate::movegen::{MoveList, Promotions, checking_moves, legal_moves};
use crate::position::{Position, Repetition};
use crate::types::Move;
use std::collections::HashMap;
use std::time::Instant;

/// How long to look.
#[derive(Copy, Clone, Debug, Default)]
pub struct MateLimits {
    /// Not beyond this moment.
    pub deadline: Option<Instant>,
    /// Not more positions than this.
    pub nodes: Option<u64>,
    /// Not for mates longer than this.
    pub plies: Option<u32>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateResult {
    /// The side to move mates by this line.
    Mate(Vec<Move>),
    /// It cannot mate by checks alone.
    NoMate,
    /// A limit was reached before either was proved.
    Unknown,
}

/// Longer mates than this are not looked for.
const MAX_PLIES: u32 = 199;
/// Positions remembered; about 100 MB at most.
const MEMORY: usize = 2_000_000;
/// Positions between two looks at clock and stop signal.
const POLL_INTERVAL: u64 = 1024;

/// Looks for the shortest mate by the side to move. `stop` is asked now and then.
pub fn solve(position: &Position, limits: &MateLimits, stop: &dyn Fn() -> bool) -> MateResult {
    let mut solver = Solver {
        position: position.clone(),
        root: position.plies_played(),
        limits: *limits,
        stop,
        nodes: 0,
        memory: HashMap::new(),
        interrupted: false,
        unlimited: false,
    };
    let longest = limits.plies.unwrap_or(MAX_PLIES).min(MAX_PLIES);
    let mut plies = 1;
    while plies <= longest {
        match solver.attack(plies) {
            _ if solver.interrupted => return MateResult::Unknown,
            Verdict::Mate(_) => {
                // The line is read from what is proved already; it is not cut short for the sake of a moment.
                solver.unlimited = true;
                return MateResult::Mate(solver.line(plies));
            }
            Verdict::Never => return MateResult::NoMate,
            Verdict::NotYet => plies += 2,
        }
    }
    MateResult::Unknown
}

/// What a search to some depth showed.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Verdict {
    /// Mate in this many plies.
    Mate(u32),
    /// No mate within the depth.
    NotYet,
    /// No mate at any depth.
    Never,
}

/// What is known of a position with the attacker to move.
#[derive(Copy, Clone)]
struct Memory {
    verdict: Verdict,
    /// The depth that `NotYet` speaks of.
    searched: u32,
}

struct Solver<'a> {
    position: Position,
    root: usize,
    limits: MateLimits,
    stop: &'a dyn Fn() -> bool,
    nodes: u64,
    memory: HashMap<u64, Memory>,
    interrupted: bool,
    /// Whether the limits no longer count.
    unlimited: bool,
}

impl Solver<'_> {
    fn poll(&mut self) -> bool {
        self.nodes += 1;
        if self.unlimited {
            return false;
        }
        if self.limits.nodes.is_some_and(|limit| self.nodes > limit) {
            self.interrupted = true;
        }
        if self.nodes.is_multiple_of(POLL_INTERVAL) {
            let late = self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.interrupted |= late || (self.stop)();
        }
        self.interrupted
    }

    /// With the defender to move: the squares have been the same before and the attacker has won nothing since, or has even
    /// lost something. Repeating by checks alone loses for the checker.
    fn repeats(&self) -> bool {
        matches!(
            self.position.repetition_in_search(),
            Some(Repetition::Draw | Repetition::Win | Repetition::Loss | Repetition::Superior)
        )
    }

    /// The attacker is to move and has `plies` left.
    fn attack(&mut self, plies: u32) -> Verdict {
        if self.poll() {
            return Verdict::NotYet;
        }
        let key = self.position.key();
        if let Some(memory) = self.memory.get(&key) {
            match memory.verdict {
                Verdict::Mate(length) if length <= plies => return memory.verdict,
                Verdict::Never => return Verdict::Never,
                Verdict::NotYet if memory.searched >= plies => return Verdict::NotYet,
                _ => {}
            }
        }
        let info = self.position.check_info();
        let mut checks = MoveList::new();
        checking_moves(&self.position, &info, Promotions::All, &mut checks);
        let mut verdict = Verdict::Never;
        let mut best = u32::MAX;
        for &mv in &checks {
            self.position.play(mv);
            let answer = self.defend(plies.min(best) - 1);
            self.position.undo();
            if self.interrupted {
                return Verdict::NotYet;
            }
            match answer {
                Verdict::Mate(length) if length + 1 < best => {
                    best = length + 1;
                    verdict = Verdict::Mate(best);
                    if best <= 1 {
                        break;
                    }
                }
                Verdict::NotYet if verdict == Verdict::Never => verdict = Verdict::NotYet,
                _ => {}
            }
        }
        self.remember(key, verdict, plies);
        verdict
    }

    fn remember(&mut self, key: u64, verdict: Verdict, searched: u32) {
        // `Never` may rest on a repetition of this very line, so it is kept only as what this depth showed.
        let verdict = if verdict == Verdict::Never && self.position.plies_played() > self.root {
            Verdict::NotYet
        } else {
            verdict
        };
        if self.memory.len() < MEMORY || self.memory.contains_key(&key) {
            self.memory.insert(key, Memory { verdict, searched });
        }
    }

    /// The defender is to move, in check, and the attacker has `plies` left after the answer.
    fn defend(&mut self, plies: u32) -> Verdict {
        if self.poll() {
            return Verdict::NotYet;
        }
        if self.repeats() {
            return Verdict::Never;
        }
        let answers = legal_moves(&self.position);
        if answers.is_empty() {
            return Verdict::Mate(0);
        }
        if plies < 2 {
            return Verdict::NotYet;
        }
        let mut longest = 0;
        for &mv in &answers {
            self.position.play(mv);
            let verdict = self.attack(plies - 1);
            self.position.undo();
            match verdict {
                Verdict::Mate(length) => longest = longest.max(length + 1),
                other => return other,
            }
        }
        Verdict::Mate(longest)
    }

    /// The line of best play for a mate in at most `plies`, read back from the memory and searched again where it was lost.
    fn line(&mut self, plies: u32) -> Vec<Move> {
        let mut line = Vec::new();
        let mut left = plies;
        while let Some(mv) = self.best_attack(left) {
            self.position.play(mv);
            line.push(mv);
            let Some((mv, length)) = self.best_defence(left - 1) else { break };
            self.position.play(mv);
            line.push(mv);
            left = length;
        }
        line.iter().for_each(|_| self.position.undo());
        line
    }

    fn best_attack(&mut self, plies: u32) -> Option<Move> {
        let info = self.position.check_info();
        let mut checks = MoveList::new();
        checking_moves(&self.position, &info, Promotions::All, &mut checks);
        let mut best: Option<(u32, Move)> = None;
        for &mv in &checks {
            self.position.play(mv);
            let verdict = self.defend(plies - 1);
            self.position.undo();
            if let Verdict::Mate(length) = verdict
                && best.is_none_or(|(least, _)| length < least)
            {
                best = Some((length, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// The answer that resists longest, with the length of the mate after it; `None` when mated.
    fn best_defence(&mut self, plies: u32) -> Option<(Move, u32)> {
        let mut best: Option<(Move, u32)> = None;
        for &mv in &legal_moves(&self.position) {
            self.position.play(mv);
            let verdict = self.attack(plies - 1);
            self.position.undo();
            if let Verdict::Mate(length) = verdict
                && best.is_none_or(|(_, most)| length > most)
            {
                best = Some((mv, length));
            }
        }
        best
    }
}
