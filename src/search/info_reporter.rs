//! What the first thread reports while it searches, and how often.

use super::report::Report;
use super::root::RootMove;
use super::worker::Worker;
use crate::types::Bound;
use std::time::Duration;

/// Receives reports.
pub(super) type Listener<'a> = &'a mut (dyn FnMut(&Report) + Send);

/// Passes reports on, none of them twice.
pub(super) struct InfoReporter<'a> {
    listener: Listener<'a>,
    /// When it last reported all lines.
    last: Option<Duration>,
    /// Whether an iteration was finished that has not been reported.
    pending: bool,
    /// The deepest iteration reported.
    deepest: u32,
    /// The last report of each line.
    sent: Vec<Report>,
}

impl<'a> InfoReporter<'a> {
    pub(super) fn new(listener: Listener<'a>) -> Self {
        Self { listener, last: None, pending: false, deepest: 0, sent: Vec::new() }
    }

    /// Reports these lines, the best of all first, unless the last reports said the same of each. The depth of the best line
    /// never falls: what is told of an iteration that was interrupted belongs to the one before.
    pub(super) fn report(&mut self, mut lines: Vec<Report>) {
        if let Some(best) = lines.first_mut().filter(|best| best.multi_pv == 1) {
            self.deepest = self.deepest.max(best.depth);
            best.depth = self.deepest;
        }
        let is_known = |line: &Report| self.sent.get(line.multi_pv - 1).is_some_and(|sent| sent.says_the_same_as(line));
        if lines.iter().all(is_known) {
            return;
        }
        for line in lines {
            (self.listener)(&line);
            self.sent.truncate(line.multi_pv - 1);
            self.sent.push(line);
        }
    }
}

impl Worker<'_> {
    /// An iteration is finished: reports it, unless the last report was a moment ago.
    pub(super) fn report_iteration(&mut self) {
        if let Some(reporter) = &mut self.reporter {
            reporter.pending = true;
        }
        self.report_if_due();
    }

    /// Reports the last iteration if that was put off and is due now.
    pub(super) fn report_if_due(&mut self) {
        let Some(reporter) = &self.reporter else { return };
        let interval = Duration::from_millis(self.shared.settings.report_interval);
        if reporter.pending && reporter.last.is_none_or(|last| self.clock.elapsed() >= last + interval) {
            self.report_lines();
        }
    }

    /// Reports the best lines as they are now.
    pub(super) fn report_lines(&mut self) {
        let lines = self.shared.settings.multi_pv.min(self.root_moves.len());
        let reports = (0..lines).filter_map(|line| self.report_on(&self.root_moves[line], line + 1)).collect();
        let elapsed = self.clock.elapsed();
        if let Some(reporter) = &mut self.reporter {
            reporter.last = Some(elapsed);
            reporter.pending = false;
            reporter.report(reports);
        }
    }

    /// Reports a bound of the best line.
    pub(super) fn report_bound(&mut self) {
        let report = self.report_on(&self.root_moves[0], 1).filter(|report| report.bound != Bound::Exact);
        if let (Some(report), Some(reporter)) = (report, &mut self.reporter) {
            reporter.report(vec![report]);
        }
    }

    /// Reports the line that is played, found by another thread.
    pub(super) fn report_result(&mut self, best: &RootMove) {
        if let (Some(report), Some(reporter)) = (self.report_on(best, 1), &mut self.reporter) {
            reporter.report(vec![report]);
        }
    }

    /// What there is to tell of a root move; nothing before it was searched.
    pub(super) fn report_on(&self, root: &RootMove, multi_pv: usize) -> Option<Report> {
        let line = root.last_line()?;
        let mate = self.probe.as_ref().filter(|_| line.score.is_mate() && !line.proved);
        let mut pv = mate.map_or_else(|| line.pv.clone(), |probe| probe.completed(&line.pv));
        if self.shared.settings.consideration && !line.score.is_mate() {
            pv = self.extended_by_table(pv);
        }
        Some(Report {
            depth: line.depth as u32,
            seldepth: line.seldepth as u32,
            multi_pv,
            score: line.score,
            proved: line.proved,
            bound: line.bound,
            nodes: self.shared.nodes(),
            time: self.clock.elapsed(),
            hashfull: self.shared.table.hashfull(),
            pv,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Score;

    fn line(multi_pv: usize, depth: u32, score: i32, bound: Bound) -> Report {
        Report {
            depth,
            seldepth: depth,
            multi_pv,
            score: Score::cp(score),
            proved: false,
            bound,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv: Vec::new(),
        }
    }

    /// Rank, depth and score of everything that reaches the listener.
    fn told(blocks: Vec<Vec<Report>>) -> Vec<(usize, u32, i32)> {
        let mut told = Vec::new();
        let mut listener = |report: &Report| told.push((report.multi_pv, report.depth, report.score.get()));
        let mut reporter = InfoReporter::new(&mut listener);
        blocks.into_iter().for_each(|lines| reporter.report(lines));
        told
    }

    #[test]
    fn the_depth_told_never_falls_back() {
        let block = |depth, score| vec![line(1, depth, score, Bound::Exact), line(2, depth - 1, score, Bound::Exact)];
        assert_eq!(
            told(vec![block(7, 1), block(6, 2), block(8, 3)]),
            [(1, 7, 1), (2, 6, 1), (1, 7, 2), (2, 5, 2), (1, 8, 3), (2, 7, 3)]
        );
    }

    #[test]
    fn nothing_is_told_twice_in_a_row() {
        let exact = |score| vec![line(1, 9, score, Bound::Exact)];
        assert_eq!(told(vec![exact(5), exact(5)]), [(1, 9, 5)]);
        // A bound in between makes the exact line news again.
        let bound = vec![line(1, 9, 5, Bound::Lower)];
        assert_eq!(told(vec![exact(5), bound, exact(5)]).len(), 3);
        // A block is told whole, or not at all.
        let block = |second| vec![line(1, 9, 5, Bound::Exact), line(2, 9, second, Bound::Exact)];
        assert_eq!(told(vec![block(1), block(1), block(2)]), [(1, 9, 5), (2, 9, 1), (1, 9, 5), (2, 9, 2)]);
    }
}
