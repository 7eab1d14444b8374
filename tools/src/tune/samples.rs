//! Tuning samples, features, phase and labels, in files too, so that games are read once and fitted
//! often; and their split into training, validation and test set. All positions of a game are in the
//! same set, because they are correlated.

use crate::checkpoint::Checkpoint;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use sabi::eval::{Feature, MAX_PHASE, Weights};
use sabi_files::crc32;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Labels of a sample.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Result in half points for Black: 0, 1 or 2.
    pub half_points: u8,
    /// Search score for Black in centipawns.
    pub score: Option<i16>,
}

/// Samples with labels, in game order. A feature takes two bytes, a position about 300.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    pub(super) words: Vec<u16>,
    /// End of each sample in `words`.
    pub(super) ends: Vec<u64>,
    pub(super) phases: Vec<u8>,
    pub(super) half_points: Vec<u8>,
    /// [`NO_SCORE`] for none.
    pub(super) scores: Vec<i16>,
    /// End of each game in samples.
    pub(super) games: Vec<u64>,
}

const NO_SCORE: i16 = i16::MIN;

/// Bits of the weight index in a word; the rest encodes the count.
const INDEX_BITS: u32 = 13;
const INDEX_MASK: u16 = (1 << INDEX_BITS) - 1;
const _: () = assert!(Weights::COUNT <= 1 << INDEX_BITS, "another way to pack features is needed");

/// Counts encoded in the word; any other count follows in a word of its own.
const INLINE_COUNTS: [i16; 7] = [1, -1, 2, -2, 3, -3, 4];
const ESCAPE: u16 = INLINE_COUNTS.len() as u16;

impl Samples {
    /// Number of samples.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of games.
    pub fn game_count(&self) -> usize {
        self.games.len()
    }

    /// The samples of a game.
    pub fn of_game(&self, game: usize) -> Range<usize> {
        let start = if game == 0 { 0 } else { self.games[game - 1] as usize };
        start..self.games[game] as usize
    }

    /// Number of samples with a search score.
    pub fn scored(&self) -> usize {
        self.scores.iter().filter(|&&score| score != NO_SCORE).count()
    }

    /// All columns, in the byte order of the machine.
    fn columns(&self) -> [&[u8]; 6] {
        [
            bytemuck::cast_slice(&self.words),
            bytemuck::cast_slice(&self.ends),
            &self.phases,
            &self.half_points,
            bytemuck::cast_slice(&self.scores),
            bytemuck::cast_slice(&self.games),
        ]
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.columns().map(<[u8]>::len).iter().sum()
    }

    /// Hash of all samples.
    pub fn fingerprint(&self) -> u32 {
        crc32(&self.columns().map(crc32).map(u32::to_le_bytes).concat())
    }

    /// Adds a sample of the current game: a position with these features.
    pub fn push(&mut self, features: &[Feature], phase: i32, label: Label) {
        for feature in features {
            match INLINE_COUNTS.iter().position(|&count| count == feature.count) {
                Some(at) => self.words.push(feature.index | (at as u16) << INDEX_BITS),
                None => self.words.extend([feature.index | ESCAPE << INDEX_BITS, feature.count as u16]),
            }
        }
        self.ends.push(self.words.len() as u64);
        self.phases.push(phase as u8);
        self.half_points.push(label.half_points);
        self.scores.push(label.score.unwrap_or(NO_SCORE));
    }

    /// Ends the current game; a game without samples does not count.
    pub fn end_game(&mut self) {
        let end = self.ends.len() as u64;
        if self.games.last().copied().unwrap_or(0) < end {
            self.games.push(end);
        }
    }

    /// Copies a sample of `other` to the current game.
    pub fn push_from(&mut self, other: &Self, at: usize) {
        self.words.extend_from_slice(other.words_of(at));
        self.ends.push(self.words.len() as u64);
        self.phases.push(other.phases[at]);
        self.half_points.push(other.half_points[at]);
        self.scores.push(other.scores[at]);
    }

    #[inline(always)]
    fn words_of(&self, at: usize) -> &[u16] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.words[start..self.ends[at] as usize]
    }

    /// Features of a sample: weight index and count.
    #[inline(always)]
    pub fn features(&self, at: usize) -> impl Iterator<Item = (usize, i32)> + '_ {
        let mut words = self.words_of(at).iter();
        std::iter::from_fn(move || {
            let word = *words.next()?;
            let count = match INLINE_COUNTS.get(usize::from(word >> INDEX_BITS)) {
                Some(&count) => count,
                None => *words.next()? as i16,
            };
            Some((usize::from(word & INDEX_MASK), i32::from(count)))
        })
    }

    /// Endgame share of the phase, 0 to 1.
    #[inline(always)]
    pub fn end_game_share(&self, at: usize) -> f64 {
        f64::from(self.phases[at]) / f64::from(MAX_PHASE)
    }

    /// Result for Black, 0 to 1.
    #[inline(always)]
    pub fn result(&self, at: usize) -> f64 {
        f64::from(self.half_points[at]) / 2.0
    }

    /// Search score for Black in centipawns.
    #[inline(always)]
    pub fn score(&self, at: usize) -> Option<i16> {
        Some(self.scores[at]).filter(|&score| score != NO_SCORE)
    }

    /// Evaluation of a sample for Black in centipawns, not rounded.
    pub fn value(&self, at: usize, weights: &[[f64; 2]]) -> f64 {
        let [mut mg, mut eg] = [0.0; 2];
        for (index, count) in self.features(at) {
            let [weight_mg, weight_eg] = weights[index];
            mg += weight_mg * f64::from(count);
            eg += weight_eg * f64::from(count);
        }
        let share = self.end_game_share(at);
        mg * (1.0 - share) + eg * share
    }
}

impl Checkpoint for Samples {
    const MAGIC: [u8; 8] = *b"SABISMPL";
    const VERSION: u32 = 2;
    const NAME: &str = "sample file";

    /// Validates all offsets and values, so that later code need not.
    fn is_valid(&self) -> bool {
        let rising = |ends: &[u64], last: usize| ends.is_sorted() && ends.last().copied().unwrap_or(0) == last as u64;
        [&self.phases, &self.half_points].iter().all(|column| column.len() == self.len())
            && self.scores.len() == self.len()
            && rising(&self.ends, self.words.len())
            && rising(&self.games, self.len())
            && self.phases.iter().all(|&phase| i32::from(phase) <= MAX_PHASE)
            && self.half_points.iter().all(|&points| points <= 2)
            && (0..self.len()).all(|at| self.features(at).all(|(index, _)| index < Weights::COUNT))
    }
}

/// Games of each set, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The training set.
    pub train: Vec<usize>,
    /// The validation set, for early stopping.
    pub validation: Vec<usize>,
    /// The test set, used for the final result only.
    pub test: Vec<usize>,
}

impl Split {
    /// Whether no set is empty.
    pub fn is_possible(&self) -> bool {
        !self.train.is_empty() && !self.validation.is_empty() && !self.test.is_empty()
    }

    /// Random split: the share `test` of the games, 0 to 1, is the test set; the same share of the
    /// rest the validation set.
    pub fn new(samples: &Samples, test: f64, seed: u64) -> Self {
        let mut games: Vec<usize> = (0..samples.game_count()).collect();
        games.shuffle(&mut SmallRng::seed_from_u64(seed));
        let part = |games: &[usize]| (games.len() as f64 * test).round() as usize;
        let test = games.split_off(games.len() - part(&games));
        let validation = games.split_off(games.len() - part(&games));
        Self { train: sorted(games), validation: sorted(validation), test: sorted(test) }
    }

    /// K-fold cross-validation: each fold in turn is the test set, and the next one the validation
    /// set, so that early stopping does not select by the test set.
    pub fn folds(&self, folds: usize, seed: u64) -> Vec<Self> {
        let mut games: Vec<usize> = self.train.iter().chain(&self.validation).copied().collect();
        games.sort_unstable();
        games.shuffle(&mut SmallRng::seed_from_u64(seed));
        let fold = |number: usize| {
            let next = (number + 1) % folds;
            let of = |is_meant: &dyn Fn(usize) -> bool| {
                let chosen = games.iter().enumerate().filter(|(at, _)| is_meant(at % folds));
                sorted(chosen.map(|(_, &game)| game).collect())
            };
            Self {
                train: of(&|fold| fold != number && fold != next),
                validation: of(&|fold| fold == next),
                test: of(&|fold| fold == number),
            }
        };
        (0..folds).map(fold).collect()
    }
}

fn sorted(mut games: Vec<usize>) -> Vec<usize> {
    games.sort_unstable();
    games
}
