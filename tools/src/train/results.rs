//! How well static evals predict the results of games: a measure of a network that its own searches
//! do not favour, unlike the score of a search with it.

use super::samples::is_quiet;
use sabi::eval::nnue::Network;
use sabi_records::Game;
use std::iter;
use std::ops::{Range, RangeInclusive};

/// Steps of the logistic regression, which converges quadratically.
const NEWTON_STEPS: usize = 30;

/// Static evals of several networks on the quiet positions of decided games.
pub struct ResultSamples {
    /// Centipawns for the side to move, by network.
    evals: Vec<Vec<f64>>,
    /// Whether the side to move won.
    won: Vec<bool>,
    /// Index of the first position after each game.
    ends: Vec<usize>,
}

/// The prediction of results by one network, `p = 1 / (1 + exp(-(cp + bias) / scale))` with the best
/// bias and scale in centipawns.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ResultPrediction {
    /// Mean of `-ln p` of the side that won, where every game counts the same.
    pub loss: f64,
    /// Difference to the loss of the first network, with its error (95 %) over games.
    pub difference: [f64; 2],
    /// Bias.
    pub bias: f64,
    /// Scale.
    pub scale: f64,
}

impl ResultSamples {
    /// No games yet.
    pub fn new(networks: usize) -> Self {
        Self { evals: vec![Vec::new(); networks], won: Vec::new(), ends: Vec::new() }
    }

    /// Adds the quiet positions of a game, from and to these move numbers, unless it is a draw or
    /// its result is unknown.
    pub fn add(&mut self, game: &Game, networks: &[Network], plies: &RangeInclusive<usize>) {
        let Some(winner) = game.result.winner() else { return };
        for known in game.training_positions() {
            let position = &known.position;
            if plies.contains(&(position.ply() as usize)) && is_quiet(position, known.mv) {
                self.won.push(position.side_to_move() == winner);
                for (evals, network) in self.evals.iter_mut().zip(networks) {
                    evals.push(network.evaluate(position).into());
                }
            }
        }
        if self.ends.last().copied().unwrap_or(0) < self.won.len() {
            self.ends.push(self.won.len());
        }
    }

    /// Number of games and positions.
    pub fn counts(&self) -> [usize; 2] {
        [self.ends.len(), self.won.len()]
    }

    /// The predictions of all networks; there must be games.
    pub fn predictions(&self) -> Vec<ResultPrediction> {
        let weights = self.games().flat_map(|game| iter::repeat_n(1.0 / game.len() as f64, game.len()));
        let weights: Vec<f64> = weights.collect();
        let fits: Vec<_> = self.evals.iter().map(|evals| self.regression(evals, &weights)).collect();
        let losses: Vec<_> = self.evals.iter().zip(&fits).map(|(evals, fit)| self.game_losses(evals, *fit)).collect();
        let count = self.ends.len() as f64;
        let prediction = |(&[coefficient, intercept], by_game): (&[f64; 2], &Vec<f64>)| {
            let differences: Vec<f64> = by_game.iter().zip(&losses[0]).map(|(loss, first)| loss - first).collect();
            let mean = differences.iter().sum::<f64>() / count;
            let variance = differences.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count;
            ResultPrediction {
                loss: by_game.iter().sum::<f64>() / count,
                difference: [mean, 1.96 * (variance / count).sqrt()],
                bias: if coefficient == 0.0 { 0.0 } else { intercept / coefficient },
                scale: 1.0 / coefficient,
            }
        };
        fits.iter().zip(&losses).map(prediction).collect()
    }

    fn games(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }

    /// Coefficient and intercept of `p = 1 / (1 + exp(-(coefficient cp + intercept)))` by Newton's
    /// method.
    fn regression(&self, evals: &[f64], weights: &[f64]) -> [f64; 2] {
        // From 0 the first step does not depend on the size of the evals.
        let [mut coefficient, mut intercept] = [0.0; 2];
        for _ in 0..NEWTON_STEPS {
            // Gradient and Hessian matrix.
            let [mut by_coefficient, mut by_intercept, mut a, mut b, mut c] = [0.0; 5];
            for ((&eval, &won), &weight) in evals.iter().zip(&self.won).zip(weights) {
                let p = probability(coefficient * eval + intercept);
                let (error, curvature) = (weight * (p - f64::from(u8::from(won))), weight * p * (1.0 - p));
                by_coefficient += error * eval;
                by_intercept += error;
                a += curvature * eval * eval;
                b += curvature * eval;
                c += curvature;
            }
            let determinant = a * c - b * b;
            if determinant <= f64::EPSILON {
                break;
            }
            coefficient -= (c * by_coefficient - b * by_intercept) / determinant;
            intercept -= (a * by_intercept - b * by_coefficient) / determinant;
        }
        [coefficient, intercept]
    }

    /// Mean loss of each game.
    fn game_losses(&self, evals: &[f64], [coefficient, intercept]: [f64; 2]) -> Vec<f64> {
        let loss = |at: usize| {
            let p = probability(coefficient * evals[at] + intercept);
            -(if self.won[at] { p } else { 1.0 - p }).max(f64::MIN_POSITIVE).ln()
        };
        self.games().map(|game| game.clone().map(loss).sum::<f64>() / game.len() as f64).collect()
    }
}

fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}
