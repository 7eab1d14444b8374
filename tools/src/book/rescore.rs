//! Scoring book moves by search.
//!
//! A move is scored by a search of the position after it. Results are stored with the move, so that
//! an interrupted run can be resumed.

use super::move_score;
use sabi_books::{BookMap, book_key};
use sabi_shogi::{PackedSfen, Position, Score};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A position after book moves without a score.
#[derive(Clone, Debug)]
pub struct Unscored {
    /// Its [`book_key`].
    pub key: u64,
    position: PackedSfen,
    ply: u32,
}

impl Unscored {
    /// The position to search.
    pub fn position(&self) -> Option<Position> {
        self.position.position(self.ply).ok()
    }
}

/// A search result.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoredPosition {
    /// The [`book_key`] of the searched position.
    pub key: u64,
    /// Score for its side to move.
    pub score: Score,
    /// Search depth in plies.
    pub depth: u16,
}

/// The positions after moves without a score, each once, most played first. With `again`, moves
/// with a score too.
pub fn unscored(book: &BookMap, again: bool) -> Vec<Unscored> {
    let mut found: BTreeMap<u64, (u64, Unscored)> = BTreeMap::new();
    for entry in book.values() {
        let mut position = entry.position.clone();
        for known in entry.moves.iter().filter(|known| again || known.score.is_none()) {
            // Books of other programs may hold illegal moves.
            if !position.is_legal(known.mv) {
                continue;
            }
            position.play(known.mv);
            if let Some(packed) = PackedSfen::of(&position) {
                let key = book_key(&position);
                let fresh = || (0, Unscored { key, position: packed, ply: position.ply() });
                found.entry(key).or_insert_with(fresh).0 += u64::from(known.weight);
            }
            position.undo();
        }
    }
    let mut order: Vec<_> = found.into_values().collect();
    order.sort_by_key(|(weight, unscored)| (Reverse(*weight), unscored.key));
    order.into_iter().map(|(_, unscored)| unscored).collect()
}

/// Stores results in every move without a score that leads to one of the positions; with `again`,
/// in moves with a score too. Returns the number of moves.
pub fn store_results(book: &mut BookMap, results: &[ScoredPosition], again: bool) -> u64 {
    let results: BTreeMap<u64, &ScoredPosition> = results.iter().map(|result| (result.key, result)).collect();
    let mut scored = 0;
    for entry in book.values_mut() {
        let mut position = entry.position.clone();
        for known in entry.moves.iter_mut().filter(|known| again || known.score.is_none()) {
            if !position.is_legal(known.mv) {
                continue;
            }
            position.play(known.mv);
            if let Some(result) = results.get(&book_key(&position)) {
                known.score = Some(move_score(result.score));
                known.depth = Some(result.depth.saturating_add(1));
                scored += 1;
            }
            position.undo();
        }
    }
    scored
}
