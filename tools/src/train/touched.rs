//! The columns that a batch sets: of very many only those need to be looked at.

use super::samples::Samples;
use super::sight::Sight;
use std::ops::Range;

/// For each column the views that set it, in order. Sample `i` of the batch has the views `2 * i`, of the side to move, and `2 * i + 1`.
pub(super) struct Touched {
    group: usize,
    /// Where the views of each column begin, and where the last end.
    starts: Vec<u32>,
    views: Vec<u32>,
}

impl Touched {
    /// Those of a batch, given by the places of its samples.
    pub fn new(sight: &Sight, samples: &Samples, batch: &[u32]) -> Self {
        let views_of = |&at: &u32| sight.columns(&samples.seen[at as usize]);
        let mut starts = vec![0; sight.layout.columns() + 1];
        for columns in batch.iter().flat_map(views_of) {
            columns.iter().for_each(|&column| starts[column as usize] += 1);
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // Where they end becomes where they begin as each view takes its place, the last one first.
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
        Self { group: sight.layout.group(), starts, views }
    }

    /// The views that set a column.
    pub fn views(&self, column: usize) -> &[u32] {
        &self.views[self.starts[column] as usize..self.starts[column + 1] as usize]
    }

    /// How many columns there are, touched or not.
    pub fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    /// The groups that some columns make.
    pub fn groups(&self, columns: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let group = self.group;
        columns.step_by(group).map(move |begin| begin..begin + group)
    }

    /// The columns in so many ranges of whole groups with about as many views each.
    pub fn shares(&self, count: usize) -> Vec<Range<usize>> {
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
    fn every_column_knows_its_views_in_order() {
        let (samples, sight) = (samples(2), Sight::new(Features::HalfKp));
        let batch: Vec<u32> = (0..samples.len() as u32).rev().step_by(3).collect();
        let touched = Touched::new(&sight, &samples, &batch);
        let mut wanted = vec![Vec::new(); sight.layout.columns()];
        let views = batch.iter().flat_map(|&at| sight.columns(&samples.seen[at as usize]));
        for (view, columns) in views.enumerate() {
            columns.iter().for_each(|&column| wanted[column as usize].push(view as u32));
        }
        assert!((0..wanted.len()).all(|column| touched.views(column) == wanted[column]));
    }

    #[test]
    fn shares_are_whole_groups_and_all_of_them() {
        let (samples, sight) = (samples(2), Sight::new(Features::HalfKp));
        let touched = Touched::new(&sight, &samples, &[0, 5, 9]);
        for count in [1, 2, 3, 7, 200] {
            let shares = touched.shares(count);
            assert_eq!((shares.len(), shares[0].start, shares[count - 1].end), (count, 0, sight.layout.columns()));
            assert!(shares.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(shares.iter().all(|share| share.end % sight.layout.group() == 0));
        }
        let work = touched.shares(2).into_iter().map(|share| share.map(|column| touched.views(column).len()).sum());
        let work: Vec<usize> = work.collect();
        assert!(work[0] > 60 && work[1] > 60 && work[0] + work[1] == 3 * 2 * 38, "{work:?}");
    }
}
