//! Attacks: constant tables of the short-range pieces, and the long-range ones without lookup tables
//! of occupancies; and squares from which a short-range piece can give check with one move.
//!
//! On a ray towards higher bits, `x ^ (x - 1)` of the masked occupancy flips everything up to and
//! including the first blocker. On a ray towards lower bits the same is done with the bytes
//! reversed: a rank or diagonal steps by eight bits or more, so no byte holds two squares of a ray.
//! (The idea is known from the engine Qugiy.) It needs only a small table of rays.

use super::rays::{self, ray};
use super::{Bitboard, bit_of};
use crate::types::{Color, HandKind, PieceKind, Square};

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

/// By side and enemy king square: the squares from which a piece with these steps can move to one
/// where it attacks the king, unpromoted or, with a promotion, as a gold.
const fn candidates(steps: &Table, promotes: bool) -> Table {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; 2];
    let mut color = 0;
    while color < 2 {
        let zone = Bitboard::promotion_zone(Color::ALL[color]);
        let mut from = 0;
        while from < Square::COUNT {
            let mut targets = steps[color][from];
            while let Some(to) = targets.first() {
                targets = targets.and_not(Bitboard::of(to));
                let mut kings = steps[color][to.index()];
                let here = Bitboard::of(Square::clamped(from));
                if promotes && (zone.intersects(here) || zone.has(to)) {
                    kings = kings.or(GOLD[color][to.index()]);
                }
                while let Some(king) = kings.first() {
                    kings = kings.and_not(Bitboard::of(king));
                    table[color][king.index()] = table[color][king.index()].or(here);
                }
            }
            from += 1;
        }
        color += 1;
    }
    table
}

static BY_PAWN: Table = candidates(&PAWN, true);
static BY_KNIGHT: Table = candidates(&KNIGHT, true);
static BY_SILVER: Table = candidates(&SILVER, true);
static BY_GOLD: Table = candidates(&GOLD, false);

/// Squares from which a short-range piece of `color` may give check to a king on `king` with its
/// next move. `kind`: unpromoted pawn, knight or silver, or gold-like; empty for sliders.
#[inline]
pub fn check_candidates(color: Color, kind: HandKind, king: Square) -> Bitboard {
    match kind {
        HandKind::Pawn => BY_PAWN[color][king],
        HandKind::Knight => BY_KNIGHT[color][king],
        HandKind::Silver => BY_SILVER[color][king],
        HandKind::Gold => BY_GOLD[color][king],
        HandKind::Lance | HandKind::Bishop | HandKind::Rook => Bitboard::EMPTY,
    }
}

/// Attacks of a piece on `square` with blockers `occupied`.
#[inline]
pub fn attacks(color: Color, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn_attacks(color, square),
        PieceKind::Lance => lance_attacks(color, square, occupied),
        PieceKind::Knight => knight_attacks(color, square),
        PieceKind::Silver => silver_attacks(color, square),
        PieceKind::Bishop => bishop_attacks(square, occupied),
        PieceKind::Rook => rook_attacks(square, occupied),
        PieceKind::King => king_attacks(square),
        PieceKind::Horse => bishop_attacks(square, occupied) | king_attacks(square),
        PieceKind::Dragon => rook_attacks(square, occupied) | king_attacks(square),
        PieceKind::Gold | PieceKind::ProPawn | PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => {
            gold_attacks(color, square)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rays::DIRECTIONS;

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

    #[test]
    fn step_candidates_are_check_squares() {
        for color in Color::ALL {
            for kind in [HandKind::Pawn, HandKind::Knight, HandKind::Silver, HandKind::Gold] {
                for king in Square::all() {
                    let reaches = |kind, from: Square, to| attacks(color, kind, from, Bitboard::EMPTY).has(to);
                    let checks = |from: Square, to: Square| {
                        let kind = kind.on_board();
                        let promotes = from.in_promotion_zone(color) || to.in_promotion_zone(color);
                        reaches(kind, from, to)
                            && (reaches(kind, to, king) || promotes && reaches(kind.promoted(), to, king))
                    };
                    let candidates = Square::all().filter(|&from| Square::all().any(|to| checks(from, to)));
                    assert_eq!(check_candidates(color, kind, king), candidates.collect(), "{color:?} {kind:?} {king}");
                }
            }
        }
    }
}
