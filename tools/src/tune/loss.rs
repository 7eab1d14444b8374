//! Loss of a weight table and its gradient, and the objective: loss plus regularization.
//!
//! Texel's method (Peter Österlund, <https://www.chessprogramming.org/Texel%27s_Tuning_Method>):
//! the evaluation `v` of a quiet position predicts the score `p = 1 / (1 + exp(-k * v))` for Black,
//! and the loss is the mean error of `p` against the result.

use super::optimiser::Function;
use super::samples::Samples;
use clap::ValueEnum;
use sabi::eval::{Group, Weights};
use sabi::machine::parallel_map;
use sabi_shogi::Score;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Loss function.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum LossFunction {
    /// Mean squared error
    #[default]
    Squares,
    /// Mean cross-entropy
    CrossEntropy,
}

/// Target settings.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Target {
    /// Scale of the sigmoid per centipawn.
    pub k: f64,
    /// Weight of the search score against the result, 0 to 1, for samples with a score.
    pub score_share: f64,
    /// Loss function.
    pub loss_function: LossFunction,
}

impl Target {
    /// The result alone.
    pub const fn result(k: f64, loss_function: LossFunction) -> Self {
        Self { k, score_share: 0.0, loss_function }
    }

    /// Expected score for Black at a value in centipawns.
    #[inline(always)]
    pub fn expected(&self, value: f64) -> f64 {
        1.0 / (1.0 + (-self.k * value).exp())
    }

    /// Target of a sample.
    #[inline(always)]
    pub fn of(&self, samples: &Samples, at: usize) -> f64 {
        let result = samples.result(at);
        match samples.score(at) {
            Some(score) if self.score_share > 0.0 => {
                result + self.score_share * (self.expected(f64::from(score)) - result)
            }
            _ => result,
        }
    }

    /// Loss of a prediction and its derivative by the value.
    #[inline(always)]
    fn loss(&self, expected: f64, target: f64) -> (f64, f64) {
        let difference = expected - target;
        match self.loss_function {
            LossFunction::Squares => (difference * difference, 2.0 * difference * self.k * expected * (1.0 - expected)),
            LossFunction::CrossEntropy => {
                // Keeps away from 0 and 1, where the logarithm is infinite.
                let safe = expected.clamp(1e-12, 1.0 - 1e-12);
                let entropy = -target * safe.ln() - (1.0 - target) * (1.0 - safe).ln();
                (entropy, difference * self.k)
            }
        }
    }
}

/// Samples of some games. Sums do not depend on the number of threads.
#[derive(Debug)]
pub struct SampleSet<'a> {
    samples: &'a Samples,
    chunks: Vec<Vec<Range<usize>>>,
    len: usize,
    threads: usize,
}

/// Samples summed by one thread.
const CHUNK: usize = 8192;

/// Middlegame and endgame value of every weight, in centipawns.
pub type Table = [[f64; 2]];

impl<'a> SampleSet<'a> {
    /// The samples of some games.
    pub fn new(samples: &'a Samples, games: &[usize], threads: usize) -> Self {
        let mut chunks: Vec<Vec<Range<usize>>> = Vec::new();
        let (mut len, mut room) = (0, 0);
        for range in games.iter().map(|&game| samples.of_game(game)) {
            len += range.len();
            match chunks.last_mut() {
                Some(chunk) if room > 0 => chunk.push(range.clone()),
                _ => {
                    chunks.push(vec![range.clone()]);
                    room = CHUNK;
                }
            }
            room = room.saturating_sub(range.len());
        }
        Self { samples, chunks, len, threads: threads.max(1) }
    }

    /// Number of samples.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Mean loss; 0 without samples.
    pub fn loss(&self, table: &Table, target: &Target) -> f64 {
        let sum = |chunk: &[Range<usize>]| {
            let mut sum = 0.0;
            for at in chunk.iter().cloned().flatten() {
                let expected = target.expected(self.samples.value(at, table));
                sum += target.loss(expected, target.of(self.samples, at)).0;
            }
            sum
        };
        let sums = self.on_all_chunks(sum);
        sums.iter().sum::<f64>() / self.len.max(1) as f64
    }

    /// Mean loss and gradient.
    pub fn gradient(&self, table: &Table, target: &Target) -> (f64, Vec<[f64; 2]>) {
        let sum = |chunk: &[Range<usize>]| {
            let (mut sum, mut gradients) = (0.0, vec![[0.0; 2]; table.len()]);
            for at in chunk.iter().cloned().flatten() {
                let expected = target.expected(self.samples.value(at, table));
                let (loss, gradient) = target.loss(expected, target.of(self.samples, at));
                sum += loss;
                let share = self.samples.end_game_share(at);
                let [mg, eg] = [gradient * (1.0 - share), gradient * share];
                for (index, count) in self.samples.features(at) {
                    gradients[index][0] += mg * f64::from(count);
                    gradients[index][1] += eg * f64::from(count);
                }
            }
            (sum, gradients)
        };
        let (mut loss, mut gradient) = (0.0, vec![[0.0; 2]; table.len()]);
        for (sum, gradients) in self.on_all_chunks(sum) {
            loss += sum;
            for (total, gradient) in gradient.iter_mut().zip(gradients) {
                total[0] += gradient[0];
                total[1] += gradient[1];
            }
        }
        let share = 1.0 / self.len.max(1) as f64;
        gradient.iter_mut().flatten().for_each(|gradient| *gradient *= share);
        (loss * share, gradient)
    }

    /// Results of all chunks, in order.
    fn on_all_chunks<T: Send>(&self, work: impl Fn(&[Range<usize>]) -> T + Sync) -> Vec<T> {
        parallel_map(self.chunks.iter(), self.threads, |tasks| tasks.work(|chunk| work(chunk)))
    }
}

/// Default of `k`: 600 centipawns have an expected score of 73 %.
const DEFAULT_K: f64 = 1.0 / Score::EXPECTED_SCORE_SCALE;

/// Relative precision of the search.
const PRECISION: f64 = 1e-6;

/// The `k` that minimises the loss of a table on a sample set, by golden section (Kiefer,
/// "Sequential minimax search for a maximum", 1953) between 1/100 and 100 times the default.
pub fn fit_k(sample_set: &SampleSet<'_>, table: &Table, loss_function: LossFunction) -> f64 {
    let loss = |exponent: f64| sample_set.loss(table, &Target::result(DEFAULT_K * exponent.exp(), loss_function));
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (-(100.0_f64.ln()), 100.0_f64.ln());
    let inner = |low: f64, high: f64| [high - golden * (high - low), low + golden * (high - low)];
    let [mut left, mut right] = inner(low, high);
    let (mut at_left, mut at_right) = (loss(left), loss(right));
    while high - low > PRECISION {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = inner(low, high)[0];
            at_left = loss(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = inner(low, high)[1];
            at_right = loss(right);
        }
    }
    DEFAULT_K * (low.midpoint(high)).exp()
}

/// The free weights as one vector in centipawns: middlegame and endgame of each.
#[derive(Clone, Debug)]
pub struct Objective<'a> {
    sample_set: &'a SampleSet<'a>,
    target: Target,
    /// All start weights.
    start: Vec<[f64; 2]>,
    /// Indices of the free weights.
    free: Vec<usize>,
    /// Start values of the free weights.
    pub(super) start_point: Vec<f64>,
    /// Regularization: penalty of moving all values by 100 centipawns.
    regularization: f64,
}

/// Sorted weight indices of some groups.
pub(super) fn indices_of(groups: &[Group]) -> Vec<usize> {
    let blocks = Weights::blocks().iter().filter(|block| groups.contains(&block.group));
    blocks.flat_map(|block| block.start..block.end()).collect()
}

/// All weights, with new values for the free ones.
pub(super) fn table(start: &Table, free: &[usize], values: &[f64]) -> Vec<[f64; 2]> {
    let mut table = start.to_vec();
    for (&index, pair) in free.iter().zip(values.as_chunks().0) {
        table[index] = *pair;
    }
    table
}

/// Unit of the regularization, in centipawns.
const STEP: f64 = 100.0;

impl<'a> Objective<'a> {
    /// An objective over the weights of some groups.
    pub fn new(
        sample_set: &'a SampleSet<'a>,
        target: Target,
        start: &Table,
        groups: &[Group],
        regularization: f64,
    ) -> Self {
        let free = indices_of(groups);
        let start_point = free.iter().flat_map(|&index| start[index]).collect();
        Self { sample_set, target, start: start.to_vec(), free, start_point, regularization }
    }

    /// All weights, with these values for the free ones.
    pub(super) fn table(&self, values: &[f64]) -> Vec<[f64; 2]> {
        table(&self.start, &self.free, values)
    }

    fn penalty(&self, values: &[f64]) -> f64 {
        let squares: f64 = values.iter().zip(&self.start_point).map(|(number, start)| (number - start).powi(2)).sum();
        self.share() * squares
    }

    /// Penalty for one square centipawn.
    fn share(&self) -> f64 {
        self.regularization / (STEP * STEP * (2 * self.free.len()).max(1) as f64)
    }
}

impl Function for Objective<'_> {
    fn value(&self, point: &[f64]) -> f64 {
        self.sample_set.loss(&self.table(point), &self.target) + self.penalty(point)
    }

    fn gradient(&self, point: &[f64]) -> (f64, Vec<f64>) {
        let (loss, gradients) = self.sample_set.gradient(&self.table(point), &self.target);
        let mut gradient: Vec<f64> = self.free.iter().flat_map(|&index| gradients[index]).collect();
        let share = self.share();
        for ((gradient, number), start) in gradient.iter_mut().zip(point).zip(&self.start_point) {
            *gradient += 2.0 * share * (number - start);
        }
        (loss + self.penalty(point), gradient)
    }
}
