//! Parallel extraction of samples from games.

use super::filter::{Filter, FilterCounts, GameSamples};
use super::samples::Samples;
use sabi::eval::{Evaluation, Weights};
use sabi::search::{OutOfMemory, with_quiescence};
use sabi::util::parallel_map;
use sabi_records::Game;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// Games of a batch. Memory depends on this, not on the number of games.
const BATCH: usize = 1024;

/// Extracts samples from games. Equal games in equal order give equal samples with any number of
/// threads.
pub struct Extraction<'a> {
    filter: Filter,
    threads: usize,
    weights: &'a Weights,
    batch: Vec<Game>,
    /// Keys of all positions so far.
    seen_keys: HashSet<u64>,
    samples: Samples,
    counts: FilterCounts,
}

impl<'a> Extraction<'a> {
    /// The weights decide which positions are quiet.
    pub fn new(filter: Filter, threads: usize, weights: &'a Weights) -> Self {
        let (seen_keys, samples, counts) = Default::default();
        Self { filter, threads: threads.max(1), weights, batch: Vec::with_capacity(BATCH), seen_keys, samples, counts }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When memory is insufficient.
    pub fn add(&mut self, game: Game) -> Result<(), OutOfMemory> {
        self.batch.push(game);
        if self.batch.len() < BATCH { Ok(()) } else { self.process_batch() }
    }

    /// All samples.
    ///
    /// # Errors
    /// When memory is insufficient.
    pub fn finish(mut self) -> Result<(Samples, FilterCounts), OutOfMemory> {
        self.process_batch()?;
        Ok((self.samples, self.counts))
    }

    fn process_batch(&mut self) -> Result<(), OutOfMemory> {
        let batch_samples = self.game_samples()?;
        for game_samples in batch_samples {
            self.counts.add(&game_samples.counts);
            for (at, &key) in game_samples.keys.iter().enumerate() {
                if self.seen_keys.insert(key) {
                    self.samples.push_from(&game_samples.samples, at);
                    self.counts.positions_used += 1;
                } else {
                    self.counts.duplicates += 1;
                }
            }
            let games = self.samples.game_count();
            self.samples.end_game();
            self.counts.games_used += (self.samples.game_count() - games) as u64;
        }
        self.batch.clear();
        Ok(())
    }

    /// Samples of each game of the batch, in order.
    fn game_samples(&self) -> Result<Vec<GameSamples>, OutOfMemory> {
        let evaluation = Evaluation::from(self.weights.clone());
        let first = self.counts.games;
        let failure = Mutex::new(None);
        let batch_samples = parallel_map(0..self.batch.len(), self.threads, |tasks| {
            let outcome = with_quiescence(&evaluation, |quiescence| {
                let mut game_samples =
                    |at: usize| self.filter.game_samples(&self.batch[at], first + at as u64, self.weights, quiescence);
                tasks.work(&mut game_samples);
            });
            if let Err(out_of_memory) = outcome {
                *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(out_of_memory);
            }
        });
        // A thread that ran out of memory leaves its games to the others.
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(out_of_memory) if batch_samples.len() < self.batch.len() => Err(out_of_memory),
            _ => Ok(batch_samples),
        }
    }
}
