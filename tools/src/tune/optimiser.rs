//! Optimisers. Each makes one step at a time, and its state can be saved and restored exactly.

use anyhow::ensure;
use argmin::core::{CostFunction, Error, Gradient, IterState, Problem, Solver, State as _};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use clap::ValueEnum;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi_shogi::split_mix;
use serde::{Deserialize, Serialize};
use std::cell::Cell;

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
pub enum Optimiser {
    Descent(Descent),
    Adam(Adam),
    Lbfgs(Box<QuasiNewton>),
    Genetic(Genetic),
}

impl Optimiser {
    /// Starts at a point. `learning_rate` is the size of the first steps in units of the parameters;
    /// `seed` is for the genetic algorithm.
    pub fn new(kind: OptimiserKind, start: Vec<f64>, learning_rate: f64, seed: u64) -> Self {
        match kind {
            OptimiserKind::Descent => Self::Descent(Descent::new(start, learning_rate)),
            OptimiserKind::Adam => Self::Adam(Adam::new(start, learning_rate)),
            OptimiserKind::Lbfgs => Self::Lbfgs(Box::new(QuasiNewton::new(start))),
            OptimiserKind::Genetic => Self::Genetic(Genetic::new(start, learning_rate, seed)),
        }
    }

    /// Makes a step. Returns the value at the point it started from, or at the best point so far;
    /// `None` when no descent is possible.
    pub fn step(&mut self, function: &dyn Function) -> Option<f64> {
        match self {
            Self::Descent(state) => state.step(function),
            Self::Adam(state) => Some(state.step(function)),
            Self::Lbfgs(state) => state.step(function),
            Self::Genetic(state) => Some(state.step(function)),
        }
    }

    /// The current point.
    pub fn point(&self) -> &[f64] {
        match self {
            Self::Descent(state) => &state.point,
            Self::Adam(state) => &state.point,
            Self::Lbfgs(state) => &state.point,
            Self::Genetic(state) => &state.population[0].0,
        }
    }
}

/// Momentum.
const MOMENTUM: f64 = 0.9;
const RATE_GROWTH: f64 = 1.1;
const RATE_SHRINKAGE: f64 = 0.5;
/// Maximum attempts of a step.
const ATTEMPTS: usize = 40;

/// Gradient descent with momentum. A step that raises the value is repeated with a lower learning
/// rate and without momentum; a good step raises the rate ("bold driver": Vogl et al.,
/// "Accelerating the convergence of the back-propagation method", 1988).
#[derive(Clone, Serialize, Deserialize)]
pub struct Descent {
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
                (self.learning_rate, self.cached) =
                    (Some(learning_rate * RATE_GROWTH), Some((next_value, next_gradients)));
                return Some(next_value);
            }
            self.velocity.fill(0.0);
            learning_rate *= RATE_SHRINKAGE;
        }
        None
    }
}

/// Decay of the first moment.
const BETA1: f64 = 0.9;
/// Decay of the second moment.
const BETA2: f64 = 0.999;
/// Avoids division by zero.
const EPSILON: f64 = 1e-12;

/// Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015,
/// <https://arxiv.org/abs/1412.6980>). That of network training is another: in single precision, with
/// sparse features and weight decay.
#[derive(Clone, Serialize, Deserialize)]
pub struct Adam {
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

/// Number of stored steps.
const HISTORY: usize = 10;

type Point = Vec<f64>;
type Line = MoreThuenteLineSearch<Point, Point, f64>;
type Progress = IterState<Point, Point, (), (), (), f64>;

/// L-BFGS (Liu and Nocedal, "On the limited memory BFGS method for large scale optimization",
/// 1989), as `argmin` has it.
#[derive(Clone, Serialize, Deserialize)]
pub struct QuasiNewton {
    solver: LBFGS<Line, Point, Point, f64>,
    /// Current point and value; `None` before the first step.
    progress: Option<Progress>,
    pub point: Point,
}

/// Maximum evaluations in one line search. More are needed only where rounding dominates.
const MAX_EVALUATIONS: u32 = 60;

/// Gradients below this are zero.
const MIN_GRADIENT: f64 = 1e-12;

/// Adapter to `argmin`'s traits.
struct Operator<'a> {
    function: &'a dyn Function,
    evaluations: Cell<u32>,
}

impl Operator<'_> {
    fn evaluate<T>(&self, evaluate: impl FnOnce(&dyn Function) -> T) -> Result<T, Error> {
        self.evaluations.set(self.evaluations.get() + 1);
        ensure!(self.evaluations.get() <= MAX_EVALUATIONS, "the line search does not converge");
        Ok(evaluate(self.function))
    }
}

impl CostFunction for Operator<'_> {
    type Param = Point;
    type Output = f64;

    fn cost(&self, point: &Point) -> Result<f64, Error> {
        self.evaluate(|function| function.value(point))
    }
}

impl Gradient for Operator<'_> {
    type Param = Point;
    type Gradient = Point;

    fn gradient(&self, point: &Point) -> Result<Point, Error> {
        self.evaluate(|function| function.gradient(point).1)
    }
}

impl QuasiNewton {
    pub fn new(start: Point) -> Self {
        Self { solver: LBFGS::new(MoreThuenteLineSearch::new(), HISTORY), progress: None, point: start }
    }

    pub fn step(&mut self, function: &dyn Function) -> Option<f64> {
        let mut problem = Problem::new(Operator { function, evaluations: Cell::new(0) });
        let progress = match self.progress.take() {
            Some(progress) => progress,
            None => self.solver.init(&mut problem, Progress::new().param(self.point.clone())).ok()?.0,
        };
        let gradients = progress.get_gradient()?;
        if gradients.iter().map(|gradient| gradient * gradient).sum::<f64>() < MIN_GRADIENT * MIN_GRADIENT {
            return None;
        }
        // The line search fails where no descent is possible.
        let (progress, _) = self.solver.next_iter(&mut problem, progress).ok()?;
        self.point.clone_from(progress.get_param()?);
        let value = progress.get_cost();
        self.progress = Some(progress);
        value.is_finite().then_some(value)
    }
}

const POPULATION: usize = 40;
/// Best individuals kept unchanged.
const ELITE: usize = 4;
const TOURNAMENT: usize = 3;
/// Mutation rate.
const MUTATION_RATE: f64 = 0.2;
/// Factor of the mutation size after a generation without and with improvement.
const SIGMA_SHRINKAGE: f64 = 0.93;
const SIGMA_GROWTH: f64 = 1.15;

/// A genetic algorithm: elitism, tournament selection, uniform crossover, mutation. It needs no
/// gradient, but many more evaluations.
#[derive(Clone, Serialize, Deserialize)]
pub struct Genetic {
    /// Individuals with values, best first; values are missing in the first generation.
    pub population: Vec<(Vec<f64>, Option<f64>)>,
    /// Standard deviation of a mutation, approximately.
    sigma: f64,
    seed: u64,
    generation: u64,
}

impl Genetic {
    pub fn new(start: Vec<f64>, sigma: f64, seed: u64) -> Self {
        Self { population: vec![(start, None)], sigma, seed, generation: 0 }
    }

    pub fn step(&mut self, function: &dyn Function) -> f64 {
        // A generator for each generation, so that its state need not be saved.
        let mut random = SmallRng::seed_from_u64(split_mix(self.seed, self.generation));
        self.generation += 1;
        let before = self.population[0].1;
        let mut next: Vec<(Vec<f64>, Option<f64>)> = self.population.iter().take(ELITE).cloned().collect();
        while next.len() < POPULATION {
            let child = self.child(&mut random);
            next.push((child, None));
        }
        for (point, value) in &mut next {
            value.get_or_insert_with(|| function.value(point));
        }
        let cost = |value: Option<f64>| value.unwrap_or(f64::INFINITY);
        next.sort_by(|a, b| cost(a.1).total_cmp(&cost(b.1)));
        self.population = next;
        let best = cost(self.population[0].1);
        self.sigma *= if before.is_none_or(|before| best < before) { SIGMA_GROWTH } else { SIGMA_SHRINKAGE };
        best
    }

    fn child(&self, random: &mut SmallRng) -> Vec<f64> {
        let [first, second] = [self.parent(random), self.parent(random)];
        let mut child: Vec<f64> =
            first.iter().zip(second).map(|(a, b)| if random.random_bool(0.5) { *a } else { *b }).collect();
        for number in &mut child {
            if random.random_bool(MUTATION_RATE) {
                // A sum of uniform values approximates a normal distribution.
                let chance: f64 = (0..4).map(|_| random.random_range(-1.0..1.0)).sum();
                *number += self.sigma * chance;
            }
        }
        child
    }

    /// Tournament selection: the population is sorted, so the lowest index wins.
    fn parent(&self, random: &mut SmallRng) -> &[f64] {
        let places = (0..TOURNAMENT).map(|_| random.random_range(0..self.population.len()));
        &self.population[places.min().unwrap_or(0)].0
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
