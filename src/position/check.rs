//! Which moves give check, without playing them.

use super::Position;
use crate::bitboard::{self as bb, Bitboard};
use crate::types::{Move, PieceKind, Square};

/// What a side needs to know to tell checking moves: computed once a node, asked for many moves.
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// From where each kind would attack the enemy king.
    squares: [Bitboard; PieceKind::COUNT],
    /// Own pieces whose leaving a line uncovers a check.
    discovered_check_candidates: Bitboard,
    king: Option<Square>,
}

impl Position {
    /// Prepares to tell which moves of the side to move give check.
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
    /// From where a piece of this kind would give check.
    #[inline]
    pub fn squares(&self, kind: PieceKind) -> Bitboard {
        self.squares[kind]
    }

    /// Own pieces whose leaving a line uncovers a check.
    #[inline]
    pub fn discovered_check_candidates(&self) -> Bitboard {
        self.discovered_check_candidates
    }
}
