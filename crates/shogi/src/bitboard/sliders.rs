//! Long-range pieces without lookup tables of occupancies.
//!
//! On a ray towards higher bits, `x ^ (x - 1)` of the masked occupancy flips everything up to and
//! including the first blocker. On a ray towards lower bits the same is done with the bytes
//! reversed: a rank or diagonal steps by eight bits or more, so no byte holds two squares of a ray.
//! (The idea is known from the engine Qugiy.) It needs only a small table of rays.

use super::rays::{self, ray};
use super::set::Bitboard;
use crate::types::{Color, Square};

/// Attacks on a ray towards higher bits.
#[inline]
fn upward(mask: Bitboard, occupied: Bitboard) -> u128 {
    let blockers = (mask & occupied).bits();
    (blockers ^ blockers.wrapping_sub(1)) & mask.bits()
}

/// Attacks on a rank or diagonal towards lower bits.
#[inline]
fn downward(mask: Bitboard, occupied: Bitboard) -> u128 {
    let blockers = (mask & occupied).bits().swap_bytes();
    (blockers ^ blockers.wrapping_sub(1)).swap_bytes() & mask.bits()
}

/// Attacks up a file, towards rank `a`: everything from the highest blocker on.
#[inline]
fn up_the_file(square: Square, occupied: Bitboard) -> u128 {
    let mask = ray(rays::UP, square).bits();
    let blockers = mask & occupied.bits();
    // A file is in one word, so one word of blockers is zero; bit 0 is the sentinel.
    let (low, high) = (blockers as u64, (blockers >> 64) as u64);
    let reach_low = u64::MAX << (63 - (low | 1).leading_zeros());
    let reach_high = u64::MAX << (63 - (high | 1).leading_zeros());
    mask & (u128::from(reach_high) << 64 | u128::from(reach_low))
}

/// Lance attacks.
#[inline]
pub fn lance_attacks(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard::from_bits(match color {
        Color::Black => up_the_file(square, occupied),
        Color::White => upward(ray(rays::DOWN, square), occupied),
    })
}

/// Bishop attacks.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard::from_bits(
        upward(ray(rays::LEFT_UP, square), occupied)
            | upward(ray(rays::LEFT_DOWN, square), occupied)
            | downward(ray(rays::RIGHT_UP, square), occupied)
            | downward(ray(rays::RIGHT_DOWN, square), occupied),
    )
}

/// Rook attacks.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard::from_bits(
        upward(ray(rays::DOWN, square), occupied)
            | up_the_file(square, occupied)
            | upward(ray(rays::LEFT, square), occupied)
            | downward(ray(rays::RIGHT, square), occupied),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rays::DIRECTIONS;

    /// Reference: step by step.
    fn walk(square: Square, occupied: Bitboard, directions: &[(i8, i8)]) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for (df, dr) in directions {
            let (mut file, mut rank) = (square.file() as i8 + df, square.rank() as i8 + dr);
            while let Some(next) = Square::at(file as u8, rank as u8) {
                reached |= Bitboard::of(next);
                if occupied.has(next) {
                    break;
                }
                (file, rank) = (file + df, rank + dr);
            }
        }
        reached
    }

    #[test]
    fn slider_attacks_match_walk() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        let straight: Vec<_> = DIRECTIONS.into_iter().filter(|(f, r)| f * r == 0).collect();
        let diagonal: Vec<_> = DIRECTIONS.into_iter().filter(|(f, r)| f * r != 0).collect();
        for round in 0..2000 {
            let sparse = if round % 2 == 0 { u128::MAX } else { u128::from(random()) << 64 | u128::from(random()) };
            let random = (u128::from(random()) << 64 | u128::from(random())) & sparse;
            let occupied = Bitboard::from_bits(random & Bitboard::ALL.bits());
            for square in Square::all() {
                assert_eq!(rook_attacks(square, occupied), walk(square, occupied, &straight));
                assert_eq!(bishop_attacks(square, occupied), walk(square, occupied, &diagonal));
                assert_eq!(lance_attacks(Color::Black, square, occupied), walk(square, occupied, &[(0, -1)]));
                assert_eq!(lance_attacks(Color::White, square, occupied), walk(square, occupied, &[(0, 1)]));
            }
        }
    }
}
