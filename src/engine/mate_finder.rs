//! Orders to find a mate, and the solver that lives as long as they come.

use super::job::MateTask;
use super::{Answer, Listener, MateNews, Note};
use crate::mate::solver::{MateProgress, MateResult, MateSolver};
use crate::position::Position;
use crate::search::Signals;
use std::time::{Duration, Instant};

/// How often somebody who waits for a mate is told how far the search is.
const NEWS_INTERVAL: Duration = Duration::from_secs(1);
/// Where the memory asked for cannot be had, this much is enough for most mates.
const FALLBACK_MB: usize = 16;

/// The solver, once there was something to solve.
#[derive(Default)]
pub(super) struct MateFinder {
    solver: Option<SolverSlot>,
}

struct SolverSlot {
    solver: MateSolver,
    /// What was asked for, which may be more than could be had.
    wanted_mb: usize,
}

impl MateFinder {
    /// Looks for a mate until it is found, a limit is reached, or a signal ends it.
    pub(super) fn find(
        &mut self,
        position: &Position,
        task: &MateTask,
        signals: &Signals,
        listener: &dyn Listener,
    ) -> Answer {
        if self.solver.as_ref().is_none_or(|solver_slot| solver_slot.wanted_mb != task.hash_mb) {
            self.solver = None;
            self.solver = solver_slot(task.hash_mb, listener);
        }
        let Some(SolverSlot { solver, .. }) = &mut self.solver else { return Answer::MateUnknown };
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

fn solver_slot(wanted_mb: usize, listener: &dyn Listener) -> Option<SolverSlot> {
    let mut solver = MateSolver::new(wanted_mb);
    if let Err(out_of_memory) = &solver {
        let used = FALLBACK_MB.min(wanted_mb);
        listener.note(&Note::MateHashRefused { reason: out_of_memory.to_string(), used });
        solver = MateSolver::new(used);
    }
    solver.ok().map(|solver| SolverSlot { solver, wanted_mb })
}

/// What was told already.
#[derive(Default)]
struct ProgressReports {
    at: Duration,
    plies: Option<u32>,
}

impl ProgressReports {
    /// Tells of a better mate at once, and of everything else now and then.
    fn report(&mut self, progress: &MateProgress<'_>, start: Instant, listener: &dyn Listener) {
        let time = start.elapsed();
        let plies = progress.best.map(|mate| mate.plies);
        if plies != self.plies || time >= self.at + NEWS_INTERVAL {
            listener.mate_news(&MateNews { progress: *progress, time });
            *self = Self { at: time, plies };
        }
    }
}
