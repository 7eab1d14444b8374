//! Visitors of the features of a position: a sum or a list.

use super::layout::COUNT;
use super::pair::{Pair, Weight};
use super::weights::Weights;
use sabi_shogi::Color;

/// Receives every feature of a position, so that sum and trace share one definition.
pub(super) trait FeatureVisitor {
    /// Adds `count` times the weight at `index` for `color`.
    fn add(&mut self, color: Color, index: usize, count: i32);
}

/// Sum of weights for Black.
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

impl FeatureVisitor for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, color: Color, index: usize, count: i32) {
        self.total += Pair::times(self.table[index], color.sign() * count);
    }
}
