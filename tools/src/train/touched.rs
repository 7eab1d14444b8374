//! Features set by a batch.

use super::feature_indexing::FeatureIndexing;
use super::samples::Samples;
use std::ops::Range;

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
    use crate::train::tests::samples;
    use sabi::eval::nnue::Features;

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
