//! Dropping rare and late moves.

use sabi_books::{BookMap, BookMove};

/// Limits for entries to keep. A value missing from an entry is not checked.
#[derive(Copy, Clone, Debug, Default)]
pub struct TrimLimits {
    /// Minimum games of a move.
    pub min_games: Option<u32>,
    /// Minimum weight of a move.
    pub min_weight: Option<u32>,
    /// Last position, by move number.
    pub max_ply: Option<u32>,
}

impl TrimLimits {
    fn keeps(&self, entry: &BookMove) -> bool {
        let often = self.min_games.zip(entry.games).is_none_or(|(least, games)| games >= least);
        often && self.min_weight.is_none_or(|least| entry.weight >= least)
    }
}

/// Drops moves outside the limits, and positions without moves left.
pub fn trim(book: &mut BookMap, limits: &TrimLimits) {
    book.retain(|_, entry| {
        entry.moves.retain(|entry| limits.keeps(entry));
        limits.max_ply.is_none_or(|last| entry.position.ply() <= last) && !entry.moves.is_empty()
    });
}
