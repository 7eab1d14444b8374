//! Many games of the engine with itself at a time.

use super::config::{SelfPlayConfig, SelfPlayed};
use sabi::engine::UnusableEvaluation;
use sabi::search::{OutOfMemory, Searcher};
use sabi::util::{in_order, work_through};
use std::io;
use std::num::NonZeroUsize;

/// Why no games can be played.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// There is no memory for the tables.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The evaluation cannot be read.
    #[error(transparent)]
    Evaluation(#[from] UnusableEvaluation),
    /// There are no threads.
    #[error("no thread to play on")]
    Thread(#[from] io::Error),
    /// No opening was good enough for a game.
    #[error("seed {0} finds no opening after which the game is open")]
    NoOpening(u64),
}

/// Where games are played.
#[derive(Clone, Debug)]
pub struct SelfPlayRunner<'a> {
    /// How.
    pub config: &'a SelfPlayConfig,
    /// Games at a time, each on a thread of its own.
    pub threads: NonZeroUsize,
}

impl SelfPlayRunner<'_> {
    /// Plays the games of the seeds, and gives them in that order, whatever the number of threads. The work ends when `each` fails; the
    /// games under way are then lost.
    ///
    /// # Errors
    /// Those of `each`, and when there is no memory or thread for a searcher, or a seed finds no opening.
    pub fn play<E: From<SelfPlayError>>(
        &self,
        seeds: impl Iterator<Item = u64> + Send,
        mut each: impl FnMut(SelfPlayed) -> Result<(), E>,
    ) -> Result<(), E> {
        let searchers = self.searchers()?;
        work_through(
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
        Ok((0..self.threads.get()).map(|_| searcher()).collect::<Result<_, _>>()?)
    }
}
