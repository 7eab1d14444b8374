//! Floor 5: search.

mod limits;
mod report;
mod settings;
mod signals;

pub use limits::{GameClock, Limits, TimeControl};
pub use report::{BestMove, Outcome, Report};
pub use settings::{Settings, TimeSettings};
pub use signals::{PonderHit, Signals};

use crate::position::Position;
use std::io;

/// Everything a search needs that outlives it: the shared table and the workers with their histories.
pub struct Searcher {}

impl Searcher {
    /// Allocates a table of `hash_mb` MiB and prepares `threads` workers.
    ///
    /// # Errors
    /// When the memory is refused.
    pub fn new(hash_mb: usize, threads: usize) -> io::Result<Self> {
        let _ = (hash_mb, threads);
        Ok(Self {})
    }

    /// Changes table size and number of workers where they differ; nothing changes on error.
    ///
    /// # Errors
    /// When the memory is refused.
    pub fn configure(&mut self, hash_mb: usize, threads: usize) -> io::Result<()> {
        let _ = (hash_mb, threads);
        Ok(())
    }

    /// Forgets everything learnt: table and histories.
    pub fn new_game(&mut self) {}

    /// Searches; returns when a limit is reached or `signals` say so, never before stop or ponder hit when the order is to
    /// ponder or to go on without end.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        settings: &Settings,
        signals: &Signals,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome {
        let _ = (position, limits, settings, signals, report);
        unreachable!("being written")
    }
}
