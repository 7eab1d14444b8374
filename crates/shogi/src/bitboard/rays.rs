//! Lines between squares.

use super::Bitboard;
use crate::types::{Color, Square};

/// The eight directions as steps of file and rank. The first four lead to higher bits, the last
/// four are their opposites.
pub(super) const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];

/// Indices into [`DIRECTIONS`].
pub(super) const DOWN: usize = 0;
pub(super) const LEFT_UP: usize = 1;
pub(super) const LEFT: usize = 2;
pub(super) const LEFT_DOWN: usize = 3;
pub(super) const UP: usize = 4;
pub(super) const RIGHT_DOWN: usize = 5;
pub(super) const RIGHT: usize = 6;
pub(super) const RIGHT_UP: usize = 7;

/// Squares not aligned.
const NONE: u8 = 8;

type Rays = [[Bitboard; Square::COUNT]; 9];
type Directions = [[u8; Square::COUNT]; Square::COUNT];

/// Both tables below, from one walk along each ray.
const LINES: (Rays, Directions) = {
    let mut rays = [[Bitboard::EMPTY; Square::COUNT]; 9];
    let mut directions = [[NONE; Square::COUNT]; Square::COUNT];
    let mut direction = 0;
    while direction < 8 {
        let (step_file, step_rank) = DIRECTIONS[direction];
        let mut from = 0;
        while from < Square::COUNT {
            let mut bits = 0;
            let (mut file, mut rank) = ((from / 9) as i8 + step_file, (from % 9) as i8 + step_rank);
            // Cast to `u8`, a negative number is 128 or more: no file or rank.
            while let Some(to) = Square::at(file as u8, rank as u8) {
                bits |= Bitboard::of(to).bits();
                directions[from][to.index()] = direction as u8;
                file += step_file;
                rank += step_rank;
            }
            rays[direction][from] = Bitboard::from_bits(bits);
            from += 1;
        }
        direction += 1;
    }
    (rays, directions)
};

/// `RAYS[direction][square]`: the squares from `square` (not included) to the edge. Direction 8 is
/// empty.
static RAYS: Rays = LINES.0;
/// `DIRECTION[from][to]`, or [`NONE`].
static DIRECTION: Directions = LINES.1;

/// Union of four rays: bishop and rook attacks on an empty board.
const fn union(directions: [usize; 4]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        let mut bits = 0;
        let mut at = 0;
        while at < 4 {
            bits |= LINES.0[directions[at]][square].bits();
            at += 1;
        }
        table[square] = Bitboard::from_bits(bits);
        square += 1;
    }
    table
}

static BISHOP_RAYS: [Bitboard; Square::COUNT] = union([LEFT_UP, LEFT_DOWN, RIGHT_DOWN, RIGHT_UP]);
static ROOK_RAYS: [Bitboard; Square::COUNT] = union([DOWN, LEFT, UP, RIGHT]);

/// Bishop attacks on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square]
}

/// Rook attacks on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square]
}

/// Lance attacks on an empty board.
#[inline]
pub fn lance_rays(color: Color, square: Square) -> Bitboard {
    ray(if matches!(color, Color::Black) { UP } else { DOWN }, square)
}

#[inline]
pub(super) fn ray(direction: usize, square: Square) -> Bitboard {
    RAYS[direction][square]
}

#[inline]
fn direction(from: Square, to: Square) -> usize {
    usize::from(DIRECTION[from][to])
}

/// The squares strictly between two aligned squares; empty if not aligned.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    // The ray in no direction is empty.
    let direction = direction(a, b);
    ray(direction, a).and_not(ray(direction, b)).and_not(Bitboard::of(b))
}

/// The squares from `from` (not included) through `through` to the edge; empty when the two are not
/// aligned.
#[inline]
pub fn line_from(from: Square, through: Square) -> Bitboard {
    ray(direction(from, through), from)
}

/// Whether `c` is on the ray from `a` through `b`, on the side of `b`.
#[inline]
pub fn aligned(a: Square, b: Square, c: Square) -> bool {
    line_from(a, b).has(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_match_square_by_square_walk() {
        for a in Square::all() {
            for b in Square::all().filter(|&b| b != a) {
                let (df, dr) = (b.file() as i8 - a.file() as i8, b.rank() as i8 - a.rank() as i8);
                let on_line = df == 0 || dr == 0 || df.abs() == dr.abs();
                let mut expected = Bitboard::EMPTY;
                if on_line {
                    let (sf, sr) = (df.signum(), dr.signum());
                    let (mut f, mut r) = (a.file() as i8 + sf, a.rank() as i8 + sr);
                    while (f, r) != (b.file() as i8, b.rank() as i8) {
                        expected |= Bitboard::of(Square::at(f as u8, r as u8).unwrap());
                        (f, r) = (f + sf, r + sr);
                    }
                }
                assert_eq!(between(a, b), expected, "{a} {b}");
                assert_eq!(aligned(a, b, b), on_line);
                assert_eq!(between(a, b), between(b, a));
            }
        }
    }
}
