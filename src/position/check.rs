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
        let mut squares = [gold; PieceKind::COUNT];
        squares[PieceKind::Pawn] = bb::pawn_attacks(them, king);
        squares[PieceKind::Lance] = rook & bb::lance_rays(them, king);
        squares[PieceKind::Knight] = bb::knight_attacks(them, king);
        squares[PieceKind::Silver] = bb::silver_attacks(them, king);
        squares[PieceKind::Bishop] = bishop;
        squares[PieceKind::Rook] = rook;
        squares[PieceKind::King] = Bitboard::EMPTY;
        squares[PieceKind::Horse] = bishop | around;
        squares[PieceKind::Dragon] = rook | around;
        CheckInfo { squares, discovered_check_candidates: self.king_blockers(them) & self.colors[us], king: Some(king) }
    }

    /// Whether a legal move gives check.
    #[inline]
    pub fn gives_check(&self, mv: Move, info: &CheckInfo) -> bool {
        let Some(piece) = self.moved_piece(mv) else {
            return false;
        };
        if info.squares[piece.kind()].has(mv.to()) {
            return true;
        }
        match (mv.from(), info.king) {
            (Some(from), Some(king)) => info.discovered_check_candidates.has(from) && !bb::aligned(king, from, mv.to()),
            _ => false,
        }
    }
}

impl CheckInfo {
    /// Check squares of a kind.
    #[inline]
    pub fn squares(&self, kind: PieceKind) -> Bitboard {
        self.squares[kind]
    }

    /// Own pieces that give a discovered check when they leave the line.
    #[inline]
    pub fn discovered_check_candidates(&self) -> Bitboard {
        self.discovered_check_candidates
    }
}
