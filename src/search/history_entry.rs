//! History values with gravity.

use crate::util::{MemoryError, filled};
use bytemuck::{Pod, Zeroable};
use sabi_shogi::{Piece, Square};

/// A history value bounded by `LIMIT` with initial value `START`. Stored relative to `START`, so
/// that zeroed memory is an initial table.
#[derive(Copy, Clone, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct HistoryEntry<const LIMIT: i32, const START: i32 = 0>(i16);

impl<const LIMIT: i32, const START: i32> HistoryEntry<LIMIT, START> {
    const FITS: () = assert!(LIMIT + START.abs() <= i16::MAX as i32);

    #[inline]
    pub(super) fn get(self) -> i32 {
        i32::from(self.0) + START
    }

    #[inline]
    pub(super) fn add(&mut self, bonus: i32) {
        const { Self::FITS }
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        self.0 += (bonus - self.get() * bonus.abs() / LIMIT) as i16;
    }
}

/// Index of a piece and its target square; the last index means "no move".
pub(super) type PieceTo = usize;

/// Number of piece-target pairs.
pub(super) const PIECE_TO: usize = Piece::COUNT * Square::COUNT;
/// Index of "no move".
pub(super) const NO_MOVE: PieceTo = PIECE_TO;

/// Index of a piece and target square.
#[inline]
pub(super) fn piece_to(piece: Piece, to: Square) -> PieceTo {
    piece.index() * Square::COUNT + to.index()
}

/// A zeroed table on the heap, its pages touched before the clock runs.
pub(super) fn table<T: Clone + Default>(len: usize) -> Result<Box<[T]>, MemoryError> {
    filled(T::default(), len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_stays_within_its_limit() {
        let mut value = HistoryEntry::<1024, -100>::default();
        assert_eq!(value.get(), -100);
        for _ in 0..10_000 {
            value.add(700);
            assert!(value.get() <= 1024);
        }
        assert!(value.get() > 1000);
        for _ in 0..100 {
            value.add(-5000);
            assert!(value.get() >= -1024);
        }
    }
}
