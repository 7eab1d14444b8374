//! Features of a model, and those that a batch sets.

use super::samples::{PIECES, Samples};
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

/// For each feature the perspectives that set it, in order. Sample `i` of the batch has perspectives `2 * i`
/// (side to move) and `2 * i + 1`.
pub(super) struct TouchedFeatures {
    group: usize,
    /// Start of the perspectives of each feature, and the end of the last.
    starts: Vec<u32>,
    perspectives: Vec<u32>,
}

impl TouchedFeatures {
    /// Touched features of a batch of sample indices.
    pub fn new(indexing: &FeatureIndexing, samples: &Samples, batch: &[u32]) -> Self {
        let perspectives_of = |&at: &u32| indexing.active_features(&samples.feature_indices[at as usize]);
        let mut starts = vec![0; indexing.layout.feature_count() + 1];
        for features in batch.iter().flat_map(perspectives_of) {
            features.iter().for_each(|&feature| starts[feature as usize] += 1);
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // Counting sort: ends become starts while perspectives are filled in from the last.
        let mut perspectives = vec![0; end as usize];
        for (sample, at) in batch.iter().enumerate().rev() {
            for (side, features) in perspectives_of(at).iter().enumerate().rev() {
                for &feature in features.iter() {
                    let place = &mut starts[feature as usize];
                    *place -= 1;
                    perspectives[*place as usize] = (2 * sample + side) as u32;
                }
            }
        }
        Self { group: indexing.layout.group(), starts, perspectives }
    }

    /// Views that set a feature.
    pub fn perspectives(&self, feature: usize) -> &[u32] {
        &self.perspectives[self.starts[feature] as usize..self.starts[feature + 1] as usize]
    }

    /// Number of features, touched or not.
    pub fn feature_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Groups of a range of features.
    pub fn groups(&self, features: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let group = self.group;
        features.step_by(group).map(move |begin| begin..begin + group)
    }

    /// Splits the features into ranges of whole groups with about equal numbers of perspectives.
    pub fn partition(&self, count: usize) -> Vec<Range<usize>> {
        let features = self.feature_count();
        let mut begin = 0;
        let mut share = |number: usize| {
            let before = self.perspectives.len() * number / count;
            let end = self.starts.partition_point(|&start| (start as usize) < before).next_multiple_of(self.group);
            let end = if number == count { features } else { end.clamp(begin, features) };
            std::mem::replace(&mut begin, end)..end
        };
        (1..=count).map(&mut share).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::samples::feature_indices;
    use crate::train::tests::samples;
    use sabi::eval::nnue::Features;
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

    #[test]
    fn touched_features_list_perspectives_in_order() {
        let (samples, indexing) = (samples(2), FeatureIndexing::new(Features::HalfKp));
        let batch: Vec<u32> = (0..samples.len() as u32).rev().step_by(3).collect();
        let touched = TouchedFeatures::new(&indexing, &samples, &batch);
        let mut wanted = vec![Vec::new(); indexing.layout.feature_count()];
        let perspectives = batch.iter().flat_map(|&at| indexing.active_features(&samples.feature_indices[at as usize]));
        for (perspective, features) in perspectives.enumerate() {
            features.iter().for_each(|&feature| wanted[feature as usize].push(perspective as u32));
        }
        assert!((0..wanted.len()).all(|feature| touched.perspectives(feature) == wanted[feature]));
    }

    #[test]
    fn shares_partition_groups() {
        let (samples, indexing) = (samples(2), FeatureIndexing::new(Features::HalfKp));
        let touched = TouchedFeatures::new(&indexing, &samples, &[0, 5, 9]);
        for count in [1, 2, 3, 7, 200] {
            let partition = touched.partition(count);
            assert_eq!(
                (partition.len(), partition[0].start, partition[count - 1].end),
                (count, 0, indexing.layout.feature_count())
            );
            assert!(partition.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(partition.iter().all(|share| share.end % indexing.layout.group() == 0));
        }
        let work = touched
            .partition(2)
            .into_iter()
            .map(|share| share.map(|feature| touched.perspectives(feature).len()).sum());
        let work: Vec<usize> = work.collect();
        assert!(work[0] > 60 && work[1] > 60 && work[0] + work[1] == 3 * 2 * 38, "{work:?}");
    }
}
