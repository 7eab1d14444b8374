//! Files with a state: resumable runs and tuning samples.
//!
//! Bytes 0-7 are the magic bytes, 8-11 the version in little-endian. An LZ4 frame with checksums
//! follows, of the state in `postcard` format.

use lz4_flex::frame::{FrameDecoder, FrameEncoder, FrameInfo};
use sabi_files::{read_regular, replace_file};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};
use std::path::Path;

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum CheckpointError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is no {0}")]
    WrongFormat(&'static str),
    #[error("its version is {found}, this program reads version {known}")]
    Version { found: u32, known: u32 },
    #[error("it is damaged")]
    Damaged,
}

/// A state that is saved to a file.
pub trait Checkpoint: Serialize + DeserializeOwned {
    /// Magic bytes.
    const MAGIC: [u8; 8];
    /// Version, to be changed with the state.
    const VERSION: u32;
    /// Display name.
    const NAME: &'static str;

    /// Validates a state read from a file.
    fn is_valid(&self) -> bool {
        true
    }

    /// Whether a file with this head is of this kind.
    fn detect(head: &[u8]) -> bool {
        head.starts_with(&Self::MAGIC)
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// I/O errors; an old file is then unchanged.
    fn write(&self, path: &Path) -> io::Result<()> {
        replace_file(path, |file| {
            file.write_all(&Self::MAGIC)?;
            file.write_all(&Self::VERSION.to_le_bytes())?;
            let checksums = FrameInfo::new().block_checksums(true).content_checksum(true);
            let frame = FrameEncoder::with_frame_info(checksums, file);
            let frame = postcard::to_io(self, frame).map_err(io::Error::other)?;
            frame.finish()?;
            Ok(())
        })
    }

    /// Reads a state.
    ///
    /// # Errors
    /// When it cannot be read, is another kind of file, or is damaged.
    fn read(path: &Path) -> Result<Self, CheckpointError> {
        let bytes = read_regular(path)?;
        let head = bytes.strip_prefix(&Self::MAGIC).and_then(|rest| rest.split_first_chunk());
        let (version, packed) = head.ok_or(CheckpointError::WrongFormat(Self::NAME))?;
        let found = u32::from_le_bytes(*version);
        if found != Self::VERSION {
            return Err(CheckpointError::Version { found, known: Self::VERSION });
        }
        let mut frame = FrameDecoder::new(packed);
        let mut body = Vec::new();
        frame.read_to_end(&mut body).map_err(|_| CheckpointError::Damaged)?;
        let state = postcard::from_bytes(&body).ok().filter(Self::is_valid);
        state.filter(|_| frame.get_ref().is_empty()).ok_or(CheckpointError::Damaged)
    }

    /// The state to resume a run from; `None` without a file: a killed run without a saved state
    /// starts from scratch.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    fn resume(path: &Path) -> Result<Option<Self>, CheckpointError> {
        path.exists().then(|| Self::read(path)).transpose()
    }
}
