//! A training in a file.

use super::fit::Fit;
use sabi::util::{SavedError, SavedKind};
use std::io;
use std::path::Path;

const KIND: SavedKind = SavedKind { magic: *b"SABITRAN", version: 2, name: "training" };

impl Fit {
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
        KIND.read(path).and_then(|fit: Self| if fit.is_sound() { Ok(fit) } else { Err(SavedError::Damaged) })
    }
}
