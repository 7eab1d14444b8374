//! Training samples: feature indices and targets.

use super::settings::TrainingSettings;
use rand::Rng;
use sabi::eval::nnue::{Buckets, Features, mirrored_indices};
use sabi_files::crc32;
use sabi_records::{Fault, sabg::StoredGame};
use sabi_shogi::{Move, Position};

/// Pieces and kings of a position.
pub const PIECES: usize = 40;

/// Positions with their targets: expected score of the side to move.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Feature indices from the side to move: those of [`Features::Kp`].
    pub(super) feature_indices: Vec<[u16; PIECES]>,
    /// Layer stacks.
    pub(super) stacks: Vec<u16>,
    pub(super) targets: Vec<f32>,
    /// Game result in half points for the side to move, where known.
    pub(super) results: Vec<Option<u8>>,
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

    /// Removes all samples.
    pub fn clear(&mut self) {
        self.feature_indices.clear();
        self.stacks.clear();
        self.targets.clear();
        self.results.clear();
    }

    /// CRC of features and targets.
    pub(super) fn checksum(&self) -> u32 {
        let columns = [bytemuck::cast_slice(self.feature_indices.as_flattened()), bytemuck::cast_slice(&self.targets)];
        crc32(&columns.map(crc32).map(u32::to_le_bytes).concat())
    }

    /// Keeps the first `count` samples.
    pub(super) fn truncate(&mut self, count: usize) {
        self.feature_indices.truncate(count);
        self.stacks.truncate(count);
        self.targets.truncate(count);
        self.results.truncate(count);
    }

    /// Mirrors about half of the positions horizontally: data augmentation, because the rules are
    /// symmetric.
    pub(super) fn mirror_some(&mut self, buckets: &Buckets, rng: &mut impl Rng) {
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
    pub(super) fn stack(&self, chosen: &[u32]) -> usize {
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
