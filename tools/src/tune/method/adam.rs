//! Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015,
//! <https://arxiv.org/abs/1412.6980>).

use super::Function;
use serde::{Deserialize, Serialize};

/// Decay of the first moment.
const BETA1: f64 = 0.9;
/// Decay of the second moment.
const BETA2: f64 = 0.999;
/// Avoids division by zero.
const EPSILON: f64 = 1e-12;

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Adam {
    point: Vec<f64>,
    means: Vec<f64>,
    squares: Vec<f64>,
    rate: f64,
    steps: i32,
}

impl Adam {
    pub fn new(start: Vec<f64>, rate: f64) -> Self {
        let zero = vec![0.0; start.len()];
        Self { point: start, means: zero.clone(), squares: zero, rate, steps: 0 }
    }

    pub fn step(&mut self, function: &dyn Function) -> f64 {
        let (value, gradients) = function.gradient(&self.point);
        self.steps += 1;
        let (mean_share, square_share) = (1.0 - BETA1.powi(self.steps), 1.0 - BETA2.powi(self.steps));
        let state = self.means.iter_mut().zip(&mut self.squares);
        for ((number, (mean, square)), gradient) in self.point.iter_mut().zip(state).zip(gradients) {
            *mean = BETA1 * *mean + (1.0 - BETA1) * gradient;
            *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
            *number -= self.rate * (*mean / mean_share) / ((*square / square_share).sqrt() + EPSILON);
        }
        value
    }

    pub fn point(&self) -> &[f64] {
        &self.point
    }
}
