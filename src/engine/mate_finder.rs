//! Mate searches and their solver.

use super::job::MateTask;
use super::{Answer, InfoMessage, Listener, MateReport};
use crate::mate::solver::{MateProgress, MateResult, MateSolver};
use crate::search::Signals;
use sabi_shogi::Position;
use std::time::{Duration, Instant};

/// Interval of progress reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
/// Solver memory when the requested size cannot be allocated: enough for most mates.
const FALLBACK_MB: usize = 16;

/// The solver, allocated at the first mate search.
#[derive(Default)]
pub(super) struct MateFinder {
    solver: Option<CachedSolver>,
}

struct CachedSolver {
    solver: MateSolver,
    /// Requested size, which may be more than was allocated.
    wanted_mb: usize,
}

impl MateFinder {
    /// Searches until a mate is found, a limit is reached, or stopped.
    pub(super) fn find(
        &mut self,
        position: &Position,
        task: &MateTask,
        signals: &Signals,
        listener: &dyn Listener,
    ) -> Answer {
        if self.solver.as_ref().is_none_or(|cached_solver| cached_solver.wanted_mb != task.hash_mb) {
            self.solver = None;
            self.solver = cached_solver(task.hash_mb, listener);
        }
        let Some(CachedSolver { solver, .. }) = &mut self.solver else { return Answer::MateUnknown };
        let mut reports = ProgressReports::default();
        let mut go_on = |progress: &MateProgress<'_>| {
            reports.report(progress, task.start, listener);
            !signals.poll() && task.deadline.is_none_or(|deadline| Instant::now() < deadline)
        };
        match solver.solve(position, &task.question, &mut go_on).0 {
            MateResult::Mate(mate) => Answer::Mate(mate.line),
            MateResult::NoMate => Answer::NoMate,
            MateResult::Unknown => Answer::MateUnknown,
        }
    }
}

fn cached_solver(wanted_mb: usize, listener: &dyn Listener) -> Option<CachedSolver> {
    let mut solver = MateSolver::new(wanted_mb);
    if let Err(out_of_memory) = &solver {
        let used = FALLBACK_MB.min(wanted_mb);
        listener.note(&InfoMessage::MateOutOfMemory { reason: out_of_memory.to_string(), used });
        solver = MateSolver::new(used);
    }
    solver.ok().map(|solver| CachedSolver { solver, wanted_mb })
}

/// State of the progress reports.
#[derive(Default)]
struct ProgressReports {
    at: Duration,
    plies: Option<u32>,
}

impl ProgressReports {
    /// Reports a better mate at once, otherwise at intervals.
    fn report(&mut self, progress: &MateProgress<'_>, start: Instant, listener: &dyn Listener) {
        let time = start.elapsed();
        let plies = progress.best.map(|mate| mate.plies);
        if plies != self.plies || time >= self.at + REPORT_INTERVAL {
            listener.mate_report(&MateReport { progress: *progress, time });
            *self = Self { at: time, plies };
        }
    }
}
