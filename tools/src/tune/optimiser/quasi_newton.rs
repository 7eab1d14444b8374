//! L-BFGS (Liu and Nocedal, "On the limited memory BFGS method for large scale optimization",
//! 1989), as `argmin` has it.

use super::Function;
use anyhow::ensure;
use argmin::core::{CostFunction, Error, Gradient, IterState, Problem, Solver, State as _};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// Number of stored steps.
const HISTORY: usize = 10;

type Point = Vec<f64>;
type Line = MoreThuenteLineSearch<Point, Point, f64>;
type Progress = IterState<Point, Point, (), (), (), f64>;

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct QuasiNewton {
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
