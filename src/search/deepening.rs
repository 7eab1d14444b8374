//! Iterative deepening: depths, multi-PV lines, aspiration windows, and what is reported of them.

use super::mate_probe::{MateProbe, MateProbeResult};
use super::node::Root;
use super::params as p;
use super::report::Report;
use super::root_move::{self, Line, RootMove};
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
    /// Searches depth after depth until stopped or a limit is reached. The main thread has a mate
    /// probe.
    pub(super) fn deepen(&mut self, mut mates: Option<&mut MateProbe<'_>>) {
        let lines = self.shared.settings.multi_pv.min(self.root_moves.len());
        let deepest = MAX_PLY as i32 - 1;
        let last_depth = self.shared.limits.depth.map_or(deepest, |depth| depth.min(deepest as u32) as i32);
        let at_root = mates.as_deref_mut().map(|mates| mates.root(self));
        if at_root == Some(MateProbeResult::Mate) {
            return self.report_lines(mates.as_deref());
        }
        for depth in 1..=last_depth {
            self.root_depth = depth;
            self.search_again_counter += i32::from(self.shared.half_used.load(Ordering::Relaxed));
            let mut probe = self.search_lines(lines, mates.as_deref_mut());
            for _ in 0..MAX_RESEARCHES {
                if probe == MateProbeResult::Refutation && !self.is_halted() {
                    probe = self.search_lines(lines, mates.as_deref_mut());
                }
            }
            if self.is_halted() {
                self.restore_interrupted(lines);
                break;
            }
            self.report_iteration(mates.as_deref());
            // An unproved one may be wrong: an analysis goes on.
            let settled = self.root_moves[..lines].iter().all(|root| {
                is_settled_mate(root.line.score, depth) && (root.line.proved || !self.shared.limits.infinite)
            });
            if probe == MateProbeResult::Mate || settled || self.main.is_some() && self.is_time_up(probe) {
                break;
            }
        }
        if lines > 1
            && let Some(mates) = mates.as_deref()
        {
            mates.demote_refuted(self, lines);
        }
        // The last report is the move played.
        self.report_lines(mates.as_deref());
    }

    /// One iteration, followed by the mate probe of its best line.
    fn search_lines(&mut self, lines: usize, mates: Option<&mut MateProbe<'_>>) -> MateProbeResult {
        root_move::save(&mut self.root_moves);
        // With multi-PV the search goes on after a mate is proved: for the other lines.
        let first = usize::from(self.root_moves[0].has_proved_mate());
        for line in first..lines {
            self.pv_index = line;
            self.seldepth = 0;
            self.aspiration_search(mates.as_deref());
            if self.is_halted() {
                return MateProbeResult::None;
            }
            root_move::sort(&mut self.root_moves[..=line]);
        }
        self.completed_depth = self.root_depth;
        mates.map(|mates| mates.best_line(self)).unwrap_or_default()
    }

    /// Searches one line with an aspiration window until the score is inside.
    fn aspiration_search(&mut self, mates: Option<&MateProbe<'_>>) {
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
                self.report_bound(mates);
            }
        }
    }

    /// Called by the main thread between iterations: whether the time for this move is used up.
    fn is_time_up(&mut self, probe: MateProbeResult) -> bool {
        let own_nodes = self.shared.counters[self.index].get();
        self.check_limits(own_nodes);
        let Some(main) = &mut self.main else { return false };
        let best = &self.root_moves[0];
        let changes = self.shared.best_move_changes.iter().map(|counter| counter.get()).sum();
        let share = best.nodes as f64 / own_nodes.max(1) as f64;
        main.factors.add_iteration(best.mv, best.line.score, changes, self.shared.counters.len());
        main.time_factor = main.factors.total(share);
        let factor = main.time_factor;
        if self.time.is_pondering() || self.shared.limits.infinite || !self.time.is_limited() {
            return false;
        }
        if probe != MateProbeResult::Refutation {
            self.consider_stopping();
            self.shared.half_used.store(self.time.is_half_used(factor), Ordering::Relaxed);
        }
        // After a refutation the new best move has not been searched as such.
        self.time.is_over()
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
    fn extended_by_table(&self, mut pv: Vec<Move>) -> Vec<Move> {
        let mut position = self.root_position.clone();
        pv.iter().for_each(|&mv| position.play(mv));
        while pv.len() < self.root_depth as usize && position.repetition_in_search(usize::MAX).is_none() {
            let Some(mv) = self.shared.tt_move(&position) else { break };
            position.play(mv);
            pv.push(mv);
        }
        pv
    }

    /// Reports a finished iteration, or postpones it if the last report is too recent.
    fn report_iteration(&mut self, mates: Option<&MateProbe<'_>>) {
        let reports = self.current_reports(mates);
        if let Some(main) = &mut self.main {
            main.reporter.postponed = reports;
        }
        self.report_if_due();
    }

    /// Reports the current best lines.
    fn report_lines(&mut self, mates: Option<&MateProbe<'_>>) {
        self.report(self.current_reports(mates));
    }

    /// Reports the best line as a bound, after the iteration before it.
    fn report_bound(&mut self, mates: Option<&MateProbe<'_>>) {
        self.report_postponed();
        let bound = self.root_moves[0].last_line().filter(|line| line.bound != Bound::Exact);
        self.report(bound.zip(mates).map(|(line, mates)| self.report_on(line, 1, mates)).into_iter().collect());
    }

    /// Reports the line of the best thread.
    pub(super) fn report_result(&mut self, best: &RootMove, mates: &MateProbe<'_>) {
        self.report(best.exact_line().map(|line| self.report_on(line, 1, mates)).into_iter().collect());
    }

    /// Reports of the current best lines; none from a helper thread.
    fn current_reports(&self, mates: Option<&MateProbe<'_>>) -> Vec<Report> {
        let Some(mates) = mates else { return Vec::new() };
        let lines = self.shared.settings.multi_pv.min(self.root_moves.len());
        let exact = self.root_moves[..lines].iter().zip(1..);
        exact.filter_map(|(root, multi_pv)| Some(self.report_on(root.exact_line()?, multi_pv, mates))).collect()
    }

    /// The report of a line; `hashfull` is measured when it is sent.
    fn report_on(&self, line: &Line, multi_pv: usize, mates: &MateProbe<'_>) -> Report {
        let mut pv = line.pv.clone();
        if line.score.is_mate() && !line.proved {
            pv = mates.with_mate(self.root_position, &pv);
        } else if self.shared.settings.consideration && !line.score.is_mate() {
            pv = self.extended_by_table(pv);
        }
        Report {
            depth: line.depth as u32,
            seldepth: line.seldepth as u32,
            multi_pv,
            score: line.score,
            proved: line.proved,
            bound: line.bound,
            nodes: self.shared.nodes(),
            time: self.time.elapsed(),
            hashfull: 0,
            pv,
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
