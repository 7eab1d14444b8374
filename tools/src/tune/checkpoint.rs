//! Checkpoint of a fit.

use super::fit::Fit;
use super::samples::Samples;
use crate::checkpoint::Checkpoint;
use sabi::util::{SavedKind, crc32};
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
    const KIND: SavedKind = SavedKind { magic: *b"SABI-FIT", version: 1, name: "fit" };
}

impl Samples {
    /// Hash of all samples.
    pub fn fingerprint(&self) -> u32 {
        // Hashed in chunks, to avoid a copy of all samples in memory.
        let of_chunk = |chunk: &[u16]| crc32(&chunk.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
        let mut sums: Vec<u8> = self.words.chunks(1 << 20).flat_map(|chunk| of_chunk(chunk).to_le_bytes()).collect();
        sums.extend(crc32(&self.half_points).to_le_bytes());
        crc32(&sums)
    }
}
