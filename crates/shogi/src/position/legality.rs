//! Legality of a single move, for moves from outside (protocol, book, table) and as reference for
//! the generator.

use super::Position;
use crate::bitboard::{self as bb, Bitboard};
use crate::types::{Color, HandKind, Move, PieceKind, Square};

impl Position {
    /// Whether the move is legal, repetition rules aside.
    pub fn is_legal(&self, mv: Move) -> bool {
        match mv.from() {
            Some(from) => self.is_legal_on_board(mv, from),
            None => mv.drop_kind().is_some_and(|kind| self.is_legal_drop(kind, mv.to())),
        }
    }

    fn is_legal_on_board(&self, mv: Move, from: Square) -> bool {
        let (us, to) = (self.side, mv.to());
        let Some(piece) = self.board[from].filter(|piece| piece.color() == us) else { return false };
        let kind = piece.kind();
        if self.colors[us].has(to) || self.kinds[PieceKind::King].has(to) {
            return false;
        }
        let promotes = mv.is_promotion();
        if promotes && !(kind.can_promote() && (from.in_promotion_zone(us) || to.in_promotion_zone(us))) {
            return false;
        }
        if !promotes && to.relative_rank(us) < kind.dead_ranks() {
            return false;
        }
        if !bb::attacks(us, kind, from, self.occupied()).has(to) {
            return false;
        }
        let Some(king) = self.kings[us] else { return true };
        if from == king {
            return !self.is_attacked(!us, to, self.occupied() ^ Bitboard::of(king));
        }
        self.evasion_targets().has(to) && (!self.pinned().has(from) || bb::aligned(king, from, to))
    }

    fn is_legal_drop(&self, kind: HandKind, to: Square) -> bool {
        let us = self.side;
        if !self.hands[us].has(kind)
            || self.board[to].is_some()
            || to.relative_rank(us) < kind.on_board().dead_ranks()
            || !self.evasion_targets().has(to)
        {
            return false;
        }
        if kind != HandKind::Pawn {
            return true;
        }
        let doubled = self.pieces(us, PieceKind::Pawn).intersects(Bitboard::file(to.file()));
        !doubled && !self.is_pawn_drop_mate(to)
    }

    /// Whether a pawn drop on `to` would mate (uchifuzume), which is illegal.
    pub fn is_pawn_drop_mate(&self, to: Square) -> bool {
        let (us, them) = (self.side, !self.side);
        match self.kings[them] {
            Some(king) if bb::pawn_attacks(us, to).has(king) => {
                !self.can_take_dropped(king, to) && !self.king_escapes_drop(us, king, to)
            }
            _ => false,
        }
    }

    /// Whether a piece other than the king can capture a piece dropped next to its king.
    fn can_take_dropped(&self, king: Square, to: Square) -> bool {
        let them = !self.side;
        let takers = self.attackers(them, to, self.occupied()).and_not(Bitboard::of(king));
        if takers.is_empty() {
            return false;
        }
        let pinned = self.king_blockers(them);
        takers.into_iter().any(|from| !pinned.has(from) || bb::aligned(king, from, to))
    }

    /// Whether the enemy king has a flight square after a drop of `us` on `to`.
    fn king_escapes_drop(&self, us: Color, king: Square, to: Square) -> bool {
        let occupied = (self.occupied() ^ Bitboard::of(king)) | Bitboard::of(to);
        let targets = bb::king_attacks(king).and_not(self.colors[!us]);
        targets.into_iter().any(|target| !self.is_attacked(us, target, occupied))
    }
}
