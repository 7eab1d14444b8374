//! What becomes of the features of a position: a sum, or a list.

use super::layout::COUNT;
use super::pair::{Pair, Weight};
use super::weights::Weights;
use crate::types::Color;

/// Receives every feature of a position. The evaluation is written once against this, so that sum and trace cannot differ.
pub(super) trait Sink {
    /// The weight at `index` counts `count` times for `color`.
    fn add(&mut self, color: Color, index: usize, count: i32);
}

/// Adds up weights from Black's view.
pub(super) struct Sum<'w> {
    table: &'w [Weight; COUNT],
    total: Pair,
}

impl<'w> Sum<'w> {
    #[inline(always)]
    pub fn new(weights: &'w Weights, start: Pair) -> Self {
        Self { table: weights.table(), total: start }
    }

    #[inline(always)]
    pub fn total(&self) -> Pair {
        self.total
    }
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, color: Color, index: usize, count: i32) {
        self.total += Pair::times(self.table[index], color.sign() * count);
    }
}
