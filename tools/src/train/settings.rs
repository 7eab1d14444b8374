//! Training settings: network, targets, schedule.

use sabi::eval::nnue::{Buckets, Features, Shape};
use sabi_shogi::Score;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Warm-up as a share of all batches.
const WARM_UP: f64 = 0.01;
/// Final learning rate as a share of the maximum.
const FINAL_LEARNING_RATE: f64 = 0.01;

/// Maximum absolute search score of a target, in centipawns; mates are above it.
pub(super) const MAX_SCORE: i32 = 2000;

/// Training settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingSettings {
    /// Input features.
    pub features: Features,
    /// First-layer outputs per perspective.
    pub width: usize,
    /// Layer stacks.
    pub buckets: Buckets,
    /// Weight of the search score in the target; the rest is the λ-return of the game.
    pub score_share: f64,
    /// λ of the return: 1 is the result of the game alone.
    pub lambda: f64,
    /// Scale of the expected score: `p = 1 / (1 + exp(-cp / scale))`.
    pub scale: f64,
    /// Epochs.
    pub epochs: usize,
    /// Batch size.
    pub batch_size: usize,
    /// Maximum learning rate.
    pub learning_rate: f64,
    /// Weight decay.
    pub weight_decay: f64,
    /// Share of games in the validation set.
    pub validation_share: f64,
    /// Random seed.
    pub seed: u64,
}

impl TrainingSettings {
    /// Scales with which the output layer can be quantised: its weights are neither all 0 nor all
    /// clipped.
    pub const SCALES: RangeInclusive<f64> = 50.0..=5000.0;

    /// The shape of the network.
    pub fn shape(&self) -> Shape {
        Shape { features: self.features, width: self.width, buckets: self.buckets, ..Shape::KP }
    }

    /// Expected score at a search score.
    pub(super) fn expected(&self, score: Score) -> f64 {
        let score = score.get().clamp(-MAX_SCORE, MAX_SCORE);
        1.0 / (1.0 + (-f64::from(score) / self.scale).exp())
    }

    /// Learning rate at this share of all steps.
    pub(super) fn learning_rate_at(&self, part: f64) -> f64 {
        if part < WARM_UP {
            return self.learning_rate * (part / WARM_UP).max(0.01);
        }
        let cosine = (1.0 + (std::f64::consts::PI * ((part - WARM_UP) / (1.0 - WARM_UP)).min(1.0)).cos()) / 2.0;
        self.learning_rate * (FINAL_LEARNING_RATE + (1.0 - FINAL_LEARNING_RATE) * cosine)
    }
}
