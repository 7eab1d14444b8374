//! Captures and pawn promotions, scored as they are generated.

use super::gravity::piece_to;
use super::history::Histories;
use super::picker::capture_score;
use super::scored::ScoredMoves;
use crate::bitboard::Bitboard;
use crate::movegen::Sink;
use crate::position::Position;
use crate::types::{Color, HandKind, Move, Piece, PieceKind, Square};

/// Collects captures with their scores.
pub(super) struct ScoredCaptures<'a> {
    pub position: &'a Position,
    pub histories: &'a Histories,
    pub tt_move: Option<Move>,
    pub moves: &'a mut ScoredMoves,
}

impl ScoredCaptures<'_> {
    #[inline(always)]
    fn step(&mut self, piece: Piece, mv: Move) {
        if Some(mv) != self.tt_move {
            let moved = piece_to(piece, mv.to());
            self.moves.push(mv, capture_score(self.position, self.histories, mv, moved));
        }
    }
}

impl Sink for ScoredCaptures<'_> {
    #[inline]
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool) {
        let Some(piece) = self.position.piece_at(from) else { return };
        let piece = if promote { piece.promoted() } else { piece };
        targets.for_each(|to| self.step(piece, Move::step(from, to, promote)));
    }

    #[inline]
    fn pawns(&mut self, color: Color, targets: Bitboard, promote: bool) {
        let pawn = Piece::new(color, PieceKind::Pawn);
        let piece = if promote { pawn.promoted() } else { pawn };
        targets.for_each(|to| {
            if let Some(from) = to.behind(color) {
                self.step(piece, Move::step(from, to, promote));
            }
        });
    }

    /// Captures are no drops.
    #[inline]
    fn drops(&mut self, _kind: HandKind, _targets: Bitboard) {}
}
