//! Optimisers. Each makes one step at a time, and its state can be saved and restored exactly.

mod adam;
mod descent;
mod genetic;
mod quasi_newton;

use adam::Adam;
use clap::ValueEnum;
use descent::Descent;
use genetic::Genetic;
use quasi_newton::QuasiNewton;
use serde::{Deserialize, Serialize};

/// A function to minimise.
pub trait Function {
    /// Value at a point.
    fn value(&self, point: &[f64]) -> f64;
    /// Value and gradient at a point.
    fn gradient(&self, point: &[f64]) -> (f64, Vec<f64>);
}

/// Kind of optimiser.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum OptimiserKind {
    /// Gradient descent with momentum and an adaptive learning rate
    Descent,
    /// Adam
    Adam,
    /// L-BFGS
    Lbfgs,
    /// Genetic algorithm: needs far more steps
    Genetic,
}

/// An optimiser with its state.
#[derive(Clone, Serialize, Deserialize)]
pub struct Optimiser(State);

#[derive(Clone, Serialize, Deserialize)]
enum State {
    Descent(Descent),
    Adam(Adam),
    Lbfgs(Box<QuasiNewton>),
    Genetic(Genetic),
}

impl Optimiser {
    /// Starts at a point. `learning_rate` is the size of the first steps in units of the parameters;
    /// `seed` is for the genetic algorithm.
    pub fn new(kind: OptimiserKind, start: Vec<f64>, learning_rate: f64, seed: u64) -> Self {
        Self(match kind {
            OptimiserKind::Descent => State::Descent(Descent::new(start, learning_rate)),
            OptimiserKind::Adam => State::Adam(Adam::new(start, learning_rate)),
            OptimiserKind::Lbfgs => State::Lbfgs(Box::new(QuasiNewton::new(start))),
            OptimiserKind::Genetic => State::Genetic(Genetic::new(start, learning_rate, seed)),
        })
    }

    /// Makes a step. Returns the value at the point it started from, or at the best point so far;
    /// `None` when no descent is possible.
    pub fn step(&mut self, function: &dyn Function) -> Option<f64> {
        match &mut self.0 {
            State::Descent(state) => state.step(function),
            State::Adam(state) => Some(state.step(function)),
            State::Lbfgs(state) => state.step(function),
            State::Genetic(state) => Some(state.step(function)),
        }
    }

    /// The current point.
    pub fn point(&self) -> &[f64] {
        match &self.0 {
            State::Descent(state) => &state.point,
            State::Adam(state) => &state.point,
            State::Lbfgs(state) => &state.point,
            State::Genetic(state) => &state.population[0].0,
        }
    }
}
