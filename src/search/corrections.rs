//! Correction histories: the recent error of the static evaluation in similar positions.

use super::history_entry::{HistoryEntry, NO_MOVE, PIECE_TO, PieceTo, table};
use super::params as p;
use crate::util::{MemoryError, prefetch};
use sabi_shogi::Position;

type Correction = HistoryEntry<1024>;

/// Number of indices of a table for each side to move.
const SLOTS: usize = 1 << 16;

/// Index features: pawn key, minor piece key, hands, non-pawn key of each side, and the last move
/// paired with the moves two and four plies back.
const FEATURES: usize = 7;

/// Share of a bonus for each feature, in 1024ths.
const SHARES: [i32; FEATURES] = [1024, 1200, 1024, 1501, 1501, 1072, 500];

/// Table indices of a position, one for each feature.
#[derive(Copy, Clone, Debug)]
pub(super) struct CorrectionIndices([u32; FEATURES]);

/// Correction history by side to move and feature.
pub(super) struct Corrections {
    tables: [Box<[Correction]>; FEATURES],
}

/// The moves one, two and four plies back.
type LastMoves = [PieceTo; 3];

impl Corrections {
    /// Size of all tables in bytes.
    pub(super) const BYTES: usize = size_of::<Correction>() * FEATURES * 2 * SLOTS;

    /// All zero.
    ///
    /// # Errors
    /// When out of memory.
    pub(super) fn new() -> Result<Self, MemoryError> {
        let one = || table(2 * SLOTS);
        Ok(Self { tables: [one()?, one()?, one()?, one()?, one()?, one()?, one()?] })
    }

    /// Clears all tables.
    pub(super) fn clear(&mut self) {
        self.tables.iter_mut().for_each(|table| table.fill(Correction::default()));
    }

    /// The correction of the static evaluation, in 1024ths of a centipawn.
    #[inline]
    pub(super) fn value(&self, indices: &CorrectionIndices) -> i32 {
        let weights = [
            p::correction_pawn(),
            p::correction_minor(),
            p::correction_hand(),
            p::correction_non_pawn(),
            p::correction_non_pawn(),
            p::correction_continuation(),
            p::correction_continuation(),
        ];
        let mut sum = 0;
        for (at, weight) in weights.iter().enumerate() {
            sum += weight * self.tables[at][indices.0[at] as usize].get();
        }
        sum
    }

    /// Prefetches the entries of a position.
    #[inline]
    pub(super) fn prefetch(&self, indices: &CorrectionIndices) {
        for (table, slot) in self.tables.iter().zip(indices.0) {
            prefetch(&table[slot as usize]);
        }
    }

    /// Adds `bonus`, derived from `search score - static eval`, to all features.
    pub(super) fn update(&mut self, indices: &CorrectionIndices, bonus: i32) {
        let bonus = bonus.clamp(-256, 256);
        for ((table, slot), share) in self.tables.iter_mut().zip(indices.0).zip(SHARES) {
            table[slot as usize].add(bonus * share / 1024);
        }
    }
}

impl CorrectionIndices {
    /// Indices of no position.
    pub(super) const NONE: Self = Self([0; FEATURES]);

    /// The indices of a position after its last moves.
    #[inline]
    pub(super) fn new(position: &Position, [last, second, fourth]: LastMoves) -> Self {
        let us = position.side_to_move();
        let pair = |earlier: PieceTo| {
            let number = if last == NO_MOVE { 0 } else { 1 + last * (PIECE_TO + 1) + earlier };
            (number as u32).wrapping_mul(0x9e37_79b9) >> 13
        };
        let side = us.index() * SLOTS;
        let keys = [
            position.pawn_key(),
            position.minor_key(),
            position.hand_key() as u32,
            position.non_pawn_key(us),
            position.non_pawn_key(!us),
            pair(second),
            pair(fourth),
        ];
        Self(keys.map(|key| side as u32 + key % SLOTS as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_apply_to_similar_positions() {
        let mut corrections = Corrections::new().unwrap();
        let here = Position::startpos();
        let indices = CorrectionIndices::new(&here, [5, 7, NO_MOVE]);
        for _ in 0..50 {
            corrections.update(&indices, 120);
        }
        let told = corrections.value(&indices);
        assert!(told > 0);
        // Less similar after other moves, least on another board with the other side to move.
        let others = [4, 7, NO_MOVE];
        let after_others = corrections.value(&CorrectionIndices::new(&here, others));
        assert!((1..told).contains(&after_others));
        let mut there = Position::startpos();
        there.play(there.legal_from_usi("7g7f").unwrap());
        assert!(corrections.value(&CorrectionIndices::new(&there, others)) < after_others);
        corrections.clear();
        assert_eq!(corrections.value(&indices), 0);
    }
}
