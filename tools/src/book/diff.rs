//! Comparing books.

use super::in_text_order;
use sabi_books::{BookMap, BookPosition, book_key};

/// Differences between two books, each list sorted by SFEN.
#[derive(Debug, Default)]
pub struct Diff<'a> {
    /// Positions of the first book only.
    pub only_first: Vec<&'a BookPosition>,
    /// Positions of the second book only.
    pub only_second: Vec<&'a BookPosition>,
    /// Positions of both with different moves.
    pub changed: Vec<(&'a BookPosition, &'a BookPosition)>,
    /// Number of equal positions.
    pub same: u64,
}

/// Compares two books. Move numbers are ignored.
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
