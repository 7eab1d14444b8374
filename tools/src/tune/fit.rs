//! Fitting weights to samples.

use super::loss::{LossFunction, Objective, SampleSet, Target, fit_k, indices_of, table};
use super::optimiser::{Optimiser, OptimiserKind};
use super::samples::{Samples, Split};
use crate::checkpoint::Checkpoint;
use sabi::eval::{Group, Weights};
use serde::{Deserialize, Serialize};

/// Settings of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitSettings {
    /// The optimiser.
    pub method: OptimiserKind,
    /// Size of the first steps, in centipawns; not used by L-BFGS.
    pub learning_rate: f64,
    /// Maximum steps.
    pub iterations: u32,
    /// Early stopping: steps without a better validation loss.
    pub patience: u32,
    /// Convergence: relative cost change over ten steps.
    pub tolerance: f64,
    /// Regularization: see `Objective`.
    pub regularization: f64,
    /// Weight of the search score against the result in the target, 0 to 1.
    pub score_share: f64,
    /// The loss function.
    pub loss_function: LossFunction,
    /// Weight groups to fit.
    pub groups: Vec<Group>,
    /// Random seed.
    pub seed: u64,
}

impl FitSettings {
    const fn target(&self, k: f64) -> Target {
        Target { k, score_share: self.score_share, loss_function: self.loss_function }
    }
}

/// Steps between two convergence checks: a single step may not improve.
const CONVERGENCE_STEPS: usize = 10;

/// One step of a fit.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Cost on the training set: loss plus regularization.
    pub cost: f64,
    /// Validation loss after the step.
    pub validation_loss: f64,
}

/// Reason for the end of a fit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    /// Maximum steps reached.
    Iterations,
    /// Early stopping by validation loss.
    Patience,
    /// Converged.
    Converged,
    /// A value became infinite or NaN.
    Diverged,
}

impl StopReason {
    /// Description for messages.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Iterations => "all iterations done",
            Self::Patience => "no better validation loss",
            Self::Converged => "converged",
            Self::Diverged => "diverged: try a lower learning rate",
        }
    }
}

/// State of a fit. It can be saved after every step and resumed exactly.
#[derive(Clone, Serialize, Deserialize)]
pub struct Fit {
    settings: FitSettings,
    /// Start weights.
    start: Vec<[f64; 2]>,
    /// Scale of the sigmoid, fitted before the first step.
    k: f64,
    method: Optimiser,
    steps: Vec<Step>,
    /// Point with the lowest validation loss.
    best: Vec<f64>,
    best_validation_loss: f64,
    /// Step with the lowest validation loss.
    best_step: usize,
    pub(super) end: Option<StopReason>,
}

/// A fit with its data set.
#[derive(Clone, Serialize, Deserialize)]
pub struct Saved {
    /// The fit.
    pub fit: Fit,
    /// [`Samples::fingerprint`] of the samples.
    pub samples: u32,
    /// Share of games in the test set.
    pub test_split: f64,
}

impl Checkpoint for Saved {
    const MAGIC: [u8; 8] = *b"SABI-FIT";
    const VERSION: u32 = 4;
    const NAME: &str = "saved fit";
}

/// Training and validation set of a fit.
pub struct FitData<'a> {
    train: SampleSet<'a>,
    validation: SampleSet<'a>,
}

/// Weights as floating-point values.
pub fn weight_values(weights: &Weights) -> Vec<[f64; 2]> {
    weights.iter().map(|weight| [f64::from(weight.mg), f64::from(weight.eg)]).collect()
}

impl<'a> FitData<'a> {
    /// Batches of the training and the validation set.
    pub fn new(samples: &'a Samples, split: &Split, threads: usize) -> Self {
        let sample_set = |games: &[usize]| SampleSet::new(samples, games, threads);
        Self { train: sample_set(&split.train), validation: sample_set(&split.validation) }
    }
}

impl Fit {
    /// Starts from some weights, and fits `k` to them.
    pub fn new(data: &FitData<'_>, start: Vec<[f64; 2]>, settings: FitSettings) -> Self {
        let k = fit_k(&data.train, &start, settings.loss_function);
        Self::with_k(start, k, data, settings)
    }

    /// Starts from some weights with a given `k`.
    pub(super) fn with_k(start: Vec<[f64; 2]>, k: f64, data: &FitData<'_>, settings: FitSettings) -> Self {
        let target = settings.target(k);
        let best_validation_loss = data.validation.loss(&start, &target);
        let best = Objective::new(&data.train, target, &start, &settings.groups, settings.regularization).start_point;
        let method = Optimiser::new(settings.method, best.clone(), settings.learning_rate, settings.seed);
        Self { settings, start, k, method, steps: Vec::new(), best, best_validation_loss, best_step: 0, end: None }
    }

    /// Settings of the fit.
    pub fn settings(&self) -> &FitSettings {
        &self.settings
    }

    /// Changes the maximum number of steps; a fit that ended at the old maximum continues.
    pub fn set_iterations(&mut self, iterations: u32) {
        self.settings.iterations = iterations;
        self.end = self.end.filter(|&end| end != StopReason::Iterations);
    }

    /// Target settings.
    pub fn target(&self) -> Target {
        self.settings.target(self.k)
    }

    /// All steps so far.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Step with the lowest validation loss, and that loss.
    pub fn best(&self) -> (usize, f64) {
        (self.best_step, self.best_validation_loss)
    }

    /// Makes a step. Returns the reason if the fit ended.
    pub fn advance(&mut self, data: &FitData<'_>) -> Option<StopReason> {
        if self.steps.len() >= self.settings.iterations as usize {
            self.end.get_or_insert(StopReason::Iterations);
        }
        if self.end.is_some() {
            return self.end;
        }
        let FitSettings { groups, regularization, .. } = &self.settings;
        let objective = Objective::new(&data.train, self.target(), &self.start, groups, *regularization);
        let Some(cost) = self.method.step(&objective) else {
            self.end = Some(StopReason::Converged);
            return self.end;
        };
        let point = self.method.point();
        let validation_loss = data.validation.loss(&objective.table(point), &self.target());
        if !cost.is_finite() || !validation_loss.is_finite() {
            self.end = Some(StopReason::Diverged);
            return self.end;
        }
        let before = self.steps.len().checked_sub(CONVERGENCE_STEPS).map(|at| self.steps[at].cost);
        self.steps.push(Step { cost, validation_loss });
        if validation_loss < self.best_validation_loss {
            (self.best_validation_loss, self.best_step) = (validation_loss, self.steps.len());
            self.best = point.to_vec();
        }
        let without = self.steps.len() - self.best_step;
        if without >= self.settings.patience as usize {
            self.end = Some(StopReason::Patience);
        } else if before.is_some_and(|before| (before - cost).abs() < self.settings.tolerance * cost.abs()) {
            self.end = Some(StopReason::Converged);
        }
        self.end
    }

    /// Start weights.
    pub fn start(&self) -> &[[f64; 2]] {
        &self.start
    }

    /// Weights with the lowest validation loss, not rounded.
    pub fn table(&self) -> Vec<[f64; 2]> {
        table(&self.start, &indices_of(&self.settings.groups), &self.best)
    }
}

/// Rounds and clamps to integer weights.
pub fn rounded_weights(table: &[[f64; 2]]) -> Weights {
    let mut weights = Weights::zero();
    for (index, pair) in table.iter().enumerate() {
        if let Some(weight) = weights.get_mut(index) {
            // The cast saturates.
            [weight.mg, weight.eg] = pair.map(|number| number.round() as i16);
        }
    }
    weights
}
