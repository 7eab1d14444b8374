//! Gain sequences: perturbation and step size by iteration.

use super::parameter::Parameter;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi_shogi::split_mix;
use serde::{Deserialize, Serialize};

/// Exponent of the gain, as recommended by Spall.
const ALPHA: f64 = 0.602;
/// Exponent of the perturbation, as recommended by Spall.
const GAMMA: f64 = 0.101;
/// Stability constant as a share of all iterations: limits the first steps.
const STABILITY: f64 = 0.1;

/// Settings of a tuning run. Equal plan and results give equal values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaPlan {
    /// Tuned parameters.
    pub parameters: Vec<Parameter>,
    /// Iterations; each is a pair of games.
    pub pairs: usize,
    /// Gain in the last iteration, in units of step².
    pub gain: f64,
    /// Random seed.
    pub seed: u64,
    /// Key of all other settings of the games: engine, options, time control, openings.
    pub games: String,
}

/// Two sides that play a pair of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Iteration number, from 0.
    pub number: usize,
    /// Sign of the perturbation of each parameter for the first side.
    pub signs: Vec<f64>,
    /// Values of both sides.
    pub sides: [Vec<i64>; 2],
}

impl SpsaPlan {
    /// Maximum gain, far beyond any use.
    pub const MAX_GAIN: f64 = 1000.0;

    /// Validates values read from a file.
    pub(super) fn is_valid(&self) -> bool {
        let positive = |number: f64| number > 0.0 && number.is_finite();
        !self.parameters.is_empty()
            && self.parameters.iter().all(Parameter::is_valid)
            && self.pairs > 0
            && positive(self.gain)
            && self.gain <= Self::MAX_GAIN
    }

    /// Perturbation of an iteration in steps; 1 in the last iteration.
    fn perturbation(&self, number: usize) -> f64 {
        (self.pairs as f64 / (number + 1) as f64).powf(GAMMA)
    }

    /// Gain of an iteration in units of step²; [`Self::gain`] in the last iteration.
    fn gain_of(&self, number: usize) -> f64 {
        let stability = STABILITY * self.pairs as f64;
        self.gain * ((stability + self.pairs as f64) / (stability + (number + 1) as f64)).powf(ALPHA)
    }

    /// The two sides of an iteration around these values.
    ///
    /// Values are rounded stochastically, so that they are unbiased. Both sides use the same random
    /// number, so that rounding does not change their distance.
    pub(super) fn trial(&self, number: usize, values: &[f64]) -> Trial {
        // Opening numbers start with the seed itself.
        let mut rng = SmallRng::seed_from_u64(split_mix(!self.seed, number as u64));
        let perturbation = self.perturbation(number);
        let mut trial = Trial { number, signs: Vec::new(), sides: [Vec::new(), Vec::new()] };
        for (parameter, value) in self.parameters.iter().zip(values) {
            let sign = if rng.random() { 1.0 } else { -1.0 };
            let rounding: f64 = rng.random();
            trial.signs.push(sign);
            for (side, direction) in trial.sides.iter_mut().zip([sign, -sign]) {
                let moved = parameter.clamped(value + direction * perturbation * parameter.step);
                side.push((moved + rounding).floor() as i64);
            }
        }
        trial
    }

    /// Change of each parameter after an iteration. `score_diff` is wins minus losses of the first
    /// side.
    pub(super) fn deltas(&self, trial: &Trial, score_diff: f64) -> impl Iterator<Item = f64> {
        let rate = self.gain_of(trial.number) / self.perturbation(trial.number);
        self.parameters.iter().zip(&trial.signs).map(move |(parameter, sign)| rate * parameter.step * score_diff * sign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(pairs: usize) -> SpsaPlan {
        let parameter = |name: &str, start, step| Parameter { name: name.to_owned(), start, min: 0, max: 100, step };
        let parameters = vec![parameter("a", 50, 4.0), parameter("b", 20, 0.5)];
        SpsaPlan { parameters, pairs, gain: 0.002, seed: 7, games: String::new() }
    }

    #[test]
    fn gains_decrease_to_final_value() {
        let plan = plan(1000);
        assert_eq!((plan.perturbation(999), plan.gain_of(999)), (1.0, 0.002));
        // (1000 / 1)^0.101 and 0.002 (1100 / 101)^0.602.
        assert!((plan.perturbation(0) - 2.009_093).abs() < 1e-6);
        assert!((plan.gain_of(0) - 0.008_420_675).abs() < 1e-8);
        for number in 1..1000 {
            assert!(plan.perturbation(number) < plan.perturbation(number - 1));
            assert!(plan.gain_of(number) < plan.gain_of(number - 1));
        }
    }

    #[test]
    fn result_moves_values_to_winner() {
        let plan = plan(10);
        let trial = plan.trial(9, &[50.0, 20.0]);
        let deltas: Vec<f64> = plan.deltas(&trial, 2.0).collect();
        for ((moved, sign), step) in deltas.iter().zip(&trial.signs).zip([4.0, 0.5]) {
            assert!((moved - 0.002 * step * 2.0 * sign).abs() < 1e-12);
        }
        assert!(plan.deltas(&trial, 0.0).all(|moved| moved == 0.0));
    }

    #[test]
    fn rounding_is_unbiased() {
        let plan = plan(4000);
        let values = [50.3, 20.25];
        let (mut sums, mut ups) = ([[0.0; 2]; 2], [0; 2]);
        for number in 0..4000 {
            let Trial { signs, sides, .. } = plan.trial(number, &values);
            for at in 0..2 {
                let far = plan.perturbation(number) * plan.parameters[at].step;
                let [plus, minus] = [0, 1].map(|side: usize| sides[side][at] as f64);
                assert!(((plus - minus) * signs[at] - 2.0 * far).abs() < 1.0 && plus != minus);
                sums[at][0] += plus - signs[at] * far;
                sums[at][1] += minus + signs[at] * far;
                ups[at] += usize::from(signs[at] > 0.0);
            }
        }
        for at in 0..2 {
            // Four standard deviations of the mean are at most 0.5 for each value.
            sums[at].iter().for_each(|sum| assert!((sum / 4000.0 - values[at]).abs() < 0.032, "{sums:?}"));
            assert!((1870..=2130).contains(&ups[at]), "{ups:?}");
        }
    }

    #[test]
    fn sides_stay_in_range() {
        let plan = plan(100);
        for number in 0..100 {
            for values in [[0.0, 100.0], [100.0, 0.0], [99.7, 0.4]] {
                let sides = plan.trial(number, &values).sides;
                assert!(sides.iter().flatten().all(|value| (0..=100).contains(value)), "{sides:?}");
            }
        }
    }

    #[test]
    fn trials_are_deterministic() {
        let values = [50.5, 20.5];
        let of = |seed, number| SpsaPlan { seed, ..plan(100) }.trial(number, &values);
        assert_eq!(of(1, 5), of(1, 5));
        let differ = |a: fn(usize) -> (u64, usize), b: fn(usize) -> (u64, usize)| {
            (0..50).any(|at| of(a(at).0, a(at).1).signs != of(b(at).0, b(at).1).signs)
        };
        assert!(differ(|at| (1, at), |at| (2, at)) && differ(|at| (1, at), |at| (1, at + 1)));
    }
}
