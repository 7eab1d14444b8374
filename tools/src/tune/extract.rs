//! Parallel extraction of samples from games: which games and positions are used.

use super::samples::{Label, Samples};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::index;
use sabi::eval::{Evaluation, Trace, Weights, evaluate};
use sabi::machine::parallel_map;
use sabi::search::{OutOfMemory, with_quiescence};
use sabi_records::{EndReason, Game};
use sabi_shogi::{Color, Position, Score, split_mix};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// Filter settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// Minimum rating of both sides, where known.
    pub min_rating: Option<f64>,
    /// Plies skipped at the start of a game.
    pub skip_opening: usize,
    /// Plies skipped at the end of a game.
    pub skip_end: usize,
    /// Maximum positions of a game, chosen at random.
    pub max_per_game: usize,
    /// Plies without a capture before a quiet position.
    pub quiet_plies: usize,
    /// Maximum difference between quiescence search and evaluation of a quiet position, in
    /// centipawns.
    pub quiet_margin: i32,
    /// Random seed.
    pub seed: u64,
}

/// Games and positions, used and left out.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterCounts {
    pub games: u64,
    pub games_used: u64,
    pub no_result: u64,
    pub unfinished: u64,
    pub rating: u64,
    pub positions: u64,
    pub positions_used: u64,
    pub in_check: u64,
    pub after_capture: u64,
    pub noisy: u64,
    pub duplicates: u64,
    pub over_cap: u64,
}

impl FilterCounts {
    /// Adds the counts of other games.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.games_used += other.games_used;
        self.no_result += other.no_result;
        self.unfinished += other.unfinished;
        self.rating += other.rating;
        self.positions += other.positions;
        self.positions_used += other.positions_used;
        self.in_check += other.in_check;
        self.after_capture += other.after_capture;
        self.noisy += other.noisy;
        self.duplicates += other.duplicates;
        self.over_cap += other.over_cap;
    }
}

/// The samples of one game.
#[derive(Clone, Debug, Default)]
pub struct GameSamples {
    /// One sample after the other.
    pub samples: Samples,
    /// Position keys, for duplicate detection.
    pub keys: Vec<u64>,
    /// Counts of this game.
    pub counts: FilterCounts,
}

impl Filter {
    /// Samples of a game. `number` is its number among all games; `quiescence` is the quiescence
    /// score for the side to move. Duplicates across games are not checked here.
    pub fn game_samples(
        &self,
        game: &Game,
        number: u64,
        weights: &Weights,
        quiescence: &mut dyn FnMut(&Position) -> Score,
    ) -> GameSamples {
        let mut game_samples = GameSamples::default();
        let counts = &mut game_samples.counts;
        counts.games = 1;
        let Some(half_points) = game.result.half_points(Color::Black) else {
            counts.no_result = 1;
            return game_samples;
        };
        if matches!(game.end, EndReason::Timeout | EndReason::Illegal | EndReason::Aborted) {
            counts.unfinished = 1;
            return game_samples;
        }
        if game.headers.ratings.iter().flatten().any(|&rating| self.min_rating.is_some_and(|least| rating < least)) {
            counts.rating = 1;
            return game_samples;
        }
        let mut position = game.start.clone();
        let (mut since_capture, mut quiet) = (0, Vec::new());
        for (ply, &mv) in game.moves.iter().enumerate() {
            let in_range = ply >= self.skip_opening && ply.saturating_add(self.skip_end) < game.moves.len();
            if in_range {
                counts.positions += 1;
                if position.in_check() {
                    counts.in_check += 1;
                } else if since_capture < self.quiet_plies {
                    counts.after_capture += 1;
                } else {
                    quiet.push((ply, position.clone()));
                }
            }
            since_capture = if position.piece_at(mv.to()).is_some() { 0 } else { since_capture + 1 };
            position.play(mv);
        }
        // More positions than needed are drawn, because some are not quiet: they are tried in a
        // fixed order.
        let mut random = SmallRng::seed_from_u64(split_mix(self.seed, number));
        let order = index::sample(&mut random, quiet.len(), quiet.len());
        let mut taken: Vec<(usize, &Position)> = Vec::new();
        for (tried, at) in order.into_iter().enumerate() {
            if taken.len() == self.max_per_game {
                counts.over_cap += (quiet.len() - tried) as u64;
                break;
            }
            let (ply, position) = &quiet[at];
            if (quiescence(position).get() - evaluate(position, weights)).abs() > self.quiet_margin {
                counts.noisy += 1;
            } else {
                taken.push((*ply, position));
            }
        }
        taken.sort_by_key(|(ply, _)| *ply);
        for (ply, position) in taken {
            // A decisive score carries no centipawn information.
            let score = game.scores.get(ply).copied().flatten().filter(|score| !score.is_decisive());
            let label = Label { half_points, score: score.map(|score| score.get() as i16) };
            let trace = Trace::new(position, weights);
            game_samples.samples.push(&trace.features, trace.phase, label);
            game_samples.keys.push(position.key());
        }
        game_samples.samples.end_game();
        game_samples
    }
}

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
