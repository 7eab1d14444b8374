//! Factors of the optimum time, each a pure function.
//!
//! `total = falling_eval * stability * instability * effort`, evaluated after each iteration.

use sabi_shogi::{Move, Score};

/// Number of iterations over which the score difference is taken.
const SCORE_WINDOW: usize = 4;

/// Less time while the score rises, more while it falls: relative to the last move of the game
/// (`previous`) and to a few iterations ago (`earlier`). No extra time for a lost game.
fn falling_eval(previous: Score, earlier: Score, score: Score) -> f64 {
    let fall = 2 * (previous.get() - score.get()) + (earlier.get() - score.get());
    let open = 1.0 - (f64::from(score.get().abs()) / 3000.0).min(1.0);
    let factor = (0.85 + f64::from(fall) / 400.0).clamp(0.6, 1.6);
    if factor > 1.0 { 1.0 + (factor - 1.0) * open } else { factor }
}

/// Less time the longer the best move has been stable.
fn stability(iterations: i32) -> f64 {
    0.75 + 0.7 / (1.0 + (0.5 * (f64::from(iterations) - 7.0)).exp())
}

/// More time the more often the best move changed, per thread; changes are halved with each
/// iteration.
fn instability(changes: f64) -> f64 {
    1.0 + 1.5 * changes
}

/// Less time when nearly all nodes went to the best move.
fn effort(share: f64) -> f64 {
    (1.9 - 1.25 * share).clamp(0.7, 1.2)
}

/// Iteration data for the time factors.
pub(super) struct TimeFactors {
    /// Score of the last move of the game.
    previous: Option<Score>,
    /// Scores of all iterations.
    scores: Vec<Score>,
    best: Option<Move>,
    /// Iterations since the best move changed.
    stable: i32,
    /// Best move changes of all threads: decayed, and total.
    changes: f64,
    counted: u64,
}

impl TimeFactors {
    /// Factors of a new search, after a move with score `previous` in the same game.
    pub(super) fn new(previous: Option<Score>) -> Self {
        Self { previous, scores: Vec::new(), best: None, stable: 0, changes: 0.0, counted: 0 }
    }

    /// Adds an iteration; `changes` counts the best move changes of all threads so far.
    pub(super) fn add_iteration(&mut self, best: Move, score: Score, changes: u64, threads: usize) {
        self.changes = self.changes / 2.0 + (changes - self.counted) as f64 / threads as f64;
        self.counted = changes;
        self.stable = if self.best == Some(best) { self.stable + 1 } else { 0 };
        self.best = Some(best);
        self.scores.push(score);
    }

    /// The product of all factors; `share` is the share of nodes spent on the best move.
    pub(super) fn total(&self, share: f64) -> f64 {
        let Some(&score) = self.scores.last() else { return 1.0 };
        let earlier = self.scores[self.scores.len().saturating_sub(1 + SCORE_WINDOW)];
        let falling_eval = falling_eval(self.previous.unwrap_or(earlier), earlier, score);
        falling_eval * stability(self.stable) * instability(self.changes) * effort(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falling_score_takes_more_time() {
        let cp = Score::cp;
        for (previous, earlier, score, least, most) in [
            (cp(0), cp(0), cp(0), 0.84, 0.86),
            (cp(100), cp(100), cp(0), 1.4, 1.6),
            (cp(0), cp(0), cp(100), 0.6, 0.6),
            (cp(-3000), cp(-3000), cp(-4000), 1.0, 1.0),
            (cp(5000), Score::mate_in(3), Score::mated_in(2), 1.0, 1.0),
        ] {
            let factor = falling_eval(previous, earlier, score);
            assert!((least..=most).contains(&factor), "{factor} for {previous:?} {earlier:?} {score:?}");
        }
    }

    #[test]
    fn factors_are_monotone_and_bounded() {
        for n in 0..40 {
            assert!(stability(n + 1) < stability(n) && (0.75..1.45).contains(&stability(n)));
            assert!(instability(f64::from(n) + 1.0) > instability(f64::from(n)));
            let share = f64::from(n) / 40.0;
            assert!(effort(share + 0.025) <= effort(share) && (0.7..=1.2).contains(&effort(share)));
        }
    }

    #[test]
    fn best_move_changes_decay() {
        let (first, second): (Move, Move) = ("7g7f".parse().unwrap(), "2g2f".parse().unwrap());
        let mut factors = TimeFactors::new(None);
        assert_eq!(factors.total(0.5), 1.0);
        factors.add_iteration(first, Score::ZERO, 0, 1);
        let calm = factors.total(0.5);
        factors.add_iteration(second, Score::ZERO, 2, 1);
        let mut last = factors.total(0.5);
        assert!(last > 2.0 * calm);
        for _ in 0..8 {
            factors.add_iteration(second, Score::ZERO, 2, 1);
            assert!(factors.total(0.5) < last);
            last = factors.total(0.5);
        }
        assert!(last < calm);
    }
}
