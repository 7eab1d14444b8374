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
    pub point: Vec<f64>,
    /// First and second moments of the gradients: `m` and `v` of the paper.
    m: Vec<f64>,
    v: Vec<f64>,
    learning_rate: f64,
    steps: i32,
}

impl Adam {
    pub fn new(start: Vec<f64>, learning_rate: f64) -> Self {
        let zero = vec![0.0; start.len()];
        Self { point: start, m: zero.clone(), v: zero, learning_rate, steps: 0 }
    }

    pub fn step(&mut self, function: &dyn Function) -> f64 {
        let (cost, gradients) = function.gradient(&self.point);
        self.steps += 1;
        let (m_correction, v_correction) = (1.0 - BETA1.powi(self.steps), 1.0 - BETA2.powi(self.steps));
        let moments = self.m.iter_mut().zip(&mut self.v);
        for ((value, (m, v)), gradient) in self.point.iter_mut().zip(moments).zip(gradients) {
            *m = BETA1 * *m + (1.0 - BETA1) * gradient;
            *v = BETA2 * *v + (1.0 - BETA2) * gradient * gradient;
            *value -= self.learning_rate * (*m / m_correction) / ((*v / v_correction).sqrt() + EPSILON);
        }
        cost
    }
}
