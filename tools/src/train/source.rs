//! The games of files as samples, in portions that fit into memory.

use super::samples::{Lesson, Samples};
use sabi::record::RecordError;
use sabi::record::compact::{Blocks, read_blocks};
use std::path::{Path, PathBuf};

/// Which games are taken.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// Those that are learnt from.
    Training,
    /// Those that judge what was learnt.
    Validation,
}

/// Files of games, read again and again.
pub(super) struct Source<'a> {
    files: &'a [PathBuf],
    lesson: Lesson,
    /// How much of the games judges.
    validation: f64,
    seed: u64,
    /// The file that is read next, and what is open.
    next: usize,
    open: Option<(&'a Path, Blocks)>,
}

impl<'a> Source<'a> {
    pub fn new(files: &'a [PathBuf], lesson: Lesson, validation: f64, seed: u64) -> Self {
        Self { files, lesson, validation, seed, next: 0, open: None }
    }

    /// Begins anew.
    pub fn rewind(&mut self) {
        (self.next, self.open) = (0, None);
    }

    /// Fills `samples` with the next ones, whole blocks of games until there are about `room`; none are left where it stays empty.
    pub fn fill(&mut self, samples: &mut Samples, room: usize, share: Share) -> Result<(), RecordError> {
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
                if share_of(game.number, self.seed, self.validation) == share {
                    let line = before + at + 1;
                    let error = |fault| RecordError { file: file.to_owned(), line, fault };
                    samples.add(&game, &self.lesson).map_err(error)?;
                }
            }
        }
        Ok(())
    }
}

/// Games of the same number belong to the same share wherever they are.
fn share_of(number: u64, seed: u64, validation: f64) -> Share {
    // The finalizer of SplitMix64: every bit of the number counts.
    let mut mixed = number.wrapping_add(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    let part = (mixed ^ mixed >> 31) as f64 / u64::MAX as f64;
    if part < validation { Share::Validation } else { Share::Training }
}
