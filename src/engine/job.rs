//! Jobs of the engine's thread, and how they are stopped.

use super::{Answer, BookOptions, EvalOptions, Level, Options, Outcome};
use crate::mate::solver::MateQuestion;
use crate::search::{Limits, PonderHit, Resources, Settings, Signals};
use sabi_shogi::Position;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A job with all its inputs.
pub(super) struct Job {
    pub setup: Setup,
    pub position: Position,
    pub work: Work,
    pub control: Arc<Control>,
}

/// Setup required before the job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setup {
    pub resources: Resources,
    pub book: BookOptions,
    pub eval: EvalOptions,
    /// Whether the histories and tables are from another game.
    pub new_game: bool,
}

pub(super) enum Work {
    /// Set up and answer.
    Prepare,
    /// Clear everything.
    Clear,
    /// The game ended at the position with this outcome: append its book moves to the learning
    /// file.
    Learn {
        outcome: Outcome,
        _pending_write: PendingWrite,
    },
    Search(Box<SearchRequest>),
    /// Give this answer, not before a search with these limits could.
    Answer(Answer, Limits),
    Mate(MateTask),
    Perft(u32),
    /// The default bench with these options.
    Bench(Box<Options>),
}

/// Number of pending file writes.
#[derive(Clone, Debug, Default)]
pub struct PendingWrites(Arc<AtomicUsize>);

impl PendingWrites {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.load(Ordering::Acquire) == 0
    }

    /// Adds one until the returned guard is dropped.
    pub(super) fn add(&self) -> PendingWrite {
        self.0.fetch_add(1, Ordering::Release);
        PendingWrite(self.clone())
    }
}

/// Guard of one pending write in [`PendingWrites`].
pub(super) struct PendingWrite(PendingWrites);

impl Drop for PendingWrite {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Release);
    }
}

pub(super) struct SearchRequest {
    pub limits: Limits,
    pub settings: Settings,
    /// Playing level; `None`: full strength.
    pub level: Option<Level>,
    /// Resign at this many centipawns behind.
    pub resign: Option<i32>,
    /// Position to ponder on first, until ponder hit or stop.
    pub earlier: Option<Position>,
}

/// A mate search.
pub(super) struct MateTask {
    pub question: MateQuestion,
    pub start: Instant,
    /// Not beyond this moment.
    pub deadline: Option<Instant>,
    /// Solver memory, in MB.
    pub hash_mb: usize,
}

/// Parameters of a mate search.
#[derive(Copy, Clone, Debug)]
pub struct MateRequest {
    /// When it was received; all times count from here.
    pub start: Instant,
    /// The number of `go mate`, in the unit of `MateLimitUnit`.
    pub limit: Option<u64>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Maximum mate length.
    pub plies: Option<u32>,
    /// Time limit in milliseconds.
    pub ms: Option<u64>,
}

/// Control of a job from the commanding side.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// Signals of the job.
    pub signals: Signals,
    /// Signals of its stochastic ponder search, if any.
    pub earlier: Signals,
    /// How often the answer was asked for again, and [`FINISHED`].
    further: AtomicUsize,
}

/// Added to the number of further answers when the job is finished.
const FINISHED: usize = 1 << (usize::BITS - 1);

impl Control {
    pub fn stop(&self) {
        self.signals.stop();
        self.earlier.stop();
    }

    /// Signal the job before stopping the ponder search, so that the job sees the hit.
    pub fn ponder_hit(&self, hit: PonderHit) {
        self.signals.ponder_hit(hit);
        self.earlier.stop();
    }

    /// Asks for the answer once more; false if the job is finished.
    pub fn ask_again(&self) -> bool {
        self.further.fetch_add(1, Ordering::AcqRel) < FINISHED
    }

    /// Called before the answer is given, so that the job counts as finished when the answer
    /// arrives. Returns how often it was asked for again.
    pub fn finish(&self) -> usize {
        self.further.fetch_or(FINISHED, Ordering::AcqRel)
    }

    /// Whether it runs and was not stopped.
    pub fn is_running(&self) -> bool {
        !self.is_finished() && !self.signals.is_stopped()
    }

    pub fn is_finished(&self) -> bool {
        self.further.load(Ordering::Acquire) >= FINISHED
    }
}
