//! What the first thread says while it thinks, and how often.

use super::report::Report;
use super::root::RootMove;
use super::worker::Worker;
use crate::types::{Bound, Score};
use std::time::Duration;

/// Receives reports.
pub(super) type Listener<'a> = &'a mut (dyn FnMut(&Report) + Send);

/// The voice of a thread.
pub(super) struct Voice<'a> {
    listener: Listener<'a>,
    /// When it last spoke.
    last: Option<Duration>,
    /// Whether an iteration was finished that nobody was told of.
    pending: bool,
    /// The deepest iteration told of.
    deepest: u32,
}

impl<'a> Voice<'a> {
    pub(super) fn new(listener: Listener<'a>) -> Self {
        Self { listener, last: None, pending: false, deepest: 0 }
    }

    /// Says that a line was found. The best line never falls back to an earlier iteration: it does when the move that led it
    /// has just failed in the present one, and whoever listens knows that already.
    pub(super) fn say(&mut self, report: &Report) {
        if report.multi_pv > 1 {
            return (self.listener)(report);
        }
        self.deepest = self.deepest.max(report.depth);
        (self.listener)(&Report { depth: self.deepest, ..report.clone() });
    }
}

impl Worker<'_> {
    /// An iteration is finished: tells it, unless the last one was told a moment ago.
    pub(super) fn report_iteration(&mut self) {
        if let Some(voice) = &mut self.voice {
            voice.pending = true;
        }
        self.report_if_due();
    }

    /// Tells the last iteration if that was put off and is due now.
    pub(super) fn report_if_due(&mut self) {
        let Some(voice) = &self.voice else { return };
        let interval = Duration::from_millis(self.shared.settings.report_interval);
        if voice.pending && voice.last.is_none_or(|last| self.clock.elapsed() >= last + interval) {
            self.report_lines();
        }
    }

    /// The search is over: tells how it stands.
    pub(super) fn report_end(&mut self) {
        if self.voice.as_ref().is_some_and(|voice| voice.pending || voice.last.is_none() || self.is_halted()) {
            self.report_lines();
        }
    }

    fn report_lines(&mut self) {
        let lines = self.shared.settings.multi_pv.min(self.root_moves.len());
        (0..lines).for_each(|line| self.report_line(line));
        let elapsed = self.clock.elapsed();
        if let Some(voice) = &mut self.voice {
            voice.last = Some(elapsed);
            voice.pending = false;
        }
    }

    /// Tells one of the best lines.
    pub(super) fn report_line(&mut self, line: usize) {
        let report = self.report_on(&self.root_moves[line], line + 1);
        if let (Some(report), Some(voice)) = (report, &mut self.voice) {
            voice.say(&report);
        }
    }

    /// What there is to tell of a root move; nothing before it was searched.
    pub(super) fn report_on(&self, root: &RootMove, multi_pv: usize) -> Option<Report> {
        let fresh = root.score != -Score::INFINITE;
        let score = root.last_score()?;
        Some(Report {
            depth: if fresh { root.depth } else { self.completed_depth.max(1) } as u32,
            seldepth: root.seldepth as u32,
            multi_pv,
            score,
            proved: root.proved && fresh,
            bound: if fresh { root.bound } else { Bound::Exact },
            nodes: self.shared.nodes(),
            time: self.clock.elapsed(),
            hashfull: self.shared.table.hashfull(),
            pv: root.pv.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Bound;

    #[test]
    fn the_depth_told_never_falls_back() {
        let mut told = Vec::new();
        let mut listener = |report: &Report| told.push((report.multi_pv, report.depth));
        let mut voice = Voice::new(&mut listener);
        for (multi_pv, depth) in [(1, 7), (2, 6), (1, 8), (1, 7), (2, 7), (1, 9)] {
            let report = Report {
                depth,
                seldepth: depth,
                multi_pv,
                score: Score::ZERO,
                proved: false,
                bound: Bound::Exact,
                nodes: 0,
                time: Duration::ZERO,
                hashfull: 0,
                pv: Vec::new(),
            };
            voice.say(&report);
        }
        assert_eq!(told, [(1, 7), (2, 6), (1, 8), (1, 8), (2, 7), (1, 9)]);
    }
}
