//! Checkpoint files of long runs.

use super::{Cursor, crc32, read_regular, replace_with_bytes};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::path::Path;

/// A kind of checkpoint file: bytes 0-7 magic, 8-11 version, 12-15 CRC-32 of the rest, all
/// little-endian. The rest is the state in `postcard` format.
#[derive(Copy, Clone, Debug)]
pub struct SavedKind {
    /// Magic bytes.
    pub magic: [u8; 8],
    /// Version, to be changed with the state.
    pub version: u32,
    /// Display name.
    pub name: &'static str,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SavedError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is no saved {0}")]
    WrongFormat(&'static str),
    #[error("its version is {found}, this program reads version {known}")]
    Version { found: u32, known: u32 },
    #[error("it is damaged")]
    Damaged,
}

impl SavedKind {
    /// Whether a file that starts like this is of this kind.
    pub fn detect(&self, head: &[u8]) -> bool {
        head.starts_with(&self.magic)
    }

    /// Writes a checkpoint atomically.
    ///
    /// # Errors
    /// Those of the file system; an old file is unchanged.
    pub fn write(&self, path: &Path, state: &impl Serialize) -> io::Result<()> {
        let body = postcard::to_stdvec(state).map_err(io::Error::other)?;
        let mut bytes = self.magic.to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(crc32(&body).to_le_bytes());
        bytes.extend(body);
        replace_with_bytes(path, &bytes)
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// When it cannot be read, is of another kind, or is damaged.
    pub fn read<T: DeserializeOwned>(&self, path: &Path) -> Result<T, SavedError> {
        let bytes = read_regular(path)?;
        let wrong_format = || SavedError::WrongFormat(self.name);
        let mut cursor = Cursor(bytes.strip_prefix(&self.magic).ok_or_else(wrong_format)?);
        let mut number = || cursor.u32().map_err(|_| wrong_format());
        let (found, checksum) = (number()?, number()?);
        if found != self.version {
            return Err(SavedError::Version { found, known: self.version });
        }
        if crc32(cursor.0) != checksum {
            return Err(SavedError::Damaged);
        }
        postcard::from_bytes(cursor.0).map_err(|_| SavedError::Damaged)
    }
}
