//! Attacks of short-range pieces, as constant tables.

use super::set::{Bitboard, bit_of};
use crate::types::{Color, Square};

pub(super) type Table = [[Bitboard; Square::COUNT]; 2];

/// Steps for Black as (file, rank): files to the left positive, ranks towards `i` positive.
const fn table(steps: &[(i8, i8)]) -> Table {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; 2];
    let mut square = 0;
    while square < Square::COUNT {
        let (mut bits, mut turned) = (0, 0);
        let mut step = 0;
        while step < steps.len() {
            let (file, rank) = ((square / 9) as i8 + steps[step].0, (square % 9) as i8 + steps[step].1);
            // Cast to `u8`, a negative number is 128 or more: no file or rank.
            if let Some(target) = Square::at(file as u8, rank as u8) {
                bits |= Bitboard::of(target).bits();
                turned |= Bitboard::of(target.rotated()).bits();
            }
            step += 1;
        }
        table[0][square] = Bitboard::from_bits(bits);
        // White's steps are Black's rotated by 180°.
        table[1][80 - square] = Bitboard::from_bits(turned);
        square += 1;
    }
    table
}

pub(super) static PAWN: Table = table(&[(0, -1)]);
pub(super) static KNIGHT: Table = table(&[(-1, -2), (1, -2)]);
pub(super) static SILVER: Table = table(&[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)]);
pub(super) static GOLD: Table = table(&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]);
static KING: Table = table(&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]);

/// Pawn attack.
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color][square]
}

/// Knight attacks.
#[inline]
pub fn knight_attacks(color: Color, square: Square) -> Bitboard {
    KNIGHT[color][square]
}

/// Silver attacks.
#[inline]
pub fn silver_attacks(color: Color, square: Square) -> Bitboard {
    SILVER[color][square]
}

/// Attacks of a gold and of gold-like pieces.
#[inline]
pub fn gold_attacks(color: Color, square: Square) -> Bitboard {
    GOLD[color][square]
}

/// King attacks.
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[Color::Black][square]
}

/// By square, the squares within `radius` king steps, itself included.
pub const fn neighbourhoods(radius: i8) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        let mut bits = 0u128;
        let mut other = 0;
        while other < Square::COUNT {
            let files = (square / 9) as i8 - (other / 9) as i8;
            let ranks = (square % 9) as i8 - (other % 9) as i8;
            if files.abs() <= radius && ranks.abs() <= radius {
                bits |= 1 << bit_of(other);
            }
            other += 1;
        }
        table[square] = Bitboard::from_bits(bits);
        square += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_counts_in_center_and_corner() {
        let center = Square::from_usi("5e").unwrap();
        let names = |set: Bitboard| set.into_iter().map(|s| s.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(names(pawn_attacks(Color::Black, center)), "5d");
        assert_eq!(names(knight_attacks(Color::White, center)), "4g 6g");
        assert_eq!(names(silver_attacks(Color::Black, center)), "4d 4f 5d 6d 6f");
        assert_eq!(names(gold_attacks(Color::White, center)), "4e 4f 5d 5f 6e 6f");
        assert_eq!(names(king_attacks(Square::from_usi("1a").unwrap())), "1b 2a 2b");
        assert!(pawn_attacks(Color::Black, Square::from_usi("5a").unwrap()).is_empty());
    }

    #[test]
    fn attacks_are_symmetric() {
        for from in Square::all() {
            for to in Square::all() {
                for table in [&PAWN, &KNIGHT, &SILVER, &GOLD, &KING] {
                    assert_eq!(table[0][from].has(to), table[1][to].has(from));
                }
            }
        }
    }
}
