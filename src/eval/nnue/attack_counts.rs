//! Attack counts of squares.

use sabi_shogi::{Bitboard, Color, PieceKind, Position, Square};

/// For each occupied square its attack class from the view of Black and White.
#[derive(Clone, Debug)]
pub(super) struct AttackCounts([[u8; 2]; Square::COUNT]);

impl AttackCounts {
    /// Attack counts 0, 1, 2+ of both sides.
    pub const CLASSES: usize = 3 * 3;

    pub fn new(position: &Position) -> Self {
        let occupied = position.occupied();
        // Pawns of one side never attack the same square.
        let pawns = Color::ALL.map(|color| position.pieces(color, PieceKind::Pawn));
        let by_pawns = |color: Color| [pawns[color].forward(color), Bitboard::EMPTY];
        // By side: squares attacked at least once, and at least twice.
        let mut attacked = Color::ALL.map(by_pawns);
        (occupied & !(pawns[0] | pawns[1])).for_each(|square| {
            if let Some(piece) = position.piece_at(square) {
                let attacks = sabi_shogi::attacks(piece.color(), piece.kind(), square, occupied);
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

    /// The class of a square for `color`: `3 * own + enemy` attacks.
    #[inline]
    pub fn class(&self, square: Square, color: Color) -> u8 {
        self.0[square][color]
    }
}
