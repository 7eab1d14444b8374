//! How often squares are attacked.

use crate::bitboard::{self, Bitboard};
use crate::position::Position;
use crate::types::{Color, PieceKind, Square};

/// For each square with a piece how often either side attacks it, as Black and as White see it.
#[derive(Clone, Debug)]
pub(super) struct Effects([[u8; 2]; Square::COUNT]);

impl Effects {
    /// Both sides attack a square never, once, or more often.
    pub const CLASSES: usize = 3 * 3;

    pub fn new(position: &Position) -> Self {
        let occupied = position.occupied();
        // No two pawns of a side attack the same square.
        let pawns = Color::ALL.map(|color| position.pieces(color, PieceKind::Pawn));
        let by_pawns = |color: Color| [bitboard::pawn_pushes(color, pawns[color]), Bitboard::EMPTY];
        // For each side the squares that it attacks at least once, and at least twice.
        let mut attacked = Color::ALL.map(by_pawns);
        (occupied & !(pawns[0] | pawns[1])).for_each(|square| {
            if let Some(piece) = position.piece_at(square) {
                let attacks = bitboard::attacks(piece.color(), piece.kind(), square, occupied);
                let [once, twice] = &mut attacked[piece.color()];
                *twice |= *once & attacks;
                *once |= attacks;
            }
        });
        let mut classes = [[0; 2]; Square::COUNT];
        occupied.for_each(|square| {
            let [black, white] = attacked.map(|[once, twice]| u8::from(once.has(square)) + u8::from(twice.has(square)));
            classes[square] = [3 * black + white, 3 * white + black];
        });
        Self(classes)
    }

    /// The class of a square for `color`: its own attacks count three times those of the enemy.
    #[inline]
    pub fn class(&self, square: Square, color: Color) -> usize {
        self.0[square][color].into()
    }
}
