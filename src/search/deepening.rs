//! Iterative deepening: depths, multi-PV lines, aspiration windows.

use super::mate_probe::MateProbeResult;
use super::node::Root;
use super::params as p;
use super::root_move;
use super::worker::Worker;
use sabi_shogi::{Bound, MAX_PLY, Move, Score};
use std::sync::atomic::Ordering;

/// Maximum number of times an iteration is repeated because its best move allows a mate.
const MAX_RESEARCHES: usize = 4;

/// Maximum depth reduction, in plies, after repeated fail highs.
const MAX_FAIL_HIGHS: i32 = 2;

/// An aspiration window.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Window {
    alpha: Score,
    beta: Score,
    delta: i32,
    /// Fail highs since the last fail low, capped.
    failed_high: i32,
}

impl Window {
    /// The full window.
    fn open() -> Self {
        Self { alpha: -Score::INFINITE, beta: Score::INFINITE, delta: 0, failed_high: 0 }
    }

    /// The initial window of thread `index` for a move with these averages of `score` and `score *
    /// |score|`.
    fn around(average: Score, mean_square: i32, index: usize) -> Self {
        let delta = p::aspiration_delta() + (index % 8) as i32 + mean_square.abs() / p::aspiration_divisor();
        Self { alpha: average - delta, beta: average + delta, delta, failed_high: 0 }
    }

    /// The window after `score` failed low or high; `None` when it is inside.
    fn widened(self, score: Score) -> Option<Self> {
        let Self { alpha, beta, delta, failed_high } = self;
        let wider = delta + delta / 2;
        if score <= alpha {
            let beta = Score::raw((alpha.get() + beta.get()) / 2).max(alpha + 1);
            Some(Self { alpha: score - delta, beta, delta: wider, failed_high: 0 })
        } else if score >= beta {
            let failed_high = (failed_high + 1).min(MAX_FAIL_HIGHS);
            Some(Self { alpha, beta: score + delta, delta: wider, failed_high })
        } else {
            None
        }
    }
}

/// Whether the mate was searched well beyond its length, so that no shorter one is expected.
fn is_settled_mate(score: Score, depth: i32) -> bool {
    score.mate_plies().is_some_and(|plies| (plies.abs() + 2) * 5 / 2 < depth)
}

impl Worker<'_> {
    /// Searches depth after depth until stopped or a limit is reached.
    pub(super) fn deepen(&mut self) {
        let lines = self.shared.settings.multi_pv.min(self.root_moves.len());
        let deepest = MAX_PLY as i32 - 1;
        let last_depth = self.shared.limits.depth.map_or(deepest, |depth| depth.min(deepest as u32) as i32);
        if self.probe_root() == MateProbeResult::Mate {
            return self.report_lines();
        }
        for depth in 1..=last_depth {
            self.root_depth = depth;
            self.search_again_counter += i32::from(self.shared.half_used.load(Ordering::Relaxed));
            let mut probe = self.search_lines(lines);
            for _ in 0..MAX_RESEARCHES {
                if probe == MateProbeResult::Refutation && !self.is_halted() {
                    probe = self.search_lines(lines);
                }
            }
            if self.is_halted() {
                self.restore_interrupted(lines);
                break;
            }
            self.report_iteration();
            // An unproved one may be wrong: an analysis goes on.
            let settled = self.root_moves[..lines].iter().all(|root| {
                is_settled_mate(root.line.score, depth) && (root.line.proved || !self.shared.limits.infinite)
            });
            if probe == MateProbeResult::Mate || settled || self.main.is_some() && self.is_time_up(probe) {
                break;
            }
        }
        if lines > 1 {
            self.demote_refuted(lines);
        }
        // The last report is the move played.
        self.report_lines();
    }

    /// Restores exact lines after an interrupted iteration; the line of a fail high is extended
    /// from the table.
    fn restore_interrupted(&mut self, lines: usize) {
        for at in self.pv_index..lines {
            if self.root_moves[at].line.bound == Bound::Lower {
                let pv = std::mem::take(&mut self.root_moves[at].line.pv);
                self.root_moves[at].line.pv = self.extended_by_table(pv);
            }
        }
        root_move::restore(&mut self.root_moves, self.pv_index, lines);
    }

    /// Extends a line with tt moves until there is none or a position repeats.
    pub(super) fn extended_by_table(&self, mut pv: Vec<Move>) -> Vec<Move> {
        let mut position = self.root_position.clone();
        pv.iter().for_each(|&mv| position.play(mv));
        while pv.len() < self.root_depth as usize && position.repetition_in_search(usize::MAX).is_none() {
            let Some(mv) = self.shared.table.probe(position.key()).and_then(|entry| entry.mv) else { break };
            if !position.is_legal(mv) {
                break;
            }
            position.play(mv);
            pv.push(mv);
        }
        pv
    }

    /// One iteration, followed by the mate probe of its best line.
    fn search_lines(&mut self, lines: usize) -> MateProbeResult {
        root_move::save(&mut self.root_moves);
        // With multi-PV the search goes on after a mate is proved: for the other lines.
        let first = usize::from(self.root_moves[0].has_proved_mate());
        for line in first..lines {
            self.pv_index = line;
            self.seldepth = 0;
            self.aspiration_search();
            if self.is_halted() {
                return MateProbeResult::None;
            }
            root_move::sort(&mut self.root_moves[..=line]);
        }
        self.completed_depth = self.root_depth;
        self.probe_best_line()
    }

    /// Searches one line with an aspiration window until the score is inside.
    fn aspiration_search(&mut self) {
        let root = &self.root_moves[self.pv_index];
        let mut window = root
            .average_score
            .map_or_else(Window::open, |average| Window::around(average, root.mean_squared_score, self.index));
        loop {
            // Repeated fail highs are confirmed at reduced depth. Near the end of the time an
            // iteration pays only if it can be finished.
            let depth = (self.root_depth - window.failed_high - 3 * (self.search_again_counter + 1) / 4).max(1);
            let score = self.search::<Root>(window.alpha, window.beta, depth, 0, false);
            root_move::sort(&mut self.root_moves[self.pv_index..]);
            if self.is_halted() {
                return;
            }
            self.failing_low = score <= window.alpha;
            let Some(wider) = window.widened(score) else { return };
            window = wider;
            let settings = self.shared.settings;
            let wanted = settings.report_bounds.filter(|_| !settings.consideration && settings.multi_pv == 1);
            if wanted.is_some_and(|after| self.time.elapsed() >= after) {
                self.report_bound();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(alpha: i32, beta: i32, delta: i32, failed_high: i32) -> Window {
        Window { alpha: Score::cp(alpha), beta: Score::cp(beta), delta, failed_high }
    }

    #[test]
    fn aspiration_window_widening() {
        let first = Window::around(Score::cp(100), 0, 0);
        assert_eq!((first.alpha, first.beta), (Score::cp(100) - first.delta, Score::cp(100) + first.delta));
        assert!(Window::around(Score::cp(100), -2_000_000, 0).delta > first.delta);
        assert!(Window::around(Score::cp(100), 0, 3).delta > first.delta);
        let start = window(-10, 10, 30, 2);
        assert_eq!(start.widened(Score::cp(0)), None);
        assert_eq!(start.widened(Score::cp(-20)), Some(window(-50, 0, 45, 0)));
        assert_eq!(start.widened(Score::cp(25)), Some(window(-10, 55, 45, MAX_FAIL_HIGHS)));
        assert_eq!(window(-50, 50, 30, 0).widened(Score::cp(60)), Some(window(-50, 90, 45, 1)));
    }

    #[test]
    fn aspiration_finds_every_score() {
        for average in [Score::ZERO, Score::mate_in(3), Score::mated_in(2)] {
            for score in [Score::mate_in(1), Score::mated_in(0), Score::RULE_WIN, Score::cp(-700), Score::cp(12)] {
                let mut window = Window::around(average, average.get() * average.get().abs(), 0);
                let searches = std::iter::from_fn(|| {
                    window = window.widened(score)?;
                    Some(())
                });
                assert!(searches.count() < 40, "{score:?} from {average:?}");
            }
        }
    }

    #[test]
    fn mates_end_the_deepening() {
        assert!(!is_settled_mate(Score::mate_in(3), 12) && is_settled_mate(Score::mate_in(3), 13));
        assert!(!is_settled_mate(Score::mated_in(4), 15) && is_settled_mate(Score::mated_in(4), 16));
        assert!(!is_settled_mate(Score::cp(3000), 190) && !is_settled_mate(Score::RULE_WIN, 190));
    }
}
