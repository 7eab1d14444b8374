//! Checkpoint of a training run.

use super::fit::Fit;
use sabi::util::{SavedError, SavedKind};
use std::io;
use std::path::Path;

const KIND: SavedKind = SavedKind { magic: *b"SABITRAN", version: 2, name: "training" };

impl Fit {
    /// Whether a file with this head is a checkpoint.
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
        KIND.read(path).and_then(|fit: Self| if fit.is_valid() { Ok(fit) } else { Err(SavedError::Damaged) })
    }
}
