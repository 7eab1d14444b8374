//! Maps feature indices to the features of a model.

use super::samples::PIECES;
use arrayvec::ArrayVec;
use sabi::eval::nnue::{Features, mirrored_indices, opposite_indices};
use sabi_shogi::Square;
use std::ops::Range;

/// Order of features in a model.
///
/// K+P features are in file order. Features with an own king square or zone are factorised: the
/// features of a piece are grouped, one for each king place, followed by one shared by all. The
/// exported weight is the sum of both.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout(pub Features);

impl Layout {
    /// Features of a group.
    pub const fn group(self) -> usize {
        if self.is_factorised() { self.0.king_buckets() + 1 } else { 1 }
    }

    /// Number of features, shared ones included.
    pub const fn feature_count(self) -> usize {
        self.0.bucket_inputs() * self.group()
    }

    /// Number of features of which only the touched ones are stepped.
    pub const fn sparse_features(self) -> usize {
        if self.is_factorised() { self.feature_count() } else { 0 }
    }

    /// Whether the last feature of each group is shared by the others.
    pub const fn is_factorised(self) -> bool {
        self.0.king_buckets() > 1
    }

    /// Whether a feature is a shared one.
    pub const fn is_shared(self, feature: usize) -> bool {
        self.is_factorised() && feature % self.group() == self.0.king_buckets()
    }

    /// Feature of an input.
    pub const fn feature_of(self, input: usize) -> usize {
        if self.is_factorised() {
            input % self.0.bucket_inputs() * self.group() + input / self.0.bucket_inputs()
        } else {
            input
        }
    }

    /// Input of a feature that is not shared.
    pub const fn input_of(self, feature: usize) -> usize {
        if self.is_factorised() {
            feature % self.group() * self.0.bucket_inputs() + feature / self.group()
        } else {
            feature
        }
    }
}

/// Feature indices of the own king in [`Features::Kp`].
const OWN_KING: Range<usize> = Features::HalfKp.bucket_inputs()..Features::HalfKp.bucket_inputs() + Square::COUNT;

/// Active features of one perspective.
pub(super) type ActiveFeatures = ArrayVec<u32, PIECES>;

/// Feature mapping for both perspectives.
pub(super) struct FeatureIndexing {
    pub layout: Layout,
    /// Feature index from the other perspective.
    turned: Vec<u16>,
    /// Horizontally mirrored feature index.
    mirrored: Vec<u16>,
}

impl FeatureIndexing {
    pub fn new(features: Features) -> Self {
        Self { layout: Layout(features), turned: opposite_indices(), mirrored: mirrored_indices() }
    }

    /// Active features of both perspectives from the feature indices of one.
    #[inline]
    pub fn active_features(&self, feature_indices: &[u16; PIECES]) -> [ActiveFeatures; 2] {
        [*feature_indices, feature_indices.map(|number| self.turned[usize::from(number)])]
            .map(|feature_indices| self.features_of_one(&feature_indices))
    }

    #[inline]
    fn features_of_one(&self, feature_indices: &[u16; PIECES]) -> ActiveFeatures {
        let mut features = ActiveFeatures::default();
        let numbers = feature_indices.iter().copied().map(usize::from);
        if self.layout.is_factorised() {
            let king =
                numbers.clone().find(|number| OWN_KING.contains(number)).map_or(44, |number| number - OWN_KING.start);
            let (bucket, mirrored) = self.layout.0.king_bucket(king);
            for number in numbers.filter(|&number| number < OWN_KING.start || self.layout.0.have_kings()) {
                let number = if mirrored { self.mirrored[number].into() } else { number };
                features.push((number * self.layout.group() + bucket) as u32);
            }
        } else {
            numbers.for_each(|number| features.push(number as u32));
        }
        features
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::samples::feature_indices;
    use sabi_shogi::Position;

    /// Boards with all pieces, with pieces in hand, and with pieces missing.
    const BOARDS: [&str; 3] = [
        "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        "ln3g2l/1ks1g4/pppp1s1p1/4p3p/9/2P1P1P1P/PP1PSP3/2G2S3/LNK2G1RL b BP 1",
    ];

    #[test]
    fn features_match_inputs() {
        for features in [Features::Kp, Features::HalfKp, Features::HalfKaZ15] {
            let indexing = FeatureIndexing::new(features);
            for sfen in BOARDS {
                let position = Position::from_sfen(sfen).unwrap();
                let us = position.side_to_move();
                for (color, active) in
                    [us, !us].into_iter().zip(indexing.active_features(&feature_indices(&position).unwrap()))
                {
                    let mut wanted = Vec::new();
                    features.for_each_active(&position, color, |input| wanted.push(input));
                    let mut inputs: Vec<_> =
                        active.iter().map(|&feature| indexing.layout.input_of(feature as usize)).collect();
                    wanted.sort_unstable();
                    inputs.sort_unstable();
                    assert_eq!(inputs, wanted, "{features:?} {sfen}");
                }
            }
        }
    }

    #[test]
    fn inputs_map_to_distinct_features() {
        for layout in [Features::Kp, Features::HalfKp, Features::HalfKaZ15].map(Layout) {
            let mut taken = vec![false; layout.feature_count()];
            for input in 0..layout.0.inputs() {
                let feature = layout.feature_of(input);
                assert!(!std::mem::replace(&mut taken[feature], true) && layout.input_of(feature) == input);
            }
            // The remaining features are shared.
            let left = taken.iter().enumerate().filter(|(_, taken)| !**taken);
            assert!(left.map(|(at, _)| at).eq((0..taken.len()).filter(|&at| layout.is_shared(at))));
        }
    }
}
