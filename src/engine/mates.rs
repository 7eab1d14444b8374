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
const MODEST_MB: usize = 16;

/// The solver, once there was something to solve.
#[derive(Default)]
pub(super) struct Mates {
    solver: Option<Seat>,
}

struct Seat {
    solver: MateSolver,
    /// What was asked for, which may be more than could be had.
    wanted_mb: usize,
}

impl Mates {
    /// Looks for a mate until it is found, a limit is reached, or a signal ends it.
    pub(super) fn find(
        &mut self,
        position: &Position,
        task: &MateTask,
        signals: &Signals,
        listener: &dyn Listener,
    ) -> Answer {
        if self.solver.as_ref().is_none_or(|seat| seat.wanted_mb != task.hash_mb) {
            self.solver = None;
            self.solver = seat(task.hash_mb, listener);
        }
        let Some(Seat { solver, .. }) = &mut self.solver else { return Answer::MateUnknown };
        let mut told = Told::default();
        let mut go_on = |progress: &MateProgress<'_>| {
            told.tell(progress, task.start, listener);
            !signals.is_stopped() && task.deadline.is_none_or(|deadline| Instant::now() < deadline)
        };
        match solver.solve(position, &task.question, &mut go_on).0 {
            MateResult::Mate(mate) => Answer::Mate(mate.line),
            MateResult::NoMate => Answer::NoMate,
            MateResult::Unknown => Answer::MateUnknown,
        }
    }
}

fn seat(wanted_mb: usize, listener: &dyn Listener) -> Option<Seat> {
    let mut solver = MateSolver::new(wanted_mb);
    if let Err(refusal) = &solver {
        let used = MODEST_MB.min(wanted_mb);
        listener.note(&Note::MateHashRefused { reason: refusal.to_string(), used });
        solver = MateSolver::new(used);
    }
    solver.ok().map(|solver| Seat { solver, wanted_mb })
}

/// What was told already.
#[derive(Default)]
struct Told {
    at: Duration,
    plies: Option<u32>,
}

impl Told {
    /// Tells of a better mate at once, and of everything else now and then.
    fn tell(&mut self, progress: &MateProgress<'_>, start: Instant, listener: &dyn Listener) {
        let time = start.elapsed();
        let plies = progress.best.map(|mate| mate.plies);
        if plies != self.plies || time >= self.at + NEWS_INTERVAL {
            listener.mate_news(&MateNews { progress: *progress, time });
            *self = Self { at: time, plies };
        }
    }
}
