//! How far a game has come, for networks whose layers depend on it.

use super::features::Features;
use crate::position::Position;
use crate::types::Color;

/// A number for each piece with the square of the own king, for both sides; their sum `s` with the
/// bias, divided by 65536, is the progress `1 / (1 + exp(-s))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is added.
    pub bias: i32,
    /// As the inputs of HalfKP: [`Progress::WEIGHTS`].
    pub weights: Vec<i32>,
}

impl Progress {
    /// How many weights there are.
    pub const WEIGHTS: usize = Features::HalfKp.inputs();
    /// Progress is a number below this.
    pub(super) const STEPS: usize = 256;

    /// The progress of a position, from 0 to 255.
    pub(super) fn of(&self, position: &Position) -> usize {
        let mut sum = i64::from(self.bias);
        for color in Color::ALL {
            Features::HalfKp.each(position, color, |input| sum += i64::from(self.weights[input]));
        }
        // As many steps as thresholds are not above the sum.
        let (mut from, mut to) = (1, Self::STEPS);
        while from < to {
            let middle = usize::midpoint(from, to);
            if threshold(middle) <= sum { from = middle + 1 } else { to = middle }
        }
        from - 1
    }
}

/// The least sum for the progress `step / 256`.
fn threshold(step: usize) -> i64 {
    let share = step as f64 / Progress::STEPS as f64;
    ((share / (1.0 - share)).ln() * 65536.0).round() as i64
}
