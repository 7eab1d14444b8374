//! The objective: loss plus regularization.

use super::loss::{SampleSet, Table, Target};
use super::optimiser::Function;
use sabi::eval::{Group, Weights};

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
    start_point: Vec<f64>,
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

    /// The start point.
    pub fn start_point(&self) -> &[f64] {
        &self.start_point
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
