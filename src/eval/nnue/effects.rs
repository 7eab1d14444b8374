//! How often squares are attacked.

use crate::bitboard::{self, Bitboard};
use crate::position::Position;
use crate::types::{Color, Square};

/// For each side the squares that it attacks at least once, and at least twice.
pub(super) struct Effects([[Bitboard; 2]; 2]);

impl Effects {
    /// Both sides attack a square never, once, or more often.
    pub const CLASSES: usize = 3 * 3;

    pub fn new(position: &Position) -> Self {
        let mut effects = [[Bitboard::EMPTY; 2]; 2];
        let occupied = position.occupied();
        occupied.for_each(|square| {
            if let Some(piece) = position.piece_at(square) {
                let attacks = bitboard::attacks(piece.color(), piece.kind(), square, occupied);
                let [once, twice] = &mut effects[piece.color()];
                *twice = *twice | *once & attacks;
                *once = *once | attacks;
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
