//! Files with a state: resumable runs and tuning samples.
//!
//! A [`Checkpoint`] is a state in a file: bytes 0-7 are the magic bytes, 8-11 the version in
//! little-endian; an LZ4 frame with checksums follows, of the state in `postcard` format. A
//! [`StateFile`] is the one of a run that can be interrupted.

use anyhow::Context;
use lz4_flex::frame::{FrameDecoder, FrameEncoder, FrameInfo};
use sabi::cli::check_output;
use sabi_files::{read_regular, replace_file};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
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
}

/// The state file of a run that can be interrupted and resumed.
pub struct StateFile {
    path: PathBuf,
    /// What it is in messages: "the training".
    what: &'static str,
    /// When it was saved, or opened.
    saved: Instant,
}

impl StateFile {
    /// The file of a run; `what` names it in messages.
    pub fn new(path: PathBuf, what: &'static str) -> Self {
        Self { path, what, saved: Instant::now() }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// [`check_output`] before the work.
    ///
    /// # Errors
    /// When it is a file of another kind, or cannot be written.
    pub fn check_output<S: Checkpoint>(&self) -> anyhow::Result<()> {
        check_output(&self.path, self.what, |head, _| S::detect(head))
    }

    /// The state to resume the run from, if the inputs are the same, which `check` finds out;
    /// `None` without a file: a killed run without a saved state starts from scratch.
    ///
    /// # Errors
    /// Those of [`Checkpoint::read`] and of `check`.
    pub fn resume<S: Checkpoint>(&self, check: impl FnOnce(&mut S) -> anyhow::Result<()>) -> anyhow::Result<Option<S>> {
        if !self.path.exists() {
            return Ok(None);
        }
        let mut state = S::read(&self.path).with_context(|| self.cannot_resume())?;
        check(&mut state).with_context(|| self.cannot_resume())?;
        Ok(Some(state))
    }

    /// The message of a run that cannot be resumed, before the reason.
    pub fn cannot_resume(&self) -> String {
        format!("cannot resume from '{}'", self.path.display())
    }

    /// Whether the last save, or the beginning, is as long ago as this.
    pub fn is_due(&self, interval: Duration) -> bool {
        self.saved.elapsed() >= interval
    }

    /// Saves the state; until it is complete the file has the old one.
    ///
    /// # Errors
    /// I/O errors.
    pub fn save(&mut self, state: &impl Checkpoint) -> anyhow::Result<()> {
        state.write(&self.path).with_context(|| format!("cannot write {} '{}'", self.what, self.path.display()))?;
        self.saved = Instant::now();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::ensure;
    use serde::Deserialize;

    #[derive(Serialize, Deserialize)]
    struct Counted(u32);

    impl Checkpoint for Counted {
        const MAGIC: [u8; 8] = *b"SABITEST";
        const VERSION: u32 = 1;
        const NAME: &str = "saved count";
    }

    #[test]
    fn runs_are_resumed_with_the_same_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("count");
        let mut state = StateFile::new(path.clone(), "the count");
        let resume = |state: &StateFile| {
            state.resume(|saved: &mut Counted| {
                ensure!(saved.0 < 9, "it has other arguments");
                saved.0 += 1;
                Ok(())
            })
        };
        assert!(resume(&state).unwrap().is_none() && state.check_output::<Counted>().is_ok());
        state.save(&Counted(4)).unwrap();
        assert!(!state.is_due(Duration::from_secs(3600)) && state.is_due(Duration::ZERO));
        assert_eq!(resume(&state).unwrap().unwrap().0, 5);
        let message = |state: &StateFile| format!("{:#}", resume(state).err().unwrap());
        let beginning = format!("cannot resume from '{}': ", path.display());
        state.save(&Counted(9)).unwrap();
        assert_eq!(message(&state), format!("{beginning}it has other arguments"));
        std::fs::write(&path, "something else").unwrap();
        assert_eq!(message(&state), format!("{beginning}it is no saved count"));
        assert!(state.check_output::<Counted>().is_err());
        let error = StateFile::new(folder.path().join("no/count"), "the count").save(&Counted(1)).unwrap_err();
        assert!(error.to_string().starts_with("cannot write the count '"), "{error}");
    }
}
