//! Captures and pawn promotions, scored as they are generated.

use super::history::Histories;
use super::history_entry::piece_to;
use super::scored::ScoredMoves;
use sabi_shogi::{Bitboard, Color, HandKind, Move, Piece, PieceKind, Position, Sink, Square};

/// Collects captures with their scores.
pub(super) struct ScoredCaptures<'a> {
    pub position: &'a Position,
    pub histories: &'a Histories,
    pub tt_move: Option<Move>,
    pub moves: &'a mut ScoredMoves,
}

impl ScoredCaptures<'_> {
    /// `promotion` is the gain by promotion.
    #[inline(always)]
    fn step(&mut self, piece: Piece, promotion: i32, mv: Move) {
        if Some(mv) == self.tt_move {
            return;
        }
        let taken = self.position.piece_at(mv.to()).map(Piece::kind);
        let gain = promotion + taken.map_or(0, PieceKind::exchange_value);
        let history = self.histories.capture(piece_to(piece, mv.to()), taken.unwrap_or(PieceKind::Pawn));
        self.moves.push(mv, mvv_and_history(gain, history));
    }
}

/// Score of a capture: MVV plus capture history.
#[inline]
pub(super) fn mvv_and_history(gain: i32, history: i32) -> i32 {
    11 * gain / 2 + history
}

/// Gain of a promotion, if it is one.
#[inline]
fn promotion_gain(before: Piece, after: Piece) -> i32 {
    after.kind().exchange_value() - before.kind().exchange_value()
}

impl Sink for ScoredCaptures<'_> {
    #[inline]
    fn board(&mut self, from: Square, targets: Bitboard, promote: bool) {
        let Some(before) = self.position.piece_at(from) else { return };
        let piece = if promote { before.promoted() } else { before };
        let promotion = promotion_gain(before, piece);
        targets.for_each(|to| self.step(piece, promotion, Move::step(from, to, promote)));
    }

    #[inline]
    fn pawns(&mut self, color: Color, targets: Bitboard, promote: bool) {
        let pawn = Piece::new(color, PieceKind::Pawn);
        let piece = if promote { pawn.promoted() } else { pawn };
        let promotion = promotion_gain(pawn, piece);
        targets.for_each(|to| {
            if let Some(from) = to.behind(color) {
                self.step(piece, promotion, Move::step(from, to, promote));
            }
        });
    }

    /// Captures are no drops.
    #[inline]
    fn drops(&mut self, _kind: HandKind, _targets: Bitboard) {}
}
