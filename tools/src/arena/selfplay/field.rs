//! Many games of the engine with itself at a time.

use super::recipe::{Recipe, SelfPlayed};
use sabi::engine::UnusableEvaluation;
use sabi::search::{Refusal, Searcher};
use sabi::util::{SetOnDrop, in_order};
use std::io;
use std::iter::Enumerate;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The deep lines of a search need more than the usual stack.
const STACK_BYTES: usize = 64 << 20;

/// Why no games can be played.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// There is no memory for the tables.
    #[error(transparent)]
    Refusal(#[from] Refusal),
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
pub struct Field<'a> {
    /// How.
    pub recipe: &'a Recipe,
    /// Games at a time, each on a thread of its own.
    pub threads: NonZeroUsize,
}

impl Field<'_> {
    /// Plays the games of the seeds, and gives them in that order, whatever the number of threads. `ended` may stop it; the games under
    /// way are then lost.
    ///
    /// # Errors
    /// When there is no memory or thread for a searcher, or a seed finds no opening.
    pub fn play(
        &self,
        seeds: impl Iterator<Item = u64> + Send,
        mut ended: impl FnMut(SelfPlayed) -> ControlFlow<()>,
    ) -> Result<(), SelfPlayError> {
        let evaluation = self.recipe.options.evaluation()?;
        let searcher = || Searcher::with_evaluation(&self.recipe.options.equipment, evaluation.clone());
        let searchers = (0..self.threads.get()).map(|_| searcher()).collect::<Result<Vec<_>, _>>()?;
        let seeds = Mutex::new(seeds.enumerate());
        let work = Work { recipe: self.recipe, seeds, stopped: AtomicBool::new(false) };
        thread::scope(|scope| {
            // The players end with this thread, also when it fails.
            let _guard = SetOnDrop(&work.stopped);
            let (sender, receiver) = channel();
            for mut searcher in searchers {
                let (work, sender) = (&work, sender.clone());
                let play = move || work.play(&mut searcher, &sender);
                thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, play)?;
            }
            drop(sender);
            for played in in_order(receiver) {
                if ended(played?).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }
}

/// What the players share.
struct Work<'a, I> {
    recipe: &'a Recipe,
    /// The seeds nobody has taken, each with its place in the order.
    seeds: Mutex<Enumerate<I>>,
    stopped: AtomicBool,
}

impl<I: Iterator<Item = u64>> Work<'_, I> {
    /// Takes seeds until there are none, or until it is told to stop.
    fn play(&self, searcher: &mut Searcher, sender: &Sender<(usize, Result<SelfPlayed, SelfPlayError>)>) {
        let next = || self.seeds.lock().unwrap_or_else(PoisonError::into_inner).next();
        while !self.stopped.load(Ordering::Relaxed)
            && let Some((at, seed)) = next()
        {
            let played = self.recipe.play(seed, searcher).ok_or(SelfPlayError::NoOpening(seed));
            if sender.send((at, played)).is_err() {
                return;
            }
        }
    }
}
