//! Streams samples from game files.

use super::samples::Samples;
use super::settings::TrainingSettings;
use sabi_files::crc32;
use sabi_records::{
    RecordError,
    sabg::{Block, Blocks, StoredGame, read_blocks},
};
use sabi_shogi::{Color, split_mix};
use std::path::{Path, PathBuf};

/// Files open at a time.
const MAX_OPEN: usize = 64;

/// Game files, read repeatedly. The next block is always one of the queue of which the smallest
/// share has been read, so that each part of an epoch has positions of all queues: of up to 64
/// files each has its own.
pub(super) struct SampleReader<'a> {
    queues: Vec<FileQueue<'a>>,
    settings: TrainingSettings,
}

/// What the first pass over all games collects besides the training samples.
#[derive(Default)]
pub(super) struct FirstPass {
    /// The validation set.
    pub validation: Samples,
    /// Validation samples without room.
    pub unused: usize,
    /// CRC of all games in reading order.
    pub games_crc: u32,
}

impl<'a> SampleReader<'a> {
    pub fn new(files: &'a [PathBuf], settings: &TrainingSettings) -> Self {
        let count = files.len().clamp(1, MAX_OPEN);
        let queues = (0..count).map(|at| FileQueue::new(files.iter().skip(at).step_by(count))).collect();
        Self { queues, settings: settings.clone() }
    }

    /// Restarts from the first block.
    pub fn rewind(&mut self) {
        self.queues.iter_mut().for_each(FileQueue::rewind);
    }

    /// Fills `samples` by the training samples of whole blocks up to about `room`; leaves it empty
    /// at the end. The validation set of the first pass has the same room.
    pub fn fill(
        &mut self,
        samples: &mut Samples,
        room: usize,
        mut first_pass: Option<&mut FirstPass>,
    ) -> Result<(), RecordError> {
        samples.clear();
        while samples.len() < room {
            let unread = self.queues.iter_mut().filter(|queue| !queue.is_over());
            let Some(queue) = unread.min_by(|one, other| one.share().total_cmp(&other.share())) else { break };
            let Some((file, before, block)) = queue.next_block()? else { continue };
            for (at, game) in block.games().enumerate() {
                let set = if is_validation(game.number, self.settings.validation_share) {
                    first_pass.as_mut().map(|pass| &mut pass.validation)
                } else {
                    Some(&mut *samples)
                };
                if let Some(set) = set {
                    let error = |fault| RecordError { file: file.to_owned(), line: before + at + 1, fault };
                    set.add(&game, &self.settings).map_err(error)?;
                }
                if let Some(pass) = &mut first_pass {
                    pass.games_crc = crc_with(pass.games_crc, &game);
                }
            }
            if let Some(pass) = &mut first_pass {
                pass.unused += pass.validation.len().saturating_sub(room);
                pass.validation.truncate(room);
            }
        }
        Ok(())
    }
}

/// Files that are read one after the other; usually one.
struct FileQueue<'a> {
    files: Vec<&'a Path>,
    /// Bytes of the files before the next one, and of all.
    ends: Vec<u64>,
    /// The next file and the open one.
    next: usize,
    open: Option<(&'a Path, Blocks)>,
}

impl<'a> FileQueue<'a> {
    fn new(files: impl Iterator<Item = &'a PathBuf>) -> Self {
        let files: Vec<&Path> = files.map(PathBuf::as_path).collect();
        // A file without a size cannot be opened either.
        let sizes = files.iter().map(|file| file.metadata().map_or(0, |file| file.len()));
        let ends = sizes.scan(0, |end, size| {
            *end += size;
            Some(*end)
        });
        let ends = std::iter::once(0).chain(ends).collect();
        Self { files, ends, next: 0, open: None }
    }

    fn rewind(&mut self) {
        (self.next, self.open) = (0, None);
    }

    fn is_over(&self) -> bool {
        self.open.is_none() && self.next == self.files.len()
    }

    /// Share of the bytes that have been read.
    fn share(&self) -> f64 {
        let read = match &self.open {
            Some((_, blocks)) => self.ends[self.next - 1] + blocks.complete_bytes(),
            None => self.ends[self.next],
        };
        read as f64 / self.ends[self.files.len()].max(1) as f64
    }

    /// The next block with its file and the number of games before it; `None` at the end of a file.
    fn next_block(&mut self) -> Result<Option<(&'a Path, usize, Block)>, RecordError> {
        if self.open.is_none()
            && let Some(&file) = self.files.get(self.next)
        {
            self.open = Some((file, read_blocks(file)?));
            self.next += 1;
        }
        let Some((file, blocks)) = &mut self.open else { return Ok(None) };
        let (file, before) = (*file, blocks.games());
        match blocks.next() {
            Some(block) => Ok(Some((file, before, block?))),
            None => {
                self.open = None;
                Ok(None)
            }
        }
    }
}

/// Assigns games to sets by number alone: in every run a game is in the same set, so that a network
/// which another one starts from has not been trained on its validation set.
fn is_validation(number: u64, validation_share: f64) -> bool {
    let part = split_mix(0, number.wrapping_add(1)) as f64 / u64::MAX as f64;
    part < validation_share
}

/// The CRC of games and one more: number, result, moves and scores.
fn crc_with(games_crc: u32, game: &StoredGame<'_>) -> u32 {
    let mut bytes = games_crc.to_le_bytes().to_vec();
    bytes.extend(game.number.to_le_bytes());
    bytes.push(game.result.half_points(Color::Black).unwrap_or(u8::MAX));
    bytes.extend(game.moves.iter().flat_map(|mv| mv.bits().to_le_bytes()));
    bytes.extend(game.scores.iter().flat_map(|score| score.map_or(i32::MAX, |score| score.get()).to_le_bytes()));
    crc32(&bytes)
}
