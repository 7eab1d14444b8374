//! What the main thread reports during a search, and how often.

use super::main_thread::MainThread;
use super::report::Report;
use super::root_move::{Line, RootMove};
use super::worker::Worker;
use crate::types::Bound;
use std::time::Duration;

impl Worker<'_> {
    /// Reports a finished iteration, unless the last report is too recent.
    pub(super) fn report_iteration(&mut self) {
        if let Some(main) = &mut self.main {
            main.reporter.pending = true;
        }
        self.report_if_due();
    }

    /// Reports a postponed iteration when it is due, but not while a new best move is known by a
    /// bound alone.
    pub(super) fn report_if_due(&mut self) {
        let Some(MainThread { reporter, .. }) = &self.main else { return };
        let interval = Duration::from_millis(self.shared.settings.report_interval);
        let is_due = reporter.pending && reporter.last.is_none_or(|last| self.time.elapsed() >= last + interval);
        let lines = self.shared.settings.multi_pv.min(self.root_moves.len());
        let is_exact = |root: &RootMove| root.exact_line().is_none_or(|line| line.bound == Bound::Exact);
        if is_due && self.root_moves[..lines].iter().all(is_exact) {
            self.report_lines();
        }
    }

    /// Reports the current best lines.
    pub(super) fn report_lines(&mut self) {
        let lines = self.shared.settings.multi_pv.min(self.root_moves.len());
        let exact = self.root_moves[..lines].iter().zip(1..);
        let reports = exact.filter_map(|(root, multi_pv)| Some(self.report_on(root.exact_line()?, multi_pv))).collect();
        let elapsed = self.time.elapsed();
        if let Some(MainThread { reporter, .. }) = &mut self.main {
            reporter.last = Some(elapsed);
            reporter.pending = false;
            reporter.report(reports);
        }
    }

    /// Reports the best line as a bound.
    pub(super) fn report_bound(&mut self) {
        let bound = self.root_moves[0].last_line().filter(|line| line.bound != Bound::Exact);
        self.report_line(bound.map(|line| self.report_on(line, 1)));
    }

    /// Reports the line of the best thread.
    pub(super) fn report_result(&mut self, best: &RootMove) {
        self.report_line(best.exact_line().map(|line| self.report_on(line, 1)));
    }

    fn report_line(&mut self, report: Option<Report>) {
        if let (Some(report), Some(main)) = (report, &mut self.main) {
            main.reporter.report(vec![report]);
        }
    }

    /// The report of a line.
    fn report_on(&self, line: &Line, multi_pv: usize) -> Report {
        let main = self.main.as_ref().filter(|_| line.score.is_mate() && !line.proved);
        let mut pv = main.map_or_else(|| line.pv.clone(), |main| main.probe.with_mate(self.root_position, &line.pv));
        if self.shared.settings.consideration && !line.score.is_mate() {
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
            hashfull: self.shared.table.hashfull(),
            pv,
        }
    }
}
