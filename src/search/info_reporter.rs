//! Filters the reports of the main thread.

use super::report::Report;
use std::time::Duration;

/// Receives reports.
pub(super) type Listener<'a> = &'a mut (dyn FnMut(&Report) + Send);

/// Passes reports on and drops repeated ones.
pub(super) struct InfoReporter<'a> {
    listener: Listener<'a>,
    /// Time of the last report.
    pub last: Option<Duration>,
    /// The last finished iteration, if it has not been reported yet.
    pub postponed: Vec<Report>,
    /// The deepest iteration reported.
    deepest: u32,
    /// The last report of each line.
    sent: Vec<Report>,
}

impl<'a> InfoReporter<'a> {
    pub(super) fn new(listener: Listener<'a>) -> Self {
        Self { listener, last: None, postponed: Vec::new(), deepest: 0, sent: Vec::new() }
    }

    /// Reports these lines, best first, unless nothing has changed since the last report of each.
    /// The depth of the best line never falls: an interrupted iteration is reported with the depth
    /// of the one before.
    pub(super) fn report(&mut self, mut lines: Vec<Report>) {
        if let Some(best) = lines.first_mut().filter(|best| best.multi_pv == 1) {
            self.deepest = self.deepest.max(best.depth);
            best.depth = self.deepest;
        }
        let is_known = |line: &Report| self.sent.get(line.multi_pv - 1).is_some_and(|sent| sent.is_same_info(line));
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

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_shogi::{Bound, Score};

    fn line(multi_pv: usize, depth: u32, score: i32, bound: Bound) -> Report {
        Report { depth, multi_pv, bound, ..Report::without_search(Score::cp(score), Vec::new()) }
    }

    /// Rank, depth and score of every report that reaches the listener.
    fn reported(blocks: Vec<Vec<Report>>) -> Vec<(usize, u32, i32)> {
        let mut reported = Vec::new();
        let mut listener = |report: &Report| reported.push((report.multi_pv, report.depth, report.score.get()));
        let mut reporter = InfoReporter::new(&mut listener);
        blocks.into_iter().for_each(|lines| reporter.report(lines));
        reported
    }

    #[test]
    fn reported_depth_never_decreases() {
        let block = |depth, score| vec![line(1, depth, score, Bound::Exact), line(2, depth - 1, score, Bound::Exact)];
        assert_eq!(
            reported(vec![block(7, 1), block(6, 2), block(8, 3)]),
            [(1, 7, 1), (2, 6, 1), (1, 7, 2), (2, 5, 2), (1, 8, 3), (2, 7, 3)]
        );
    }

    #[test]
    fn no_repeated_report() {
        let exact = |score| vec![line(1, 9, score, Bound::Exact)];
        assert_eq!(reported(vec![exact(5), exact(5)]), [(1, 9, 5)]);
        // After a bound the exact line is reported again.
        let bound = vec![line(1, 9, 5, Bound::Lower)];
        assert_eq!(reported(vec![exact(5), bound, exact(5)]).len(), 3);
        // A multi-PV block is reported whole or not at all.
        let block = |second| vec![line(1, 9, 5, Bound::Exact), line(2, 9, second, Bound::Exact)];
        assert_eq!(reported(vec![block(1), block(1), block(2)]), [(1, 9, 5), (2, 9, 1), (1, 9, 5), (2, 9, 2)]);
    }
}
