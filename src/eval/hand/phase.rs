//! How far the game is: between the opening and the end game.
//!
//! Shogi has no bare boards; the end game begins when pieces are in hand and in the enemy's camp. So these are counted, and
//! nothing else: the phase does not depend on weights.

use super::pair::Pair;
use crate::position::Position;
use crate::types::{Color, HandKind, Piece, PieceKind, Square};

/// The end game.
pub const MAX_PHASE: i32 = 32;

/// For each piece in hand except pawns.
const IN_HAND: i32 = 3;
/// For each piece in the three ranks of the enemy.
const IN_CAMP: i32 = 2;

/// What a piece on a square adds, before the sum is cut off by [`phase`].
#[inline]
pub(super) fn of_piece(piece: Piece, square: Square) -> i32 {
    if piece.kind() != PieceKind::King && square.in_promotion_zone(piece.color()) { IN_CAMP } else { 0 }
}

/// What pieces in hand add.
#[inline]
pub(super) fn of_hand(kind: HandKind, count: u8) -> i32 {
    if kind == HandKind::Pawn { 0 } else { IN_HAND * i32::from(count) }
}

/// All that counts in a position.
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

/// The phase, 0 (opening) to [`MAX_PHASE`] (end game), of what [`units`] counted.
#[inline]
pub(super) fn phase(units: i32) -> i32 {
    units.min(MAX_PHASE)
}

/// The value between opening and end game.
#[inline]
pub(super) fn taper(pair: Pair, phase: i32) -> i32 {
    // Truncation towards zero treats both sides alike; shifting would not.
    (pair.middle * (MAX_PHASE - phase) + pair.end * phase) / MAX_PHASE
}
