//! Iterative deepening: depth after depth, best line after best line, with windows around what is expected.

use super::node::Root;
use super::params as p;
use super::proofs::Proved;
use super::root;
use super::worker::Worker;
use crate::types::{MAX_PLY, Move, Score};
use std::time::Duration;

/// Bounds are reported once a search has taken this long: before, they only flicker.
const BOUNDS_AFTER: Duration = Duration::from_secs(3);
/// With a single legal move and a clock, this deep is deep enough.
const FORCED_MOVE_DEPTH: i32 = 6;

/// So many times an iteration is repeated because its best move walks into a mate.
const REPETITIONS: usize = 4;

/// Windows wider than this are opened altogether.
const WIDEST_WINDOW: i32 = 2000;

/// What the iterations so far say about how long to think.
#[derive(Debug, Default)]
struct Trend {
    /// The best move of the last iteration, and for how many iterations it has been the best.
    best: Option<Move>,
    stable: u32,
    /// Score of the last iterations, smoothed.
    average: Option<f64>,
    /// How much of a change of mind is still felt.
    changes: f64,
}

impl Trend {
    /// Takes an iteration in and says how much longer than usual to think.
    fn stretch(&mut self, best: Move, score: Score, effort: f64) -> f64 {
        self.changes *= 0.5;
        if self.best == Some(best) {
            self.stable += 1;
        } else {
            self.changes += f64::from(u8::from(self.best.is_some()));
            self.stable = 0;
            self.best = Some(best);
        }
        let score = f64::from(score.get());
        let average = self.average.unwrap_or(score);
        self.average = Some(average * 0.7 + score * 0.3);
        // A game that is decided is not worth more time for getting worse.
        let open = 1.0 - (score.abs() / 3000.0).min(1.0);
        let falling = 1.0 + ((average - score) / 350.0).clamp(-0.25, 0.7) * open;
        let unsettled = 1.1 + 0.9 * self.changes - 0.05 * f64::from(self.stable.min(8));
        // Most nodes spent on one move: the others have little to say.
        let obvious = (1.6 - effort).clamp(0.65, 1.3);
        (falling * unsettled * obvious).clamp(0.25, 3.0)
    }
}

impl Worker<'_> {
    /// Searches deeper and deeper until told to stop or a limit is reached.
    pub(super) fn deepen(&mut self) {
        let lines = self.shared.settings.multi_pv.min(self.root_moves.len());
        let last_depth =
            self.shared.limits.depth.map_or(MAX_PLY as i32 - 1, |depth| (depth as i32).min(MAX_PLY as i32 - 1));
        let mut trend = Trend::default();
        if self.prove_root() == Proved::Mate {
            return self.report_end();
        }
        for depth in 1..=last_depth {
            self.root_depth = depth;
            let mut proved = self.search_lines(depth, lines);
            for _ in 0..REPETITIONS {
                if proved == Proved::Refutation && !self.is_halted() {
                    proved = self.search_lines(depth, lines);
                }
            }
            if self.is_halted() {
                break;
            }
            self.report_iteration();
            if proved == Proved::Mate || self.index == 0 && self.finished_iteration(depth, proved, &mut trend) {
                break;
            }
        }
        self.report_end();
    }

    /// One iteration, and what the proof of mates has to say about it.
    fn search_lines(&mut self, depth: i32, lines: usize) -> Proved {
        for root in &mut self.root_moves {
            root.previous = root.score;
        }
        for line in 0..lines {
            self.pv_index = line;
            self.seldepth = 0;
            self.search_window(depth);
            root::sort(&mut self.root_moves[..=line]);
            if self.is_halted() {
                return Proved::Nothing;
            }
        }
        self.completed_depth = depth;
        self.prove()
    }

    /// Searches one line with a window around its last score, and wider ones until the score fits.
    fn search_window(&mut self, depth: i32) {
        let expected = self.root_moves[self.pv_index].previous;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let mut delta = p::aspiration_delta() + expected.get().abs() / 30;
        if depth >= 4 && expected != -Score::INFINITE {
            (alpha, beta) = (expected - delta, expected + delta);
        }
        let mut failed_high = 0;
        loop {
            let reduced = (depth - failed_high).max(1);
            let score = self.search::<Root>(alpha, beta, reduced, 0, false);
            root::sort(&mut self.root_moves[self.pv_index..]);
            if self.is_halted() {
                return;
            }
            if score <= alpha {
                beta = Score::raw((alpha.get() + beta.get()) / 2).max(alpha + 1);
                alpha = score - delta;
                failed_high = 0;
            } else if score >= beta {
                beta = score + delta;
                failed_high = (failed_high + 1).min(3);
            } else {
                return;
            }
            if self.clock.elapsed() > BOUNDS_AFTER && self.shared.settings.multi_pv == 1 {
                self.report_line(0);
            }
            delta += delta / 2;
            if score.is_mate() || delta > WIDEST_WINDOW {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
        }
    }

    /// Whether thinking ends after this iteration.
    fn finished_iteration(&mut self, depth: i32, proved: Proved, trend: &mut Trend) -> bool {
        self.look_up(self.shared.counters[0].get());
        let best = &self.root_moves[0];
        let spent = self.shared.counters[0].get().max(1);
        self.stretch = trend.stretch(best.mv(), best.score, best.nodes as f64 / spent as f64);
        if self.pondering || self.shared.limits.infinite || !self.clock.is_limited() {
            return false;
        }
        if proved == Proved::Refutation {
            // What is the best move now has not been searched as such.
            return self.clock.is_over();
        }
        let forced = self.root_moves.len() == 1 && depth >= FORCED_MOVE_DEPTH;
        // A mate that was searched well beyond its length will not become shorter.
        let mated = best.score.mate_plies().is_some_and(|plies| plies.abs() * 2 < depth);
        if forced || mated {
            self.clock.stop_early();
        } else {
            self.clock.consider_stopping(self.stretch);
        }
        self.clock.is_over()
    }
}
