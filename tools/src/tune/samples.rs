//! Tuning samples: features, phase and labels.

use sabi::eval::{Feature, MAX_PHASE, Trace, Weights};
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

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.words)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.phases)
            + size_of_val(&*self.half_points)
            + size_of_val(&*self.scores)
            + size_of_val(&*self.games)
    }

    /// Adds a position of the current game.
    pub fn push(&mut self, trace: &Trace, label: Label) {
        self.push_features(trace.features(), trace.phase(), label);
    }

    /// Adds a sample given by its features.
    pub(super) fn push_features(&mut self, features: &[Feature], phase: i32, label: Label) {
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
