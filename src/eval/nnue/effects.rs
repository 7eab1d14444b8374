//! How often squares are attacked.

use crate::bitboard::{self, Bitboard};
use crate::position::Position;
use crate::types::{Color, PieceKind, Square};

/// For each side the squares that it attacks at least once, and at least twice.
#[derive(Clone, Debug)]
pub(super) struct Effects([[Bitboard; 2]; 2]);

impl Effects {
    /// Both sides attack a square never, once, or more often.
    pub const CLASSES: usize = 3 * 3;

    pub fn new(position: &Position) -> Self {
        let occupied = position.occupied();
        // No two pawns of a side attack the same square.
        let pawns = Color::ALL.map(|color| position.pieces(color, PieceKind::Pawn));
        let by_pawns = |color: Color| [bitboard::pawn_pushes(color, pawns[color]), Bitboard::EMPTY];
        let mut effects = Color::ALL.map(by_pawns);
        (occupied & !(pawns[0] | pawns[1])).for_each(|square| {
            if let Some(piece) = position.piece_at(square) {
                let attacks = bitboard::attacks(piece.color(), piece.kind(), square, occupied);
                let [once, twice] = &mut effects[piece.color()];
                *twice |= *once & attacks;
                *once |= attacks;
            }
        });
        Self(effects)
    }

    /// The class of a square for `color`: its own attacks count three times those of the enemy.
    #[inline]
    pub fn class(&self, square: Square, color: Color) -> usize {
        let count = |color: Color| self.0[color].map(|set| usize::from(set.has(square))).iter().sum::<usize>();
        3 * count(color) + count(!color)
    }
}
