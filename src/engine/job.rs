//! Jobs of the engine's thread, and how they are stopped.

use super::{Answer, Options};
use crate::search::{Limits, PonderHit, Signals};
use sabi_shogi::Position;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the engine is asked to do.
#[derive(Clone, Debug)]
pub enum Task {
    /// Set up for a search, and answer.
    Prepare,
    /// Clear tables and histories, after the running job.
    Clear,
    /// The game ended at the position with this outcome: append its book moves to the learning
    /// file.
    GameOver(GameOutcome),
    /// Search for the best move.
    Search(Limits),
    /// Give this answer to an impossible request, not before a search with these limits could.
    Answer(Answer, Limits),
    /// Search for a mate by checks, at most of `depth` plies, and with no time but `movetime`.
    Mate {
        /// Limits of the search.
        limits: Limits,
        /// The number of `go mate`, in the unit of `MateLimitUnit`.
        number: Option<u64>,
    },
    /// Perft to this depth.
    Perft(u32),
    /// Bench at the default depth, with separate tables and default options.
    Bench,
}

/// Outcome of a game for the engine's side.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum GameOutcome {
    Win,
    Lose,
    Draw,
}

/// A task with all its inputs.
pub(super) struct Job {
    pub task: Task,
    pub options: Options,
    pub position: Position,
    /// Whether the histories and tables are from another game.
    pub new_game: bool,
    pub control: Arc<Control>,
    pub _pending_write: Option<PendingWrite>,
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

/// Control of a job from the commanding side.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// Whether it starts on the opponent's time.
    pub ponders: bool,
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
    pub fn new(task: &Task) -> Self {
        let ponders = matches!(task, Task::Search(limits) | Task::Answer(_, limits) if limits.is_pondering());
        Self { ponders, ..Self::default() }
    }

    pub fn stop(&self) {
        self.signals.stop();
        self.earlier.stop();
    }

    /// Passes a ponder hit on, the first one of a job that ponders; false otherwise. The job is
    /// signalled before its ponder search is stopped, so that it sees the hit.
    pub fn ponder_hit(&self, hit: PonderHit) -> bool {
        let ponders = self.ponders && self.is_running() && self.signals.received_ponder_hit().is_none();
        if ponders {
            self.signals.ponder_hit(hit);
            self.earlier.stop();
        }
        ponders
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
