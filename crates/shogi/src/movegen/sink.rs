//! Receivers of the generator's target sets.

use crate::bitboard::Bitboard;
use crate::types::{Color, HandKind, Move, Square};
use arrayvec::ArrayVec;

/// Maximum number of legal moves (the record is 593).
pub const MAX_MOVES: usize = 600;

/// A move list for any position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Receives sets of legal moves.
pub trait Sink {
    /// Moves of a piece from a square to each target, of which there is at least one.
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool);

    /// Moves of pawns of one side onto each target.
    #[inline]
    fn pawns(&mut self, color: Color, targets: Bitboard, promote: bool) {
        targets.for_each(|to| {
            if let Some(from) = to.behind(color) {
                self.board(from, Bitboard::of(to), promote);
            }
        });
    }

    /// Drops on each target.
    fn drops(&mut self, kind: HandKind, targets: Bitboard);
}

impl Sink for MoveList {
    #[inline]
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool) {
        targets.for_each(|to| self.push(Move::step(from, to, promote)));
    }

    #[inline]
    fn drops(&mut self, kind: HandKind, targets: Bitboard) {
        targets.for_each(|to| self.push(Move::drop(kind, to)));
    }
}

/// Passes every target set to a function.
pub(super) struct Sets<F>(pub(super) F);

impl<F: FnMut(Bitboard)> Sink for Sets<F> {
    #[inline]
    fn board(&mut self, _from: Square, targets: Bitboard, _promote: bool) {
        (self.0)(targets);
    }

    #[inline]
    fn pawns(&mut self, _color: Color, targets: Bitboard, _promote: bool) {
        (self.0)(targets);
    }

    #[inline]
    fn drops(&mut self, _kind: HandKind, targets: Bitboard) {
        (self.0)(targets);
    }
}
