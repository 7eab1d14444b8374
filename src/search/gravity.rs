//! The values that histories are made of.

use crate::types::{Piece, Square};
use crate::util::{MemoryError, filled};
use bytemuck::{Pod, Zeroable};

/// A history value with its limit and the value it starts from. Stored relative to the start, so
/// that zeroed memory is a table at its start.
#[derive(Copy, Clone, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Gravity<const LIMIT: i32, const START: i32 = 0>(i16);

impl<const LIMIT: i32, const START: i32> Gravity<LIMIT, START> {
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

/// A piece and the square it goes to, as one number; the last number stands for "no move".
pub(super) type PieceTo = usize;

/// How many pieces and squares there are together.
pub(super) const PIECE_TO: usize = Piece::COUNT * Square::COUNT;
/// Stands for "no move".
pub(super) const NO_MOVE: PieceTo = PIECE_TO;

/// Number of a piece and target square.
#[inline]
pub(super) fn piece_to(piece: Piece, to: Square) -> PieceTo {
    piece.index() * Square::COUNT + to.index()
}

/// A table on the heap, its pages in place: they are not to be fetched on the clock.
pub(super) fn table<T: Clone + Default>(len: usize) -> Result<Box<[T]>, MemoryError> {
    filled(T::default(), len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_stays_within_its_limit() {
        let mut value = Gravity::<1024, -100>::default();
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
