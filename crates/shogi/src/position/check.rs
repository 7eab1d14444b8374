//! Checking moves, without making them.

use super::Position;
use crate::bitboard::{self as bb, Bitboard};
use crate::types::{Move, PieceKind, Square};

/// Check squares and discovered-check candidates of the side to move: computed once per node.
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// Squares from which each kind would attack the enemy king.
    squares: [Bitboard; PieceKind::COUNT],
    /// Own blockers for the enemy king.
    discovered_check_candidates: Bitboard,
    king: Option<Square>,
}

impl Position {
    /// Check information for the side to move.
    pub fn check_info(&self) -> CheckInfo {
        let (us, them) = (self.side, !self.side);
        let Some(king) = self.kings[them] else {
            return CheckInfo { squares: Default::default(), discovered_check_candidates: Bitboard::EMPTY, king: None };
        };
        let occupied = self.occupied();
        let gold = bb::gold_attacks(them, king);
        let bishop = bb::bishop_attacks(king, occupied);
        let rook = bb::rook_attacks(king, occupied);
        let around = bb::king_attacks(king);
        // In the order of the kinds.
        let squares = [
            bb::pawn_attacks(them, king),
            rook & bb::lance_rays(them, king),
            bb::knight_attacks(them, king),
            bb::silver_attacks(them, king),
            bishop,
            rook,
            gold,
            Bitboard::EMPTY,
            gold,
            gold,
            gold,
            gold,
            bishop | around,
            rook | around,
        ];
        CheckInfo { squares, discovered_check_candidates: self.king_blockers(them) & self.colors[us], king: Some(king) }
    }

    /// Whether a legal move gives check.
    #[inline]
    pub fn gives_check(&self, mv: Move, info: &CheckInfo) -> bool {
        self.moved_piece_after(mv).is_some_and(|piece| info.is_check(mv, piece.kind()))
    }
}

impl CheckInfo {
    /// Whether a legal move gives check as this kind.
    #[inline]
    pub fn is_check(&self, mv: Move, kind: PieceKind) -> bool {
        self.squares[kind].has(mv.to()) || self.discovered_check_candidates.any() && self.is_discovered_check(mv)
    }

    /// Whether a move gives a discovered check.
    fn is_discovered_check(&self, mv: Move) -> bool {
        mv.from()
            .zip(self.king)
            .is_some_and(|(from, king)| self.discovered_check_candidates.has(from) && !bb::aligned(king, from, mv.to()))
    }

    /// Check squares of a kind.
    #[inline]
    pub fn check_squares(&self, kind: PieceKind) -> Bitboard {
        self.squares[kind]
    }

    /// Own pieces that give a discovered check when they leave the line.
    #[inline]
    pub fn discovered_check_candidates(&self) -> Bitboard {
        self.discovered_check_candidates
    }
}
