//! Training samples, feature indices and targets, streamed from game files; and the settings of a
//! training run, on which the targets depend.

use rand::Rng;
use sabi::eval::nnue::{Buckets, Features, Shape, mirrored_indices};
use sabi_files::crc32;
use sabi_records::{
    Fault, RecordError,
    sabg::{Block, Blocks, StoredGame, read_blocks},
};
use sabi_shogi::{Color, Move, Position, Score, split_mix};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Warm-up as a share of all batches.
const WARM_UP: f64 = 0.01;
/// Final learning rate as a share of the maximum.
const FINAL_LEARNING_RATE: f64 = 0.01;

/// Maximum absolute search score of a target, in centipawns; mates are above it.
pub(super) const MAX_SCORE: i32 = 2000;

/// Training settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingSettings {
    /// Input features.
    pub features: Features,
    /// First-layer outputs per perspective.
    pub width: usize,
    /// Layer stacks.
    pub buckets: Buckets,
    /// Weight of the search score in the target; the rest is the λ-return of the game.
    pub score_share: f64,
    /// λ of the return: 1 is the result of the game alone.
    pub lambda: f64,
    /// Scale of the expected score: `p = 1 / (1 + exp(-cp / scale))`.
    pub scale: f64,
    /// Epochs.
    pub epochs: usize,
    /// Batch size.
    pub batch_size: usize,
    /// Maximum learning rate.
    pub learning_rate: f64,
    /// Weight decay.
    pub weight_decay: f64,
    /// Share of games in the validation set.
    pub validation_share: f64,
    /// Random seed.
    pub seed: u64,
}

impl TrainingSettings {
    /// Scales with which the output layer can be quantised: its weights are neither all 0 nor all
    /// clipped.
    pub const SCALES: RangeInclusive<f64> = 50.0..=5000.0;

    /// The shape of the network.
    pub fn shape(&self) -> Shape {
        Shape { features: self.features, width: self.width, buckets: self.buckets, ..Shape::KP }
    }

    /// Expected score at a search score.
    pub(super) fn expected(&self, score: Score) -> f64 {
        let score = score.get().clamp(-MAX_SCORE, MAX_SCORE);
        1.0 / (1.0 + (-f64::from(score) / self.scale).exp())
    }

    /// Learning rate at this share of all steps.
    pub(super) fn learning_rate_at(&self, part: f64) -> f64 {
        if part < WARM_UP {
            return self.learning_rate * (part / WARM_UP).max(0.01);
        }
        let cosine = (1.0 + (std::f64::consts::PI * ((part - WARM_UP) / (1.0 - WARM_UP)).min(1.0)).cos()) / 2.0;
        self.learning_rate * (FINAL_LEARNING_RATE + (1.0 - FINAL_LEARNING_RATE) * cosine)
    }
}

/// Pieces and kings of a position.
pub(super) const PIECES: usize = 40;

/// Positions with their targets: expected score of the side to move.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    /// Feature indices from the side to move: those of [`Features::Kp`].
    pub feature_indices: Vec<[u16; PIECES]>,
    /// Layer stacks.
    pub stacks: Vec<u16>,
    pub targets: Vec<f32>,
    /// Game result in half points for the side to move, where known.
    pub results: Vec<Option<u8>>,
}

impl Samples {
    /// Number of samples.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// CRC of features and targets.
    pub fn checksum(&self) -> u32 {
        let columns = [bytemuck::cast_slice(self.feature_indices.as_flattened()), bytemuck::cast_slice(&self.targets)];
        crc32(&columns.map(crc32).map(u32::to_le_bytes).concat())
    }

    /// Keeps the first `count` samples.
    pub fn truncate(&mut self, count: usize) {
        self.feature_indices.truncate(count);
        self.stacks.truncate(count);
        self.targets.truncate(count);
        self.results.truncate(count);
    }

    /// Mirrors about half of the positions horizontally: data augmentation, because the rules are
    /// symmetric.
    pub fn mirror_some(&mut self, buckets: &Buckets, rng: &mut impl Rng) {
        let (mirrored, stacks) = (mirrored_indices(), buckets.mirrored());
        for (feature_indices, stack) in self.feature_indices.iter_mut().zip(&mut self.stacks) {
            if rng.random::<bool>() {
                *feature_indices = feature_indices.map(|number| mirrored[usize::from(number)]);
                *stack = stacks[usize::from(*stack)];
            }
        }
    }

    /// The layer stack of the samples, which share one.
    #[inline]
    pub fn stack(&self, chosen: &[u32]) -> usize {
        chosen.first().map_or(0, |&at| self.stacks[at as usize].into())
    }

    /// Adds the quiet positions of a game: with a score, no check, and a quiet move. Decided ones are
    /// among the leaves of a search too, and without them the others would be a biased choice.
    ///
    /// # Errors
    /// When the game is invalid.
    pub fn add(&mut self, game: &StoredGame<'_>, settings: &TrainingSettings) -> Result<(), Fault> {
        let mut returns = returns(game, settings)?.into_iter();
        game.replay(|position, mv, score| {
            let later = returns.next().unwrap_or_default();
            if let Some(score) = score
                && is_quiet(position, mv)
                && let Some(feature_indices) = feature_indices(position)
            {
                let result = game.result.half_points(position.side_to_move());
                let share = if result.is_some() { settings.score_share } else { 1.0 };
                let target = share * settings.expected(score) + (1.0 - share) * later;
                self.feature_indices.push(feature_indices);
                self.stacks.push(settings.buckets.bucket(position, None) as u16);
                self.targets.push(target as f32);
                self.results.push(result);
            }
        })?;
        Ok(())
    }
}

/// The λ-return of each position for its side to move, TD(λ) of Sutton (1988): with the expected
/// score `p` of the search, `g(t) = (1 - λ) p(t) + λ (1 - g(t + 1))`, after the last move the result.
/// A position without a score takes that of the next. Without a result of the game the returns are
/// not used.
fn returns(game: &StoredGame<'_>, settings: &TrainingSettings) -> Result<Vec<f64>, Fault> {
    let first = game.start.position()?.side_to_move();
    let last = if game.moves.len().is_multiple_of(2) { first } else { !first };
    let mut value = game.result.half_points(last).map_or(0.5, |points| f64::from(points) / 2.0);
    let mut returns = vec![0.0; game.moves.len()];
    for (value_at, score) in returns.iter_mut().zip(game.scores).rev() {
        value = 1.0 - value;
        if let Some(score) = score {
            value += (1.0 - settings.lambda) * (settings.expected(*score) - value);
        }
        *value_at = value;
    }
    Ok(returns)
}

pub(super) fn is_quiet(position: &Position, mv: Move) -> bool {
    !position.in_check() && !position.is_tactical(mv)
}

/// Feature indices from the side to move; `None` without both kings.
pub(super) fn feature_indices(position: &Position) -> Option<[u16; PIECES]> {
    let mut feature_indices = [0; PIECES];
    let mut count = 0;
    Features::Kp.for_each_active(position, position.side_to_move(), |number| {
        if let Some(place) = feature_indices.get_mut(count) {
            *place = number as u16;
        }
        count += 1;
    });
    (count == PIECES).then_some(feature_indices)
}

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
    /// Number of games.
    pub games: usize,
    /// The smallest and the greatest [`validation_part`] of the games.
    pub shares: [f64; 2],
}

impl<'a> SampleReader<'a> {
    pub fn new(files: &'a [PathBuf], settings: &TrainingSettings) -> Self {
        let count = files.len().clamp(1, MAX_OPEN);
        let queues = (0..count).map(|at| FileQueue::new(files.iter().skip(at).step_by(count))).collect();
        Self { queues, settings: settings.clone() }
    }

    /// Restarts from the first block.
    pub fn rewind(&mut self) {
        self.queues.iter_mut().for_each(|queue| (queue.next, queue.open) = (0, None));
    }

    /// Fills `samples` by the training samples of whole blocks up to about `room`; leaves it empty
    /// at the end. The validation set of the first pass has the same room.
    pub fn fill(
        &mut self,
        samples: &mut Samples,
        room: usize,
        mut first_pass: Option<&mut FirstPass>,
    ) -> Result<(), RecordError> {
        samples.truncate(0);
        while samples.len() < room {
            let unread = self.queues.iter_mut().filter(|queue| !queue.is_over());
            let Some(queue) = unread.min_by(|one, other| one.share().total_cmp(&other.share())) else { break };
            let Some((file, before, block)) = queue.next_block()? else { continue };
            for (at, game) in block.games().enumerate() {
                let set = if validation_part(game.number) < self.settings.validation_share {
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
                    let part = validation_part(game.number);
                    let [least, most] = if pass.games == 0 { [part; 2] } else { pass.shares };
                    pass.shares = [least.min(part), most.max(part)];
                    pass.games += 1;
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
    /// Each with the bytes of the files before it; the bytes of all.
    files: Vec<(&'a Path, u64)>,
    bytes: u64,
    /// The next file and the open one.
    next: usize,
    open: Option<(&'a Path, Blocks)>,
}

impl<'a> FileQueue<'a> {
    fn new(paths: impl Iterator<Item = &'a PathBuf>) -> Self {
        let (mut files, mut bytes) = (Vec::new(), 0);
        for path in paths {
            files.push((path.as_path(), bytes));
            // A file without a size cannot be opened either.
            bytes += path.metadata().map_or(0, |file| file.len());
        }
        Self { files, bytes, next: 0, open: None }
    }

    fn is_over(&self) -> bool {
        self.open.is_none() && self.next == self.files.len()
    }

    /// Share of the bytes that have been read.
    fn share(&self) -> f64 {
        let read = match &self.open {
            Some((_, blocks)) => self.files[self.next - 1].1 + blocks.complete_bytes,
            None => self.files.get(self.next).map_or(self.bytes, |file| file.1),
        };
        read as f64 / self.bytes.max(1) as f64
    }

    /// The next block with its file and the number of games before it; `None` at the end of a file.
    fn next_block(&mut self) -> Result<Option<(&'a Path, usize, Block)>, RecordError> {
        if self.open.is_none()
            && let Some(&(file, _)) = self.files.get(self.next)
        {
            self.open = Some((file, read_blocks(file)?));
            self.next += 1;
        }
        let Some((file, blocks)) = &mut self.open else { return Ok(None) };
        let (file, before) = (*file, blocks.games);
        let block = blocks.next().transpose()?;
        if block.is_none() {
            self.open = None;
        }
        Ok(block.map(|block| (file, before, block)))
    }
}

/// Above which share a game is in the validation set, by its number alone: in every run a game is in
/// the same set, so that a network which another one starts from has not been trained on its
/// validation set.
fn validation_part(number: u64) -> f64 {
    split_mix(0, number.wrapping_add(1)) as f64 / u64::MAX as f64
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
