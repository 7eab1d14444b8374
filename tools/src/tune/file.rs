//! Sample files, so that games are read once and fitted often.

use super::samples::Samples;
use crate::checkpoint::Checkpoint;
use sabi::eval::{MAX_PHASE, Weights};

impl Checkpoint for Samples {
    const MAGIC: [u8; 8] = *b"SABISMPL";
    const VERSION: u32 = 2;
    const NAME: &str = "sample file";

    /// Validates all offsets and values, so that later code need not.
    fn is_valid(&self) -> bool {
        let rising = |ends: &[u64], last: usize| ends.is_sorted() && ends.last().copied().unwrap_or(0) == last as u64;
        [&self.phases, &self.half_points].iter().all(|column| column.len() == self.len())
            && self.scores.len() == self.len()
            && rising(&self.ends, self.words.len())
            && rising(&self.games, self.len())
            && self.phases.iter().all(|&phase| i32::from(phase) <= MAX_PHASE)
            && self.half_points.iter().all(|&points| points <= 2)
            && (0..self.len()).all(|at| self.features(at).all(|(index, _)| index < Weights::COUNT))
    }
}
