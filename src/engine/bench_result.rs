//! The result of a bench.

use std::time::Duration;

/// Nodes and time of one position or of all.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        let nanoseconds = self.time.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanoseconds).unwrap_or(u64::MAX)
    }
}
