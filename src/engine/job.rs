//! What the engine's thread is asked to do, and how it is told to end.

use super::{Answer, BookOptions, EvalOptions, Level, Options, Outcome};
use crate::mate::solver::MateQuestion;
use crate::position::Position;
use crate::search::{Limits, PonderHit, Resources, Settings, Signals};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// One thing to do, with everything it needs.
pub(super) struct Job {
    pub setup: Setup,
    pub position: Position,
    pub work: Work,
    pub control: Arc<Control>,
}

/// What must stand before the work begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setup {
    pub resources: Resources,
    pub book: BookOptions,
    pub eval: EvalOptions,
    /// Whether what was learnt so far belongs to another game.
    pub new_game: bool,
}

pub(super) enum Work {
    /// Set up, and say so.
    Prepare,
    /// Forget everything learnt.
    Forget,
    /// The game that was on ended like this at the position; note what came from the book.
    Learn {
        outcome: Outcome,
        _unsaved: OneUnsaved,
    },
    Search(Box<SearchOrder>),
    /// Give this answer, no earlier than a search with these limits could.
    Decline(Answer, Limits),
    Mate(MateTask),
    Perft(u32),
    /// The usual bench with these options.
    Bench(Box<Options>),
}

/// How many things are still to be written to files.
#[derive(Clone, Debug, Default)]
pub struct Unsaved(Arc<AtomicUsize>);

impl Unsaved {
    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.0.load(Ordering::Acquire) == 0
    }

    /// Counts one more, until what is returned is dropped.
    pub(super) fn another(&self) -> OneUnsaved {
        self.0.fetch_add(1, Ordering::Release);
        OneUnsaved(self.clone())
    }
}

/// One of the things that are [`Unsaved`].
pub(super) struct OneUnsaved(Unsaved);

impl Drop for OneUnsaved {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Release);
    }
}

pub(super) struct SearchOrder {
    pub limits: Limits,
    pub settings: Settings,
    /// The level to play at; full strength when `None`.
    pub level: Option<Level>,
    /// At this many centipawns behind, give up.
    pub resign: Option<i32>,
    /// The position to ponder about first, until the ponder hit or stop.
    pub earlier: Option<Position>,
}

/// A mate to be found.
pub(super) struct MateTask {
    pub question: MateQuestion,
    pub start: Instant,
    /// Not beyond this moment.
    pub deadline: Option<Instant>,
    /// MB of the solver's memory.
    pub hash_mb: usize,
}

/// One order to find a mate.
#[derive(Copy, Clone, Debug)]
pub struct MateOrder {
    /// When the order was received: all time counts from here.
    pub start: Instant,
    /// The number that came with the order, in the unit that an option says.
    pub limit: Option<u64>,
    /// Look at no more positions than this.
    pub nodes: Option<u64>,
    /// Look for no longer mate than this.
    pub plies: Option<u32>,
}

/// The commanding side of a job.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// Of the job.
    pub signals: Signals,
    /// Of the search that comes before it, where there is one.
    pub earlier: Signals,
    finished: AtomicBool,
}

impl Control {
    pub fn stop(&self) {
        self.signals.stop();
        self.earlier.stop();
    }

    /// The hit is told to the job before the search in front of it is ended, so that the job finds it.
    pub fn ponder_hit(&self, hit: PonderHit) {
        self.signals.ponder_hit(hit);
        self.earlier.stop();
    }

    /// Called before the answer is given, so that the job is finished when the answer arrives.
    pub fn finish(&self) {
        self.finished.store(true, Ordering::Release);
    }

    /// Whether it goes on until it is told to end.
    pub fn is_running(&self) -> bool {
        !self.finished.load(Ordering::Acquire) && !self.signals.is_stopped()
    }

    pub fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }
}
