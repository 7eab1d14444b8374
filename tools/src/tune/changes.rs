//! Differences between two weight tables.

use super::loss::Table;
use super::objective::indices_of;
use sabi::eval::{Group, Weights};

/// Differences of one weight group.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct GroupChange {
    /// The group.
    pub group: Group,
    /// Number of weights.
    pub weights: usize,
    /// Number of changed weights.
    pub changed: usize,
    /// Mean difference over both values of all its weights, in centipawns.
    pub mean: f64,
    /// The largest difference, in centipawns.
    pub largest: f64,
}

/// Differences by group, in the order of [`Group::ALL`]. Both tables hold all weights.
pub fn group_changes(before: &Table, after: &Table) -> [GroupChange; Group::COUNT] {
    Group::ALL.map(|group| {
        let indices = indices_of(&[group]);
        let steps: f64 = indices.iter().flat_map(|&index| differences(before, after, index)).sum();
        GroupChange {
            group,
            weights: indices.len(),
            changed: indices.iter().filter(|&&index| before[index] != after[index]).count(),
            mean: steps / (2 * indices.len()).max(1) as f64,
            largest: indices.iter().map(|&index| largest(before, after, index)).fold(0.0, f64::max),
        }
    })
}

/// Indices of the most changed weights, at most `count`, largest change first.
pub fn largest_changes(before: &Table, after: &Table, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..Weights::COUNT).filter(|&index| before[index] != after[index]).collect();
    let change = |index: usize| largest(before, after, index);
    order.sort_by(|&x, &y| change(y).total_cmp(&change(x)).then(x.cmp(&y)));
    order.truncate(count);
    order
}

fn differences(before: &Table, after: &Table, index: usize) -> [f64; 2] {
    [0, 1].map(|part| (before[index][part] - after[index][part]).abs())
}

fn largest(before: &Table, after: &Table, index: usize) -> f64 {
    let [mg, eg] = differences(before, after, index);
    mg.max(eg)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(name: &str) -> usize {
        Weights::index_of(name).unwrap()
    }

    #[test]
    fn group_changes_are_counted() {
        let before = vec![[10.0, 20.0]; Weights::COUNT];
        let mut after = before.clone();
        after[index("material.0.3")] = [14.0, 20.0];
        after[index("material.0.5")] = [10.0, 10.0];
        after[index("tempo.0.0")] = [11.0, 19.0];
        let changes = group_changes(&before, &after);
        let material = GroupChange { group: Group::Material, weights: 14, changed: 2, mean: 0.5, largest: 10.0 };
        assert_eq!(changes[0], material);
        assert_eq!(changes[8], GroupChange { group: Group::Tempo, weights: 1, changed: 1, mean: 1.0, largest: 1.0 });
        assert!(changes[1..8].iter().all(|change| change.changed == 0 && change.mean == 0.0 && change.largest == 0.0));
        assert_eq!(changes.iter().map(|change| change.weights).sum::<usize>(), Weights::COUNT);
    }

    #[test]
    fn largest_changes_order() {
        let before = vec![[0.0; 2]; Weights::COUNT];
        let mut after = before.clone();
        for (at, change) in [(7, [1.0, -5.0]), (3, [5.0, 0.0]), (900, [0.0, 6.0]), (1, [-1.0, 1.0])] {
            after[at] = change;
        }
        assert_eq!(largest_changes(&before, &after, 10), [900, 3, 7, 1]);
        assert_eq!(largest_changes(&before, &after, 2), [900, 3]);
        assert!(largest_changes(&before, &before, 2).is_empty());
    }
}
