//! What two books do not have in common.

use super::in_text_order;
use sabi::book::{BookMap, BookPosition, book_key};

/// The differences between a first and a second book, each list in the order of the SFEN.
#[derive(Debug, Default)]
pub struct Diff<'a> {
    /// Positions of the first book only.
    pub only_first: Vec<&'a BookPosition>,
    /// Positions of the second book only.
    pub only_second: Vec<&'a BookPosition>,
    /// Positions of both whose moves differ in any way.
    pub changed: Vec<(&'a BookPosition, &'a BookPosition)>,
    /// How many positions are the same in both.
    pub same: u64,
}

/// Compares two books. The number of a position is no difference.
pub fn diff<'a>(first: &'a BookMap, second: &'a BookMap) -> Diff<'a> {
    let mut found = Diff::default();
    for entry in in_text_order(first) {
        match second.get(&book_key(&entry.position)) {
            None => found.only_first.push(entry),
            Some(other) if other.moves == entry.moves => found.same += 1,
            Some(other) => found.changed.push((entry, other)),
        }
    }
    found.only_second = in_text_order(second);
    found.only_second.retain(|entry| !first.contains_key(&book_key(&entry.position)));
    found
}
