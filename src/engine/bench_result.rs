//! The result of a bench.

use std::fmt;
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

/// The last lines of a bench, the signature last.
impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes, time } = self;
        write!(f, "nodes {nodes}\ntime {} ms\nnps {}\nBench: {nodes}", time.as_millis(), self.speed())
    }
}
