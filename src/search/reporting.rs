//! What the main thread reports during a search, and how often.

use super::report::Report;
use super::root_move::RootMove;
use super::worker::Worker;
use crate::types::Bound;
use std::time::Duration;

impl Worker<'_> {
    /// Reports a finished iteration, unless the last report is too recent.
    pub(super) fn report_iteration(&mut self) {
        if let Some(reporter) = &mut self.reporter {
            reporter.pending = true;
        }
        self.report_if_due();
    }

    /// Reports a postponed iteration when it is due.
    pub(super) fn report_if_due(&mut self) {
        let Some(reporter) = &self.reporter else { return };
        let interval = Duration::from_millis(self.shared.settings.report_interval);
        if reporter.pending && reporter.last.is_none_or(|last| self.clock.elapsed() >= last + interval) {
            self.report_lines();
        }
    }

    /// Reports the current best lines.
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

    /// Reports the best line as a bound.
    pub(super) fn report_bound(&mut self) {
        let report = self.report_on(&self.root_moves[0], 1).filter(|report| report.bound != Bound::Exact);
        if let (Some(report), Some(reporter)) = (report, &mut self.reporter) {
            reporter.report(vec![report]);
        }
    }

    /// Reports the line of the best thread.
    pub(super) fn report_result(&mut self, best: &RootMove) {
        if let (Some(report), Some(reporter)) = (self.report_on(best, 1), &mut self.reporter) {
            reporter.report(vec![report]);
        }
    }

    /// The report of a root move; `None` before it was searched.
    pub(super) fn report_on(&self, root: &RootMove, multi_pv: usize) -> Option<Report> {
        let line = root.last_line()?;
        let mate = self.probe.as_ref().filter(|_| line.score.is_mate() && !line.proved);
        let mut pv = mate.map_or_else(|| line.pv.clone(), |probe| probe.with_mate(&line.pv));
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
