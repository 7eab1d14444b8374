//! What a search says of the moves of a book.
//!
//! A move is scored by a search of the position behind it. What was found stays with the move, so that the work can be cut off
//! and goes on where it was.

use super::before;
use sabi::book::{BookMap, book_key};
use sabi::position::{PackedSfen, Position};
use sabi::types::Score;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A position behind moves of a book that have no score.
#[derive(Clone, Debug)]
pub struct Unscored {
    /// Its [`book_key`].
    pub behind: u64,
    position: PackedSfen,
    ply: u32,
}

impl Unscored {
    /// The position to search.
    pub fn position(&self) -> Option<Position> {
        self.position.position(self.ply).ok()
    }
}

/// What a search found.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchResult {
    /// The [`book_key`] of the position that was searched.
    pub behind: u64,
    /// The score of its side to move.
    pub score: Score,
    /// The depth searched, in plies.
    pub depth: u16,
}

/// The positions behind the moves that have no score, each once: what was played most comes first. With `again` the moves that
/// have one count too.
pub fn unscored(book: &BookMap, again: bool) -> Vec<Unscored> {
    let mut found: BTreeMap<u64, (u64, Unscored)> = BTreeMap::new();
    for entry in book.values() {
        let mut position = entry.position.clone();
        for known in entry.moves.iter().filter(|known| again || known.score.is_none()) {
            // What other programs wrote may be anything.
            if !position.is_legal(known.mv) {
                continue;
            }
            position.play(known.mv);
            if let Some(packed) = PackedSfen::of(&position) {
                let behind = book_key(&position);
                let fresh = || (0, Unscored { behind, position: packed, ply: position.ply() });
                found.entry(behind).or_insert_with(fresh).0 += u64::from(known.weight);
            }
            position.undo();
        }
    }
    let mut order: Vec<_> = found.into_values().collect();
    order.sort_by_key(|(weight, unscored)| (Reverse(*weight), unscored.behind));
    order.into_iter().map(|(_, unscored)| unscored).collect()
}

/// Enters what was found into every move that leads to one of the positions. Returns the number of those moves.
pub fn enter(book: &mut BookMap, results: &[SearchResult]) -> u64 {
    let results: BTreeMap<u64, &SearchResult> = results.iter().map(|result| (result.behind, result)).collect();
    let mut scored = 0;
    for entry in book.values_mut() {
        let mut position = entry.position.clone();
        for known in &mut entry.moves {
            if !position.is_legal(known.mv) {
                continue;
            }
            position.play(known.mv);
            if let Some(result) = results.get(&book_key(&position)) {
                known.score = Some(before(result.score));
                known.depth = Some(result.depth.saturating_add(1));
                scored += 1;
            }
            position.undo();
        }
    }
    scored
}
