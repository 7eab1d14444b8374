//! State files of resumable runs.

use sabi::util::{SavedError, SavedKind};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::path::Path;

/// A state that is saved to a file.
pub trait Checkpoint: Serialize + DeserializeOwned {
    /// File format.
    const KIND: SavedKind;

    /// Validates a state read from a file.
    fn is_valid(&self) -> bool {
        true
    }

    /// Whether a file with this head is of this kind.
    fn detect(head: &[u8]) -> bool {
        Self::KIND.detect(head)
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// I/O errors; an old file is then unchanged.
    fn write(&self, path: &Path) -> io::Result<()> {
        Self::KIND.write(path, self)
    }

    /// Reads a state.
    ///
    /// # Errors
    /// When it cannot be read, is another kind of file, or is damaged.
    fn read(path: &Path) -> Result<Self, SavedError> {
        Self::KIND
            .read(path)
            .and_then(|state: Self| if state.is_valid() { Ok(state) } else { Err(SavedError::Damaged) })
    }
}
