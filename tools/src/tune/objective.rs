//! What is made small: the loss on games, with a price for every step away from where the weights began.

use super::loss::{Batch, Table, Target};
use sabi::eval::{Group, Weights};

/// The weights that may change, as one list of numbers in centipawns: middle game and end game of each.
#[derive(Clone, Debug)]
pub struct Objective<'a> {
    batch: &'a Batch<'a>,
    target: Target,
    /// All weights as they were.
    start: Vec<[f64; 2]>,
    /// Indices of those that may change.
    free: Vec<usize>,
    /// Their numbers as they were.
    begin: Vec<f64>,
    /// The price of steps of 100 centipawns by all numbers.
    regularization: f64,
}

/// The indices of the weights of some groups, in order.
pub(super) fn indices_of(groups: &[Group]) -> Vec<usize> {
    let blocks = Weights::blocks().iter().filter(|block| groups.contains(&block.group));
    blocks.flat_map(|block| block.start..block.end()).collect()
}

/// All weights, with new numbers for those that may change.
pub(super) fn table(start: &Table, free: &[usize], numbers: &[f64]) -> Vec<[f64; 2]> {
    let mut table = start.to_vec();
    for (&index, pair) in free.iter().zip(numbers.as_chunks().0) {
        table[index] = *pair;
    }
    table
}

/// Steps are priced in units of this many centipawns.
const STEP: f64 = 100.0;

impl<'a> Objective<'a> {
    /// An objective for the weights of some groups.
    pub fn new(batch: &'a Batch<'a>, target: Target, start: &Table, groups: &[Group], regularization: f64) -> Self {
        let free = indices_of(groups);
        let begin = free.iter().flat_map(|&index| start[index]).collect();
        Self { batch, target, start: start.to_vec(), free, begin, regularization }
    }

    /// The numbers to begin with.
    pub fn begin(&self) -> &[f64] {
        &self.begin
    }

    /// All weights, with these numbers for those that may change.
    pub(super) fn table(&self, numbers: &[f64]) -> Vec<[f64; 2]> {
        table(&self.start, &self.free, numbers)
    }

    /// What these numbers cost.
    pub fn cost(&self, numbers: &[f64]) -> f64 {
        self.batch.loss(&self.table(numbers), &self.target) + self.penalty(numbers)
    }

    /// What these numbers cost, and the derivative by each of them.
    pub fn gradient(&self, numbers: &[f64]) -> (f64, Vec<f64>) {
        let (loss, gradients) = self.batch.gradient(&self.table(numbers), &self.target);
        let mut gradient: Vec<f64> = self.free.iter().flat_map(|&index| gradients[index]).collect();
        let share = self.share();
        for ((gradient, number), start) in gradient.iter_mut().zip(numbers).zip(&self.begin) {
            *gradient += 2.0 * share * (number - start);
        }
        (loss + self.penalty(numbers), gradient)
    }

    fn penalty(&self, numbers: &[f64]) -> f64 {
        let squares: f64 = numbers.iter().zip(&self.begin).map(|(number, start)| (number - start).powi(2)).sum();
        self.share() * squares
    }

    /// The price of one square centipawn.
    fn share(&self) -> f64 {
        self.regularization / (STEP * STEP * (2 * self.free.len()).max(1) as f64)
    }
}
