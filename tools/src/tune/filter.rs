//! Choice of games and positions for samples.

use super::samples::{Label, Samples};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::index;
use sabi::eval::{Trace, Weights, evaluate};
use sabi_records::{EndReason, Game};
use sabi_shogi::{Color, Position, Score, split_mix};

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
#[expect(missing_docs, reason = "the names say what was counted")]
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
            game_samples.samples.push(&Trace::new(position, weights), label);
            game_samples.keys.push(position.key());
        }
        game_samples.samples.end_game();
        game_samples
    }
}
