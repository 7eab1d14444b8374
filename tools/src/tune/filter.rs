//! Which games teach something, and which of their positions.

use super::samples::{Label, Samples};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::index;
use sabi::eval::{Trace, Weights, evaluate};
use sabi::position::Position;
use sabi::record::{EndReason, Game, GameResult};
use sabi::types::Score;

/// What is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The least rating of both sides, as far as it is known.
    pub min_rating: Option<f64>,
    /// Plies left out at the beginning of a game: they say little of its end.
    pub skip_opening: usize,
    /// Plies left out at the end of a game: they are won by anybody.
    pub skip_end: usize,
    /// Positions from one game, at most: they are chosen by chance.
    pub max_per_game: usize,
    /// Plies without a capture before a position counts as quiet.
    pub quiet_plies: usize,
    /// How far the quiescence search may be from the evaluation of a quiet position, in centipawns.
    pub quiet_margin: i32,
    /// Of all choice by chance.
    pub seed: u64,
}

/// What became of games and positions.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say what was counted")]
pub struct Counts {
    pub games: u64,
    pub games_used: u64,
    pub no_result: u64,
    pub broken_off: u64,
    pub rating: u64,
    pub positions: u64,
    pub positions_used: u64,
    pub in_check: u64,
    pub after_capture: u64,
    pub noisy: u64,
    pub known_before: u64,
    pub over_cap: u64,
}

impl Counts {
    /// Adds the counts of other games.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.games_used += other.games_used;
        self.no_result += other.no_result;
        self.broken_off += other.broken_off;
        self.rating += other.rating;
        self.positions += other.positions;
        self.positions_used += other.positions_used;
        self.in_check += other.in_check;
        self.after_capture += other.after_capture;
        self.noisy += other.noisy;
        self.known_before += other.known_before;
        self.over_cap += other.over_cap;
    }
}

/// The samples of one game.
#[derive(Clone, Debug, Default)]
pub struct GameSamples {
    /// One sample after the other.
    pub samples: Samples,
    /// The keys of their positions, to tell which were known before.
    pub keys: Vec<u64>,
    /// What was left out.
    pub counts: Counts,
}

impl Filter {
    /// Takes the samples of a game. `number` is its number among all games; `quiescence` tells the score of a position for its side
    /// to move. Whether other games had the same positions is not asked here.
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
        let half_points = match game.result {
            GameResult::BlackWins => 2,
            GameResult::WhiteWins => 0,
            GameResult::Draw => 1,
            GameResult::Unknown => {
                counts.no_result = 1;
                return game_samples;
            }
        };
        if matches!(game.end, EndReason::Timeout | EndReason::Illegal | EndReason::Aborted) {
            counts.broken_off = 1;
            return game_samples;
        }
        if game.ratings.iter().flatten().any(|&rating| self.min_rating.is_some_and(|least| rating < least)) {
            counts.rating = 1;
            return game_samples;
        }
        let mut position = game.start.clone();
        let (mut calm, mut quiet) = (0, Vec::new());
        for (ply, &mv) in game.moves.iter().enumerate() {
            let in_range = ply >= self.skip_opening && ply + self.skip_end < game.moves.len();
            if in_range {
                counts.positions += 1;
                if position.in_check() {
                    counts.in_check += 1;
                } else if calm < self.quiet_plies {
                    counts.after_capture += 1;
                } else {
                    quiet.push((ply, position.clone()));
                }
            }
            calm = if position.piece_at(mv.to()).is_some() { 0 } else { calm + 1 };
            position.play(mv);
        }
        // Chance takes more than is wanted, because not all will turn out quiet: in a fixed order, until there are enough.
        let mut random = SmallRng::seed_from_u64(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
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
            // The number of a decided game says no more than that.
            let score = game.scores.get(ply).copied().flatten().filter(|score| !score.is_decisive());
            let label = Label { half_points, score: score.map(|score| score.get() as i16) };
            game_samples.samples.push(&Trace::new(position, weights), label);
            game_samples.keys.push(position.key());
        }
        game_samples.samples.end_game();
        game_samples
    }
}
