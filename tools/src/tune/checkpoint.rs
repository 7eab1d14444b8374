//! Saved fits, and sample files, so that games are read once and fitted often.

use super::fit::Fit;
use super::samples::Samples;
use crate::checkpoint::Checkpoint;
use sabi::eval::{MAX_PHASE, Weights};
use sabi_files::crc32;
use serde::{Deserialize, Serialize};

/// A fit with its data set.
#[derive(Clone, Serialize, Deserialize)]
pub struct Saved {
    /// The fit.
    pub fit: Fit,
    /// [`Samples::fingerprint`] of the samples.
    pub samples: u32,
    /// Share of games in the test set.
    pub test_split: f64,
}

impl Checkpoint for Saved {
    const MAGIC: [u8; 8] = *b"SABI-FIT";
    const VERSION: u32 = 4;
    const NAME: &str = "saved fit";
}

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

impl Samples {
    /// Hash of all samples, in the byte order of the machine.
    pub fn fingerprint(&self) -> u32 {
        let columns: [&[u8]; 6] = [
            bytemuck::cast_slice(&self.words),
            bytemuck::cast_slice(&self.ends),
            &self.phases,
            &self.half_points,
            bytemuck::cast_slice(&self.scores),
            bytemuck::cast_slice(&self.games),
        ];
        crc32(&columns.map(crc32).map(u32::to_le_bytes).concat())
    }
}
