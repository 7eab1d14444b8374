//! A fit in a file, so that a long one may be cut off.
//!
//! Bytes 0-7 are `SABI-FIT`, 8-11 the version, 12-15 the CRC-32 of the rest, all little-endian. The rest is the [`Saved`] fit as
//! `postcard` writes it.

use super::fit::Fit;
use super::samples::Samples;
use crate::util::{crc32, replace_with_bytes};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

const MAGIC: [u8; 8] = *b"SABI-FIT";
const VERSION: u32 = 1;
const HEADER: usize = 16;

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

/// Why a saved fit cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SavedError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is no saved fit")]
    Foreign,
    #[error("its version is {0}, this program reads version {VERSION}")]
    Version(u32),
    #[error("it is damaged")]
    Damaged,
}

impl Saved {
    /// Writes it to a file, all at once.
    ///
    /// # Errors
    /// Those of the file system; an old file is then untouched.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let body = postcard::to_stdvec(self).map_err(io::Error::other)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(crc32(&body).to_le_bytes());
        bytes.extend(body);
        replace_with_bytes(path, &bytes)
    }

    /// Reads it from a file.
    ///
    /// # Errors
    /// When it cannot be read, is something else, or is damaged.
    pub fn read(path: &Path) -> Result<Self, SavedError> {
        let bytes = std::fs::read(path)?;
        let header = bytes.first_chunk::<HEADER>().filter(|header| header[..8] == MAGIC).ok_or(SavedError::Foreign)?;
        let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        if number(8) != VERSION {
            return Err(SavedError::Version(number(8)));
        }
        let body = &bytes[HEADER..];
        if crc32(body) != number(12) {
            return Err(SavedError::Damaged);
        }
        postcard::from_bytes(body).map_err(|_| SavedError::Damaged)
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
