//! Leaving out what is rare or late.

use sabi::book::{BookMap, BookMove};

/// What stays in a book. A number that a move does not tell is no reason to drop it.
#[derive(Copy, Clone, Debug, Default)]
pub struct Limits {
    /// The least number of games of a move.
    pub min_games: Option<u32>,
    /// The least weight of a move.
    pub min_weight: Option<u32>,
    /// The last position, by its number.
    pub max_ply: Option<u32>,
}

impl Limits {
    fn keeps(&self, entry: &BookMove) -> bool {
        let often = self.min_games.zip(entry.games).is_none_or(|(least, games)| games >= least);
        often && self.min_weight.is_none_or(|least| entry.weight >= least)
    }
}

/// Drops what is beyond the limits; positions without a move left go with their moves.
pub fn trim(book: &mut BookMap, limits: &Limits) {
    book.retain(|_, entry| {
        entry.moves.retain(|entry| limits.keeps(entry));
        limits.max_ply.is_none_or(|last| entry.position.ply() <= last) && !entry.moves.is_empty()
    });
}
