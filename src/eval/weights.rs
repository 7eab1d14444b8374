//! The table of weights.

use super::initial;
use super::layout::{self, BLOCKS, COUNT, Group};
use super::pair::Weight;
use std::sync::LazyLock;

/// Every number of the evaluation, in one table with names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    table: [Weight; COUNT],
}

impl Weights {
    /// How many weights there are.
    pub const COUNT: usize = COUNT;

    /// All weights zero.
    pub fn zero() -> Self {
        Self { table: [Weight::default(); COUNT] }
    }

    /// The weights the engine plays with.
    pub fn embedded() -> &'static Self {
        static EMBEDDED: LazyLock<Weights> = LazyLock::new(Weights::default);
        &EMBEDDED
    }

    #[inline(always)]
    pub(super) fn table(&self) -> &[Weight; COUNT] {
        &self.table
    }

    /// The weight at `index`, if there is one.
    pub fn get(&self, index: usize) -> Option<Weight> {
        self.table.get(index).copied()
    }

    /// The weight at `index`, to change it.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Weight> {
        self.table.get_mut(index)
    }

    /// All weights in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Weight> {
        self.table.iter().copied()
    }

    /// The name of the weight at `index`: its term, row and column, as in `hand.3.2`.
    pub fn name(index: usize) -> Option<String> {
        let block = layout::block_of(index)?;
        let within = index - block.start;
        Some(format!("{}.{}.{}", block.name, within / block.columns, within % block.columns))
    }

    /// The index of the weight with this name.
    pub fn index_of(name: &str) -> Option<usize> {
        let mut parts = name.split('.');
        let term = parts.next()?;
        let row: usize = parts.next()?.parse().ok()?;
        let column: usize = parts.next()?.parse().ok()?;
        let block = BLOCKS.iter().find(|block| block.name == term)?;
        (parts.next().is_none() && row < block.rows && column < block.columns).then(|| block.at(row, column))
    }

    /// What the weight at `index` is about.
    pub fn group(index: usize) -> Option<Group> {
        layout::block_of(index).map(|block| block.group)
    }
}

impl Default for Weights {
    /// The weights set by hand.
    fn default() -> Self {
        let mut weights = Self::zero();
        initial::fill(&mut weights.table);
        weights
    }
}
