//! Streams samples from game files.

use super::samples::{Samples, TargetSettings};
use sabi::eval::nnue::Buckets;
use sabi::record::RecordError;
use sabi::record::compact::{Blocks, read_blocks};
use sabi::util::split_mix;
use std::path::{Path, PathBuf};

/// Data set.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum DataSet {
    /// The training set.
    Training,
    /// The validation set.
    Validation,
}

/// Game files, read repeatedly.
pub(super) struct SampleReader<'a> {
    files: &'a [PathBuf],
    target_settings: TargetSettings,
    buckets: Buckets,
    /// Share of games in the validation set.
    validation: f64,
    seed: u64,
    /// The next file and the open one.
    next: usize,
    open: Option<(&'a Path, Blocks)>,
}

impl<'a> SampleReader<'a> {
    pub fn new(
        files: &'a [PathBuf],
        target_settings: TargetSettings,
        buckets: Buckets,
        validation: f64,
        seed: u64,
    ) -> Self {
        Self { files, target_settings, buckets, validation, seed, next: 0, open: None }
    }

    /// Restarts from the first file.
    pub fn rewind(&mut self) {
        (self.next, self.open) = (0, None);
    }

    /// Fills `samples` by whole blocks up to about `room`; leaves it empty at the end.
    pub fn fill(&mut self, samples: &mut Samples, room: usize, set: DataSet) -> Result<(), RecordError> {
        samples.clear();
        while samples.len() < room {
            let Some((file, blocks)) = &mut self.open else {
                let Some(file) = self.files.get(self.next) else { return Ok(()) };
                self.next += 1;
                self.open = Some((file, read_blocks(file)?));
                continue;
            };
            let before = blocks.games();
            let Some(block) = blocks.next() else {
                self.open = None;
                continue;
            };
            for (at, game) in block?.games().enumerate() {
                if data_set_of(game.number, self.seed, self.validation) == set {
                    let line = before + at + 1;
                    let error = |fault| RecordError { file: file.to_owned(), line, fault };
                    samples.add(&game, &self.target_settings, &self.buckets).map_err(error)?;
                }
            }
        }
        Ok(())
    }
}

/// Assigns games to sets by number, independent of files.
fn data_set_of(number: u64, seed: u64, validation: f64) -> DataSet {
    let part = split_mix(0, number.wrapping_add(seed)) as f64 / u64::MAX as f64;
    if part < validation { DataSet::Validation } else { DataSet::Training }
}
