//! A fit in a file.

use super::fit::Fit;
use super::samples::Samples;
use sabi::util::{SavedError, SavedKind, crc32};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

const KIND: SavedKind = SavedKind { magic: *b"SABI-FIT", version: 1, name: "fit" };

/// A fit, and what it was working on.
#[derive(Clone, Serialize, Deserialize)]
pub struct Saved {
    /// The fit.
    pub fit: Fit,
    /// [`Samples::fingerprint`] of the samples.
    pub samples: u32,
    /// The share of games that judge.
    pub test_split: f64,
}

impl Saved {
    /// Whether a file that begins so is one of these.
    pub fn recognise(head: &[u8]) -> bool {
        KIND.recognise(head)
    }

    /// Writes it to a file, all at once.
    ///
    /// # Errors
    /// Those of the file system; an old file is then untouched.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        KIND.write(path, self)
    }

    /// Reads it from a file.
    ///
    /// # Errors
    /// When it cannot be read, is something else, or is damaged.
    pub fn read(path: &Path) -> Result<Self, SavedError> {
        KIND.read(path)
    }
}

impl Samples {
    /// Tells samples apart.
    pub fn fingerprint(&self) -> u32 {
        // Of pieces first: all of them together would be another copy in memory.
        let of_piece = |piece: &[u16]| crc32(&piece.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
        let mut sums: Vec<u8> = self.words.chunks(1 << 20).flat_map(|piece| of_piece(piece).to_le_bytes()).collect();
        sums.extend(crc32(&self.half_points).to_le_bytes());
        crc32(&sums)
    }
}
