//! Columns set by a batch.

use super::feature_columns::FeatureColumns;
use super::samples::Samples;
use std::ops::Range;

/// For each column the views that set it, in order. Sample `i` of the batch has views `2 * i` (side
/// to move) and `2 * i + 1`.
pub(super) struct TouchedColumns {
    group: usize,
    /// Start of the views of each column, and the end of the last.
    starts: Vec<u32>,
    views: Vec<u32>,
}

impl TouchedColumns {
    /// Touched columns of a batch of sample indices.
    pub fn new(feature_columns: &FeatureColumns, samples: &Samples, batch: &[u32]) -> Self {
        let views_of = |&at: &u32| feature_columns.columns(&samples.feature_indices[at as usize]);
        let mut starts = vec![0; feature_columns.layout.columns() + 1];
        for columns in batch.iter().flat_map(views_of) {
            columns.iter().for_each(|&column| starts[column as usize] += 1);
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // Counting sort: ends become starts while views are filled in from the last.
        let mut views = vec![0; end as usize];
        for (sample, at) in batch.iter().enumerate().rev() {
            for (side, columns) in views_of(at).iter().enumerate().rev() {
                for &column in columns.iter() {
                    let place = &mut starts[column as usize];
                    *place -= 1;
                    views[*place as usize] = (2 * sample + side) as u32;
                }
            }
        }
        Self { group: feature_columns.layout.group(), starts, views }
    }

    /// Views that set a column.
    pub fn views(&self, column: usize) -> &[u32] {
        &self.views[self.starts[column] as usize..self.starts[column + 1] as usize]
    }

    /// Number of columns, touched or not.
    pub fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    /// Groups of a range of columns.
    pub fn groups(&self, columns: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let group = self.group;
        columns.step_by(group).map(move |begin| begin..begin + group)
    }

    /// Splits the columns into ranges of whole groups with about equal numbers of views.
    pub fn partition(&self, count: usize) -> Vec<Range<usize>> {
        let columns = self.columns();
        let mut begin = 0;
        let mut share = |number: usize| {
            let before = self.views.len() * number / count;
            let end = self.starts.partition_point(|&start| (start as usize) < before).next_multiple_of(self.group);
            let end = if number == count { columns } else { end.clamp(begin, columns) };
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
    fn touched_columns_list_views_in_order() {
        let (samples, feature_columns) = (samples(2), FeatureColumns::new(Features::HalfKp));
        let batch: Vec<u32> = (0..samples.len() as u32).rev().step_by(3).collect();
        let touched = TouchedColumns::new(&feature_columns, &samples, &batch);
        let mut wanted = vec![Vec::new(); feature_columns.layout.columns()];
        let views = batch.iter().flat_map(|&at| feature_columns.columns(&samples.feature_indices[at as usize]));
        for (view, columns) in views.enumerate() {
            columns.iter().for_each(|&column| wanted[column as usize].push(view as u32));
        }
        assert!((0..wanted.len()).all(|column| touched.views(column) == wanted[column]));
    }

    #[test]
    fn shares_partition_groups() {
        let (samples, feature_columns) = (samples(2), FeatureColumns::new(Features::HalfKp));
        let touched = TouchedColumns::new(&feature_columns, &samples, &[0, 5, 9]);
        for count in [1, 2, 3, 7, 200] {
            let partition = touched.partition(count);
            assert_eq!(
                (partition.len(), partition[0].start, partition[count - 1].end),
                (count, 0, feature_columns.layout.columns())
            );
            assert!(partition.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(partition.iter().all(|share| share.end % feature_columns.layout.group() == 0));
        }
        let work = touched.partition(2).into_iter().map(|share| share.map(|column| touched.views(column).len()).sum());
        let work: Vec<usize> = work.collect();
        assert!(work[0] > 60 && work[1] > 60 && work[0] + work[1] == 3 * 2 * 38, "{work:?}");
    }
}
