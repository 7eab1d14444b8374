//! The table of weights.

use super::initial;
use super::layout::{self, BLOCKS, Block, COUNT, Group};
use super::pair::Weight;
use std::sync::{Arc, LazyLock};

/// Embedded file; `nets/README.md` documents its origin.
const EMBEDDED_FILE: &[u8] = include_bytes!("../../../nets/weights.json");

/// All weights of the evaluation, in one named table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    table: [Weight; COUNT],
}

impl Weights {
    /// Number of weights.
    pub const COUNT: usize = COUNT;

    /// All weights zero.
    pub fn zero() -> Self {
        Self { table: [Weight::default(); COUNT] }
    }

    /// The untuned weights, the starting point of tuning.
    pub fn untuned() -> Self {
        let mut weights = Self::zero();
        initial::fill(&mut weights.table);
        weights
    }

    /// The embedded weights `nets/weights.json`, parsed on first use.
    pub fn embedded() -> &'static Arc<Self> {
        static EMBEDDED: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            let weights = Weights::from_json(EMBEDDED_FILE);
            // A test proves that the file parses; fall back rather than abort.
            Arc::new(weights.unwrap_or_else(|_| Weights::untuned()))
        });
        &EMBEDDED
    }

    #[inline(always)]
    pub(super) fn table(&self) -> &[Weight; COUNT] {
        &self.table
    }

    /// The rows of a block.
    pub(super) fn rows_of(&self, block: &Block) -> impl Iterator<Item = &[Weight]> {
        self.table[block.start..block.end()].chunks_exact(block.columns)
    }

    /// The weight at `index`, if there is one.
    pub fn get(&self, index: usize) -> Option<Weight> {
        self.table.get(index).copied()
    }

    /// Mutable access to the weight at `index`.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Weight> {
        self.table.get_mut(index)
    }

    /// All weights in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Weight> {
        self.table.iter().copied()
    }

    /// The name of the weight at `index`: term, row and column, as in `hand.3.2`.
    pub fn name(index: usize) -> Option<String> {
        layout::block_of(index).map(|block| block.name_of(index))
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

    /// The group of the weight at `index`.
    pub fn group(index: usize) -> Option<Group> {
        layout::block_of(index).map(|block| block.group)
    }

    /// All terms in table order.
    pub fn blocks() -> &'static [Block] {
        const { &BLOCKS }
    }

    /// Index, name and group of every weight, in order.
    pub fn names() -> impl Iterator<Item = (usize, String, Group)> {
        let names =
            |block: &'static Block| (block.start..block.end()).map(|index| (index, block.name_of(index), block.group));
        Self::blocks().iter().flat_map(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_weights_round_trip() {
        let weights = Weights::from_json(EMBEDDED_FILE).unwrap();
        assert_eq!(**Weights::embedded(), weights);
        let file: serde_json::Value = serde_json::from_slice(EMBEDDED_FILE).unwrap();
        let text = weights.to_json(file["origin"].as_str().unwrap());
        assert!(text.as_bytes() == EMBEDDED_FILE, "nets/weights.json has another layout than the writer gives it");
    }
}
