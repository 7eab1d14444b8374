//! Game progress, for networks with progress buckets.

use super::features::Features;
use sabi_shogi::{Color, Position};

/// `progress = 1 / (1 + exp(-s / 65536))`, where `s` is the bias plus the sum of a weight for each
/// piece x own king square, over both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bias.
    pub bias: i32,
    /// Indexed by HalfKP features: [`Progress::WEIGHTS`].
    pub weights: Vec<i32>,
}

impl Progress {
    /// Number of weights.
    pub const WEIGHTS: usize = Features::HalfKp.inputs();
    /// Progress is quantised to this many steps.
    pub(super) const STEPS: usize = 256;

    /// The progress of a position, from 0 to 255.
    pub(super) fn of(&self, position: &Position) -> usize {
        let mut sum = i64::from(self.bias);
        for color in Color::ALL {
            Features::HalfKp.for_each_active(position, color, |input| sum += i64::from(self.weights[input]));
        }
        // The number of thresholds not above the sum.
        let (mut from, mut to) = (1, Self::STEPS);
        while from < to {
            let middle = usize::midpoint(from, to);
            if threshold(middle) <= sum { from = middle + 1 } else { to = middle }
        }
        from - 1
    }
}

/// The minimum sum of progress `step / 256`.
fn threshold(step: usize) -> i64 {
    let share = step as f64 / Progress::STEPS as f64;
    ((share / (1.0 - share)).ln() * 65536.0).round() as i64
}
