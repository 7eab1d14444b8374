//! Game phase: from opening to endgame.
//!
//! In shogi the endgame begins when pieces are in hand and in the enemy camp, so these are counted.
//! The phase does not depend on weights.

use super::pair::Pair;
use sabi_shogi::{Color, HandKind, Piece, PieceKind, Position, Square};

/// Endgame.
pub const MAX_PHASE: i32 = 32;

/// Units for each piece in hand except pawns.
const IN_HAND: i32 = 3;
/// Units for each piece in the enemy camp.
const IN_CAMP: i32 = 2;

/// Units of a piece on a square.
#[inline]
pub(super) fn of_piece(piece: Piece, square: Square) -> i32 {
    if piece.kind() != PieceKind::King && square.in_promotion_zone(piece.color()) { IN_CAMP } else { 0 }
}

/// Units of pieces in hand.
#[inline]
pub(super) fn of_hand(kind: HandKind, count: u8) -> i32 {
    if kind == HandKind::Pawn { 0 } else { IN_HAND * i32::from(count) }
}

/// Units of a position.
pub(super) fn units(position: &Position) -> i32 {
    let mut units = 0;
    for square in position.occupied() {
        if let Some(piece) = position.piece_at(square) {
            units += of_piece(piece, square);
        }
    }
    for color in Color::ALL {
        units += position.hand(color).iter().map(|(kind, count)| of_hand(kind, count)).sum::<i32>();
    }
    units
}

/// The phase, 0 (opening) to [`MAX_PHASE`] (endgame), of these units.
#[inline]
pub(super) fn phase(units: i32) -> i32 {
    units.min(MAX_PHASE)
}

/// The tapered value.
#[inline]
pub(super) fn taper(pair: Pair, phase: i32) -> i32 {
    // Division truncates towards zero and is symmetric for both sides; a shift would not be.
    (pair.mg * (MAX_PHASE - phase) + pair.eg * phase) / MAX_PHASE
}
