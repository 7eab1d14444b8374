//! Material, hands and piece-square terms: the incremental part of the evaluation.
//!
//! Squares are evaluated relative to both kings, so each king has its *view*: own pieces by square
//! and distance, enemy pieces by distance. A view is incremental until its king moves; then it is
//! recomputed.

use super::weights::{ENEMY_KING, FeatureVisitor, HAND, MATERIAL, OWN_KING, SQUARE};
use sabi_shogi::{Color, Piece, PieceKind, Position, Square};

/// `DISTANCE[king][square]`: distance index in the tables, files first.
static DISTANCE: [[u8; Square::COUNT]; Square::COUNT] = {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            let files = (square / 9).abs_diff(king / 9);
            table[king][square] = (files * 17 + 8 + square % 9 - king % 9) as u8;
            square += 1;
        }
        king += 1;
    }
    table
};

/// View of one king.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    color: Color,
    /// `None` without a king (mate problem).
    king: Option<Square>,
    mirrored: bool,
}

impl View {
    #[inline]
    pub fn new(color: Color, king: Option<Square>) -> Self {
        // Castle on the left, as with a static rook.
        Self { color, king, mirrored: king.is_some_and(|king| king.relative_to(color).file() < 4) }
    }

    /// Adds the features of a piece in this view `count` times (-1 to remove).
    #[inline(always)]
    pub fn piece(&self, piece: Piece, square: Square, count: i32, visitor: &mut impl FeatureVisitor) {
        let (color, kind) = (piece.color(), piece.kind());
        let seen = square.relative_to(color);
        let ours = color == self.color;
        if ours {
            let seen = if self.mirrored { seen.mirrored() } else { seen };
            visitor.add(color, SQUARE.at(kind.index(), seen.index()), count);
        }
        if let Some(king) = self.king
            && kind != PieceKind::King
        {
            let distance = usize::from(DISTANCE[king.relative_to(color)][seen]);
            let block = if ours { OWN_KING } else { ENEMY_KING };
            visitor.add(color, block.at(kind.index(), distance), count);
        }
    }

    /// Adds the features of all pieces in this view.
    pub fn all(&self, position: &Position, visitor: &mut impl FeatureVisitor) {
        position.occupied().for_each(|square| {
            if let Some(piece) = position.piece_at(square) {
                self.piece(piece, square, 1, visitor);
            }
        });
    }
}

/// Material.
#[inline(always)]
pub(super) fn material(piece: Piece, count: i32, visitor: &mut impl FeatureVisitor) {
    visitor.add(piece.color(), MATERIAL.at(0, piece.kind().index()), count);
}

/// Terms independent of kings: material and hands.
pub(super) fn fixed(position: &Position, visitor: &mut impl FeatureVisitor) {
    position.occupied().for_each(|square| {
        if let Some(piece) = position.piece_at(square) {
            material(piece, 1, visitor);
        }
    });
    for color in Color::ALL {
        for (kind, count) in position.hand(color).iter() {
            visitor.add(color, HAND.at(kind.index(), usize::from(count)), 1);
        }
    }
}
