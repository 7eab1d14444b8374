//! Self-play on several threads.

use super::config::{SelfPlayConfig, SelfPlayGame};
use sabi::engine::UnusableEvaluation;
use sabi::machine::{in_order, run_workers};
use sabi::search::{OutOfMemory, Searcher};
use std::io;

/// Self-play cannot run.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// Insufficient memory for the tables.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The evaluation cannot be read.
    #[error(transparent)]
    Evaluation(#[from] UnusableEvaluation),
    /// No thread could be started.
    #[error("no thread could be started")]
    Thread(#[from] io::Error),
    /// All openings of a seed were rejected.
    #[error("seed {0} has no usable opening: they are unbalanced, decided or too long")]
    NoOpening(u64),
}

impl SelfPlayConfig {
    /// Plays the seeds on several threads and passes the games to `each` in seed order. Stops when
    /// `each` fails; games in progress are then dropped.
    ///
    /// # Errors
    /// Errors of `each`, insufficient memory or threads, and seeds without an opening.
    pub fn play_all<E: From<SelfPlayError>>(
        &self,
        seeds: impl Iterator<Item = u64> + Send,
        threads: usize,
        mut each: impl FnMut(SelfPlayGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let searchers = self.searchers(threads)?;
        run_workers(
            searchers,
            seeds,
            |mut searcher, tasks| {
                tasks.work(|seed| self.play(seed, &mut searcher).ok_or(SelfPlayError::NoOpening(seed)));
            },
            |results| in_order(results).try_for_each(|played| each(played?)),
        )
        .map_err(SelfPlayError::Thread)?
    }

    fn searchers(&self, threads: usize) -> Result<Vec<Searcher>, SelfPlayError> {
        let evaluation = self.options.eval.evaluation()?;
        let searcher = || Searcher::with_evaluation(&self.options.resources, evaluation.clone());
        Ok((0..threads).map(|_| searcher()).collect::<Result<_, _>>()?)
    }
}
