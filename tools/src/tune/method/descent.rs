//! Gradient descent with momentum. A step that raises the value is undone and the learning rate
//! reduced; a good step raises it ("bold driver": Vogl et al., "Accelerating the convergence of the
//! back-propagation method", 1988).

use super::Function;
use serde::{Deserialize, Serialize};

/// Momentum.
const MOMENTUM: f64 = 0.9;
const GROWTH: f64 = 1.1;
const SHRINKAGE: f64 = 0.5;

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Descent {
    point: Vec<f64>,
    /// Value and gradient at the point, once computed.
    cached: Option<(f64, Vec<f64>)>,
    velocity: Vec<f64>,
    /// Largest parameter change in the first step.
    first: f64,
    /// Learning rate; set by the first step.
    rate: Option<f64>,
}

impl Descent {
    pub fn new(start: Vec<f64>, first: f64) -> Self {
        let velocity = vec![0.0; start.len()];
        Self { point: start, cached: None, velocity, first, rate: None }
    }

    pub fn step(&mut self, function: &dyn Function) -> f64 {
        let (value, gradients) = self.cached.take().unwrap_or_else(|| function.gradient(&self.point));
        let steepest = gradients.iter().fold(0.0_f64, |most, gradient| most.max(gradient.abs()));
        if steepest == 0.0 {
            self.cached = Some((value, gradients));
            return value;
        }
        let rate = *self.rate.get_or_insert(self.first / steepest);
        let velocity: Vec<f64> =
            self.velocity.iter().zip(&gradients).map(|(speed, gradient)| MOMENTUM * speed - rate * gradient).collect();
        let next: Vec<f64> = self.point.iter().zip(&velocity).map(|(number, speed)| number + speed).collect();
        let (next_value, next_gradients) = function.gradient(&next);
        if next_value <= value {
            (self.point, self.velocity) = (next, velocity);
            (self.rate, self.cached) = (Some(rate * GROWTH), Some((next_value, next_gradients)));
            next_value
        } else {
            self.velocity.fill(0.0);
            (self.rate, self.cached) = (Some(rate * SHRINKAGE), Some((value, gradients)));
            value
        }
    }

    pub fn point(&self) -> &[f64] {
        &self.point
    }
}
