//! What the main thread reports during a search, and how often.

use super::main_thread::MainThread;
use super::report::Report;
use super::root_move::{Line, RootMove};
use super::worker::Worker;
use sabi_shogi::Bound;
use std::time::Duration;

impl Worker<'_> {
    /// Reports a finished iteration, or postpones it if the last report is too recent.
    pub(super) fn report_iteration(&mut self) {
        let reports = self.current_reports();
        if let Some(main) = &mut self.main {
            main.reporter.postponed = reports;
        }
        self.report_if_due();
    }

    /// Reports a postponed iteration when it is due.
    pub(super) fn report_if_due(&mut self) {
        let interval = Duration::from_millis(self.shared.settings.report_interval);
        let elapsed = self.time.elapsed();
        if let Some(MainThread { reporter, .. }) = &self.main
            && reporter.last.is_none_or(|last| elapsed >= last + interval)
        {
            self.send_postponed();
        }
    }

    fn send_postponed(&mut self) {
        let postponed = self.main.as_mut().map(|main| std::mem::take(&mut main.reporter.postponed));
        self.send(postponed.unwrap_or_default());
    }

    /// Reports the current best lines.
    pub(super) fn report_lines(&mut self) {
        let reports = self.current_reports();
        self.send(reports);
    }

    /// Reports the best line as a bound, after the iteration before it.
    pub(super) fn report_bound(&mut self) {
        self.send_postponed();
        let bound = self.root_moves[0].last_line().filter(|line| line.bound != Bound::Exact);
        self.send(bound.map(|line| self.report_on(line, 1)).into_iter().collect());
    }

    /// Reports the line of the best thread.
    pub(super) fn report_result(&mut self, best: &RootMove) {
        self.send(best.exact_line().map(|line| self.report_on(line, 1)).into_iter().collect());
    }

    /// Sends reports. They replace a postponed one.
    fn send(&mut self, mut reports: Vec<Report>) {
        if reports.is_empty() {
            return;
        }
        let elapsed = self.time.elapsed();
        if let Some(MainThread { reporter, .. }) = &mut self.main {
            let hashfull = self.shared.table.hashfull();
            reports.iter_mut().for_each(|report| report.hashfull = hashfull);
            reporter.last = Some(elapsed);
            reporter.postponed.clear();
            reporter.report(reports);
        }
    }

    /// Reports of the current best lines; none from a helper thread.
    fn current_reports(&self) -> Vec<Report> {
        if self.main.is_none() {
            return Vec::new();
        }
        let lines = self.shared.settings.multi_pv.min(self.root_moves.len());
        let exact = self.root_moves[..lines].iter().zip(1..);
        exact.filter_map(|(root, multi_pv)| Some(self.report_on(root.exact_line()?, multi_pv))).collect()
    }

    /// The report of a line; `hashfull` is measured when it is sent.
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
            hashfull: 0,
            pv,
        }
    }
}
