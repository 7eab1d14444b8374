//! Mate searches and their solver.

use super::job::Job;
use super::option_values::least;
use super::{Answer, EngineListener, InfoMessage, MateOptions, MateReport, MateUnit};
use crate::mate::solver::{MateProgress, MateQuestion, MateResult, MateSolver};
use crate::search::{Limits, TimeControl};
use std::time::{Duration, Instant};

/// Interval of progress reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
/// Solver memory when the requested size cannot be allocated: enough for most mates.
const FALLBACK_MB: usize = 16;

/// The solver, allocated at the first mate search, with the requested size, which may be more than
/// was allocated.
#[derive(Default)]
pub(super) struct MateFinder(Option<(MateSolver, usize)>);

impl MateFinder {
    /// Searches until a mate is found, a limit is reached, or stopped.
    pub(super) fn find(
        &mut self,
        job: &Job,
        limits: &Limits,
        number: Option<u64>,
        listener: &dyn EngineListener,
    ) -> Answer {
        let MateOptions { unit, shortest, hash_mb } = job.options.mate;
        let about = MateQuestion::about(&job.position);
        let mut question = MateQuestion { nodes: limits.nodes, plies: limits.depth, shortest, ..about };
        let mut ms = if let TimeControl::MoveTime(ms) = limits.time { Some(ms) } else { None };
        match unit {
            MateUnit::Milliseconds => ms = least(ms, number),
            MateUnit::Plies => {
                question.plies = least(question.plies, number.and_then(|plies| u32::try_from(plies).ok()));
            }
        }
        // A deadline beyond the range of the clock is no limit.
        let deadline = ms.and_then(|ms| limits.start.checked_add(Duration::from_millis(ms)));
        if self.0.as_ref().is_none_or(|&(_, mb)| mb != hash_mb) {
            self.0 = None;
            self.0 = solver(hash_mb, listener).map(|solver| (solver, hash_mb));
        }
        let Some((solver, _)) = &mut self.0 else { return Answer::MateUnknown };
        let mut reports = ProgressReports::default();
        let mut go_on = |progress: &MateProgress<'_>| {
            reports.report(progress, limits.start, listener);
            !job.control.signals.poll() && deadline.is_none_or(|deadline| Instant::now() < deadline)
        };
        match solver.solve(&job.position, &question, &mut go_on).0 {
            MateResult::Mate(mate) => Answer::Mate(mate.line),
            MateResult::NoMate => Answer::NoMate,
            MateResult::Unknown => Answer::MateUnknown,
        }
    }
}

fn solver(mb: usize, listener: &dyn EngineListener) -> Option<MateSolver> {
    let mut solver = MateSolver::new(mb);
    if let Err(out_of_memory) = &solver {
        let used = FALLBACK_MB.min(mb);
        listener.note(&InfoMessage::MateOutOfMemory { reason: out_of_memory.to_string(), used });
        solver = MateSolver::new(used);
    }
    solver.ok()
}

/// State of the progress reports.
#[derive(Default)]
struct ProgressReports {
    at: Duration,
    plies: Option<u32>,
}

impl ProgressReports {
    /// Reports a better mate at once, otherwise at intervals.
    fn report(&mut self, progress: &MateProgress<'_>, start: Instant, listener: &dyn EngineListener) {
        let time = start.elapsed();
        let plies = progress.best.map(|mate| mate.plies);
        if plies != self.plies || time >= self.at + REPORT_INTERVAL {
            listener.mate_report(&MateReport { progress: *progress, time });
            *self = Self { at: time, plies };
        }
    }
}
