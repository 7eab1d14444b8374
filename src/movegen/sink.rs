//! What becomes of the generator's sets of squares.

use crate::bitboard::Bitboard;
use crate::types::{Color, HandKind, Move, Square};
use arrayvec::ArrayVec;

/// No legal position has more legal moves (the record is 593).
pub const MAX_MOVES: usize = 600;

/// A list with room for the moves of any position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Receives sets of legal moves.
pub(crate) trait Sink {
    /// One piece goes from a square to each target.
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool);

    /// Pawns of a side step onto each target.
    fn pawns(&mut self, color: Color, targets: Bitboard, promote: bool);

    /// A piece is dropped on each target.
    fn drops(&mut self, kind: HandKind, targets: Bitboard);
}

impl Sink for MoveList {
    #[inline]
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool) {
        targets.for_each(|to| self.push(Move::step(from, to, promote)));
    }

    #[inline]
    fn pawns(&mut self, color: Color, targets: Bitboard, promote: bool) {
        targets.for_each(|to| {
            if let Some(from) = to.behind(color) {
                self.push(Move::step(from, to, promote));
            }
        });
    }

    #[inline]
    fn drops(&mut self, kind: HandKind, targets: Bitboard) {
        targets.for_each(|to| self.push(Move::drop(kind, to)));
    }
}

/// Counts moves without making them.
#[derive(Default)]
pub(super) struct Count(u64);

impl Count {
    pub(super) fn total(&self) -> u64 {
        self.0
    }
}

impl Sink for Count {
    #[inline]
    fn board(&mut self, _from: Square, targets: Bitboard, _promote: bool) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn pawns(&mut self, _color: Color, targets: Bitboard, _promote: bool) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn drops(&mut self, _kind: HandKind, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }
}

/// Only wants to know whether there is a move.
#[derive(Default)]
pub(super) struct Any(bool);

impl Any {
    pub(super) fn found(&self) -> bool {
        self.0
    }
}

impl Sink for Any {
    #[inline]
    fn board(&mut self, _from: Square, targets: Bitboard, _promote: bool) {
        self.0 |= targets.any();
    }

    #[inline]
    fn pawns(&mut self, _color: Color, targets: Bitboard, _promote: bool) {
        self.0 |= targets.any();
    }

    #[inline]
    fn drops(&mut self, _kind: HandKind, targets: Bitboard) {
        self.0 |= targets.any();
    }
}
