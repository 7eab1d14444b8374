//! From samples to weights.

use super::loss::{Batch, LossFunction, Target};
use super::method::{Function, Kind, Method};
use super::objective::{Objective, indices_of, table};
use super::samples::Samples;
use super::scale::fit_k;
use super::split::Split;
use sabi::eval::{Group, Weights};
use serde::{Deserialize, Serialize};

/// How to fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Which way to go.
    pub method: Kind,
    /// The length of the first steps, in centipawns.
    pub rate: f64,
    /// Steps, at most.
    pub iterations: u32,
    /// Steps without a better validation loss before it ends.
    pub patience: u32,
    /// It ends when ten steps change the cost by a smaller share than this.
    pub tolerance: f64,
    /// The price of leaving the first weights: see [`Objective`].
    pub regularization: f64,
    /// How much the score of a search counts beside the result, from 0 to 1.
    pub score_share: f64,
    /// Whether cross-entropy is made small instead of squares.
    pub cross_entropy: bool,
    /// The groups that may change, by their numbers in [`Group::ALL`].
    pub groups: Vec<usize>,
    /// Of all choice by chance.
    pub seed: u64,
}

impl Plan {
    fn groups(&self) -> Vec<Group> {
        self.groups.iter().filter_map(|&number| Group::ALL.get(number).copied()).collect()
    }

    /// How distances are measured.
    pub fn loss_function(&self) -> LossFunction {
        if self.cross_entropy { LossFunction::CrossEntropy } else { LossFunction::Squares }
    }
}

/// One step alone may lead nowhere.
const WINDOW: usize = 10;

/// One step of a fit.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What was made small: the loss on the training games, and the price of the way.
    pub cost: f64,
    /// The loss on the validation games after the step.
    pub validation: f64,
}

/// Why a fit ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// As many steps as were allowed.
    Iterations,
    /// The validation loss did not become better for long.
    Patience,
    /// Steps became too small.
    Converged,
    /// No number was finite any more.
    Diverged,
}

impl End {
    /// In words.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Iterations => "all iterations done",
            Self::Patience => "the validation loss became no better",
            Self::Converged => "converged",
            Self::Diverged => "diverged: try a smaller rate",
        }
    }
}

/// A fit on its way. It can be written down after every step, and goes on to the same bits.
#[derive(Clone, Serialize, Deserialize)]
pub struct Fit {
    plan: Plan,
    /// All weights as they were.
    start: Vec<[f64; 2]>,
    /// The steepness of the curve, fitted before the first step.
    k: f64,
    method: Method,
    steps: Vec<Step>,
    /// The point with the lowest validation loss.
    best: Vec<f64>,
    best_validation: f64,
    /// Steps to it.
    best_at: usize,
    end: Option<End>,
}

/// What a fit works on.
pub struct TrainingData<'a> {
    train: Batch<'a>,
    validation: Batch<'a>,
}

/// The numbers of a table of weights.
pub fn numbers_of(weights: &Weights) -> Vec<[f64; 2]> {
    weights.iter().map(|weight| [f64::from(weight.middle), f64::from(weight.end)]).collect()
}

impl<'a> TrainingData<'a> {
    /// The games to learn from, and those that tell when to stop.
    pub fn new(samples: &'a Samples, split: &Split, threads: usize) -> Self {
        let batch = |games: &[usize]| Batch::new(samples, games, threads);
        Self { train: batch(&split.train), validation: batch(&split.validation) }
    }

    /// Whether there is anything to learn from, and anything that tells when to stop.
    pub fn is_possible(&self) -> bool {
        !self.train.is_empty() && !self.validation.is_empty()
    }
}

impl Function for Objective<'_> {
    fn value(&self, point: &[f64]) -> f64 {
        self.cost(point)
    }

    fn gradient(&self, point: &[f64]) -> (f64, Vec<f64>) {
        self.gradient(point)
    }
}

impl Fit {
    /// Sets out from some weights. They also tell how steep the curve is.
    pub fn new(data: &TrainingData<'_>, start: Vec<[f64; 2]>, plan: Plan) -> Self {
        let k = fit_k(&data.train, &start, plan.loss_function());
        Self::begin(start, k, data, plan)
    }

    /// Sets out from some weights with a known steepness of the curve.
    pub(super) fn begin(start: Vec<[f64; 2]>, k: f64, data: &TrainingData<'_>, plan: Plan) -> Self {
        let target = Target { k, score_share: plan.score_share, loss_function: plan.loss_function() };
        let begin = Objective::new(&data.train, target, &start, &plan.groups(), plan.regularization).begin().to_vec();
        let best_validation = data.validation.loss(&start, &target);
        let method = Method::new(plan.method, begin.clone(), plan.rate, plan.seed);
        Self { plan, start, k, method, steps: Vec::new(), best: begin, best_validation, best_at: 0, end: None }
    }

    fn objective<'a>(&self, data: &'a TrainingData<'a>) -> Objective<'a> {
        let Plan { regularization, .. } = self.plan;
        Objective::new(&data.train, self.target(), &self.start, &self.plan.groups(), regularization)
    }

    /// How it is done.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Allows more or fewer steps; a fit that had ended for want of them goes on.
    pub fn set_iterations(&mut self, iterations: u32) {
        self.plan.iterations = iterations;
        self.end = self.end.filter(|&end| end != End::Iterations);
    }

    /// What is predicted.
    pub fn target(&self) -> Target {
        Target { k: self.k, score_share: self.plan.score_share, loss_function: self.plan.loss_function() }
    }

    /// All steps so far.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Steps to the lowest validation loss, and that loss.
    pub fn best(&self) -> (usize, f64) {
        (self.best_at, self.best_validation)
    }

    /// Why it ended, if it did.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Takes a step. Returns why it ended, when it did.
    pub fn advance(&mut self, data: &TrainingData<'_>) -> Option<End> {
        if self.steps.len() >= self.plan.iterations as usize {
            self.end.get_or_insert(End::Iterations);
        }
        if self.end.is_some() {
            return self.end;
        }
        let objective = self.objective(data);
        let Some(cost) = self.method.step(&objective) else {
            self.end = Some(End::Converged);
            return self.end;
        };
        let point = self.method.point();
        let validation = data.validation.loss(&objective.table(point), &self.target());
        if !cost.is_finite() || !validation.is_finite() {
            self.end = Some(End::Diverged);
            return self.end;
        }
        let before = self.steps.len().checked_sub(WINDOW).map(|at| self.steps[at].cost);
        self.steps.push(Step { cost, validation });
        if validation < self.best_validation {
            (self.best_validation, self.best_at) = (validation, self.steps.len());
            self.best = point.to_vec();
        }
        let without = self.steps.len() - self.best_at;
        if without >= self.plan.patience as usize {
            self.end = Some(End::Patience);
        } else if before.is_some_and(|before| (before - cost).abs() < self.plan.tolerance * cost.abs()) {
            self.end = Some(End::Converged);
        }
        self.end
    }

    /// The weights it set out from.
    pub fn start(&self) -> &[[f64; 2]] {
        &self.start
    }

    /// The weights with the lowest validation loss, not rounded.
    pub fn table(&self) -> Vec<[f64; 2]> {
        table(&self.start, &indices_of(&self.plan.groups()), &self.best)
    }
}

/// Weights from their numbers, rounded and kept in the range of a weight.
pub fn weights_from(table: &[[f64; 2]]) -> Weights {
    let mut weights = Weights::zero();
    for (index, pair) in table.iter().enumerate() {
        if let Some(weight) = weights.get_mut(index) {
            // The cast keeps within the range.
            [weight.middle, weight.end] = pair.map(|number| number.round() as i16);
        }
    }
    weights
}
