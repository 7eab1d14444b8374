//! Checkpoint of a fit.

use super::fit::Fit;
use super::samples::Samples;
use sabi::util::{SavedError, SavedKind, crc32};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

const KIND: SavedKind = SavedKind { magic: *b"SABI-FIT", version: 1, name: "fit" };

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

impl Saved {
    /// Whether a file with this head is a checkpoint of a fit.
    pub fn recognise(head: &[u8]) -> bool {
        KIND.recognise(head)
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// I/O errors; an old file is then unchanged.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        KIND.write(path, self)
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// When it cannot be read, is another kind of file, or is damaged.
    pub fn read(path: &Path) -> Result<Self, SavedError> {
        KIND.read(path)
    }
}

impl Samples {
    /// Hash of all samples.
    pub fn fingerprint(&self) -> u32 {
        // Hashed in chunks, to avoid a copy of all samples in memory.
        let of_piece = |piece: &[u16]| crc32(&piece.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
        let mut sums: Vec<u8> = self.words.chunks(1 << 20).flat_map(|piece| of_piece(piece).to_le_bytes()).collect();
        sums.extend(crc32(&self.half_points).to_le_bytes());
        crc32(&sums)
    }
}
