//! Checkpoint of a fit.

use super::fit::Fit;
use super::samples::Samples;
use crate::checkpoint::Checkpoint;
use sabi::util::crc32;
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
    const VERSION: u32 = 3;
    const NAME: &str = "saved fit";
}

impl Samples {
    /// Hash of all samples.
    pub fn fingerprint(&self) -> u32 {
        let mut sums = sums_of(&self.words, |word| word.to_le_bytes());
        sums.extend(sums_of(&self.scores, |score| score.to_le_bytes()));
        sums.extend(sums_of(&self.games, |end| end.to_le_bytes()));
        sums.extend(crc32(&self.half_points).to_le_bytes());
        sums.extend(crc32(&self.phases).to_le_bytes());
        crc32(&sums)
    }
}

/// Checksums of chunks, to avoid a copy of all samples in memory.
fn sums_of<T: Copy, const N: usize>(values: &[T], to_bytes: fn(T) -> [u8; N]) -> Vec<u8> {
    let of_chunk = |chunk: &[T]| crc32(&chunk.iter().flat_map(|&value| to_bytes(value)).collect::<Vec<u8>>());
    values.chunks(1 << 20).flat_map(|chunk| of_chunk(chunk).to_le_bytes()).collect()
}
