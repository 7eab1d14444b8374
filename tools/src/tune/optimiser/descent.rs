//! Gradient descent with momentum. A step that raises the value is repeated with a lower learning
//! rate and without momentum; a good step raises the rate ("bold driver": Vogl et al., "Accelerating the convergence of the
//! back-propagation method", 1988).

use super::Function;
use serde::{Deserialize, Serialize};

/// Momentum.
const MOMENTUM: f64 = 0.9;
const GROWTH: f64 = 1.1;
const SHRINKAGE: f64 = 0.5;
/// Maximum attempts of a step.
const ATTEMPTS: usize = 40;

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Descent {
    pub point: Vec<f64>,
    /// Value and gradient at the point, once computed.
    cached: Option<(f64, Vec<f64>)>,
    velocity: Vec<f64>,
    /// Largest parameter change in the first step.
    first_step: f64,
    /// Set by the first step.
    learning_rate: Option<f64>,
}

impl Descent {
    pub fn new(start: Vec<f64>, first_step: f64) -> Self {
        let velocity = vec![0.0; start.len()];
        Self { point: start, cached: None, velocity, first_step, learning_rate: None }
    }

    /// `None` when no attempt lowers the value.
    pub fn step(&mut self, function: &dyn Function) -> Option<f64> {
        let (value, gradients) = self.cached.take().unwrap_or_else(|| function.gradient(&self.point));
        let max_gradient = gradients.iter().fold(0.0_f64, |max, gradient| max.max(gradient.abs()));
        if max_gradient == 0.0 {
            return None;
        }
        let mut learning_rate = *self.learning_rate.get_or_insert(self.first_step / max_gradient);
        for _ in 0..ATTEMPTS {
            let speeds = self.velocity.iter().zip(&gradients);
            let velocity = speeds.map(|(speed, gradient)| MOMENTUM * speed - learning_rate * gradient);
            let velocity: Vec<f64> = velocity.collect();
            let next: Vec<f64> = self.point.iter().zip(&velocity).map(|(number, speed)| number + speed).collect();
            let (next_value, next_gradients) = function.gradient(&next);
            if next_value <= value {
                (self.point, self.velocity) = (next, velocity);
                (self.learning_rate, self.cached) = (Some(learning_rate * GROWTH), Some((next_value, next_gradients)));
                return Some(next_value);
            }
            self.velocity.fill(0.0);
            learning_rate *= SHRINKAGE;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Square;

    impl Function for Square {
        fn value(&self, point: &[f64]) -> f64 {
            point[0] * point[0]
        }

        fn gradient(&self, point: &[f64]) -> (f64, Vec<f64>) {
            (self.value(point), vec![2.0 * point[0]])
        }
    }

    #[test]
    fn every_step_descends() {
        let mut descent = Descent::new(vec![1.0], 1e6);
        let mut last = 1.0;
        for _ in 0..20 {
            let value = descent.step(&Square).unwrap();
            assert!(value < last || value == 0.0, "{value} after {last}");
            last = value;
        }
        let mut lowest = Descent::new(vec![0.0], 1.0);
        assert_eq!(lowest.step(&Square), None);
    }
}
