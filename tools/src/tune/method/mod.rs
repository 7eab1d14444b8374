//! Ways to a minimum. Each takes one step at a time, and everything it knows can be written down, so that a run that was cut off goes
//! on to the same bits.

mod adam;
mod descent;
mod genetic;
mod quasi_newton;

use adam::Adam;
use descent::Descent;
use genetic::Genetic;
use quasi_newton::QuasiNewton;
use serde::{Deserialize, Serialize};

/// What is to be made small.
pub trait Function {
    /// The value at a point.
    fn value(&self, point: &[f64]) -> f64;
    /// The value at a point, and the derivative by each number.
    fn gradient(&self, point: &[f64]) -> (f64, Vec<f64>);
}

/// Which way to go.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Gradient descent with momentum and a rate that adapts to success.
    Descent,
    /// Adam.
    Adam,
    /// L-BFGS.
    Lbfgs,
    /// A genetic algorithm.
    Genetic,
}

/// A way, and where it has come to.
#[derive(Clone, Serialize, Deserialize)]
pub struct Method(State);

#[derive(Clone, Serialize, Deserialize)]
enum State {
    Descent(Descent),
    Adam(Adam),
    Lbfgs(Box<QuasiNewton>),
    Genetic(Genetic),
}

impl Method {
    /// Sets out from a point. `rate` is the length of the first steps, in the unit of the numbers; `seed` is for chance.
    pub fn new(kind: Kind, start: Vec<f64>, rate: f64, seed: u64) -> Self {
        Self(match kind {
            Kind::Descent => State::Descent(Descent::new(start, rate)),
            Kind::Adam => State::Adam(Adam::new(start, rate)),
            Kind::Lbfgs => State::Lbfgs(Box::new(QuasiNewton::new(start))),
            Kind::Genetic => State::Genetic(Genetic::new(start, rate, seed)),
        })
    }

    /// Takes a step. Returns the value at the point it started from, or at the best point so far; `None` when no step leads down.
    pub fn step(&mut self, function: &dyn Function) -> Option<f64> {
        match &mut self.0 {
            State::Descent(state) => Some(state.step(function)),
            State::Adam(state) => Some(state.step(function)),
            State::Lbfgs(state) => state.step(function),
            State::Genetic(state) => Some(state.step(function)),
        }
    }

    /// The point it has come to.
    pub fn point(&self) -> &[f64] {
        match &self.0 {
            State::Descent(state) => state.point(),
            State::Adam(state) => state.point(),
            State::Lbfgs(state) => state.point(),
            State::Genetic(state) => state.point(),
        }
    }
}
