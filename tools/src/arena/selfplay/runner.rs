//! Self-play on several threads.

use super::config::{SelfPlayConfig, SelfPlayGame};
use sabi::engine::UnusableEvaluation;
use sabi::search::{OutOfMemory, Searcher};
use sabi::util::{in_order, run_workers};
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

/// Where games are played.
#[derive(Clone, Debug)]
pub struct SelfPlayRunner<'a> {
    /// Settings of all games.
    pub config: &'a SelfPlayConfig,
    /// Number of threads, one game on each.
    pub threads: usize,
}

impl SelfPlayRunner<'_> {
    /// Plays the seeds and passes the games to `each` in seed order. Stops when `each` fails; games
    /// in progress are then dropped.
    ///
    /// # Errors
    /// Errors of `each`, insufficient memory or threads, and seeds without an opening.
    pub fn play<E: From<SelfPlayError>>(
        &self,
        seeds: impl Iterator<Item = u64> + Send,
        mut each: impl FnMut(SelfPlayGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let searchers = self.searchers()?;
        run_workers(
            searchers,
            seeds,
            |mut searcher, tasks| {
                tasks.work(|seed| self.config.play(seed, &mut searcher).ok_or(SelfPlayError::NoOpening(seed)));
            },
            |results| in_order(results).try_for_each(|played| each(played?)),
        )
        .map_err(SelfPlayError::Thread)?
    }

    fn searchers(&self) -> Result<Vec<Searcher>, SelfPlayError> {
        let evaluation = self.config.options.evaluation()?;
        let searcher = || Searcher::with_evaluation(&self.config.options.resources, evaluation.clone());
        Ok((0..self.threads).map(|_| searcher()).collect::<Result<_, _>>()?)
    }
}
