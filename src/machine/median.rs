//! Medians.

use std::cmp::Ordering;

/// The median, one of the values; of an even number the upper one.
///
/// # Panics
/// When there are no values.
pub fn median_by<T: Copy>(mut numbers: Vec<T>, compare: impl FnMut(&T, &T) -> Ordering) -> T {
    let middle = numbers.len() / 2;
    *numbers.select_nth_unstable_by(middle, compare).1
}
