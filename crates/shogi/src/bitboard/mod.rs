//! Bitboards and attacks.
//!
//! [`Bitboard`] is the set, `attacks` those of all pieces, `rays` the lines between squares. All
//! tables are constants.

mod attacks;
mod rays;

pub use attacks::{
    attacks, bishop_attacks, check_candidates, gold_attacks, king_attacks, knight_attacks, lance_attacks,
    neighbourhoods, pawn_attacks, rook_attacks, silver_attacks,
};
pub use rays::{aligned, between, bishop_rays, lance_rays, line_from, rook_rays};

use crate::types::{Color, File, Rank, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares.
///
/// File-major, nine bits per file: files 1–7 in the low word and files 8–9 in the high one; bit 63
/// is never set. No file crosses a word, and a step along a file is a shift by one. The words are
/// aligned for vector registers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
#[repr(C, align(16))]
pub struct Bitboard([u64; 2]);

/// Squares in the low word.
const LOW_SQUARES: usize = 63;
/// Mask of all squares.
const ALL_BITS: u128 = ((1 << 18) - 1) << 64 | ((1 << LOW_SQUARES) - 1);

#[inline]
const fn bit_of(index: usize) -> u32 {
    (if index < LOW_SQUARES { index } else { index + 1 }) as u32
}

const SQUARE_BITS: [Bitboard; Square::COUNT] = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        table[index] = Bitboard::from_bits(1 << bit_of(index));
        index += 1;
    }
    table
};

const FILES_AND_RANKS: [[Bitboard; 9]; 2] = {
    let mut files = [Bitboard::EMPTY; 9];
    let mut ranks = files;
    let mut index = 0;
    while index < Square::COUNT {
        let bit = 1u128 << bit_of(index);
        files[index / 9] = Bitboard::from_bits(files[index / 9].bits() | bit);
        ranks[index % 9] = Bitboard::from_bits(ranks[index % 9].bits() | bit);
        index += 1;
    }
    [files, ranks]
};
const FILES: [Bitboard; 9] = FILES_AND_RANKS[0];
const RANKS: [Bitboard; 9] = FILES_AND_RANKS[1];

/// `FAR_RANKS[color][n]`: the `n` ranks farthest from the back rank.
const FAR_RANKS: [[Bitboard; 10]; 2] = {
    let mut table = [[Bitboard::EMPTY; 10]; 2];
    let mut count = 1;
    while count < 10 {
        table[0][count] = Bitboard::from_bits(table[0][count - 1].bits() | RANKS[count - 1].bits());
        table[1][count] = Bitboard::from_bits(table[1][count - 1].bits() | RANKS[9 - count].bits());
        count += 1;
    }
    table
};

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self([0; 2]);
    /// All squares.
    pub const ALL: Self = Self::from_bits(ALL_BITS);

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        SQUARE_BITS[square.index()]
    }

    /// The squares of a file, 0 to 8.
    #[inline]
    pub const fn file(file: File) -> Self {
        FILES[file as usize]
    }

    /// The squares of a rank, 0 to 8.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        RANKS[rank as usize]
    }

    /// The `count` (0 to 9) ranks farthest from `color`'s own back rank.
    #[inline]
    pub const fn far_ranks(color: Color, count: usize) -> Self {
        FAR_RANKS[color.index()][count]
    }

    /// The promotion zone of `color`.
    #[inline]
    pub const fn promotion_zone(color: Color) -> Self {
        Self::far_ranks(color, 3)
    }

    #[inline]
    const fn from_bits(bits: u128) -> Self {
        debug_assert!(bits & !ALL_BITS == 0);
        Self([bits as u64, (bits >> 64) as u64])
    }

    #[inline]
    const fn bits(self) -> u128 {
        (self.0[1] as u128) << 64 | self.0[0] as u128
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// Whether the set is not empty.
    #[inline]
    pub const fn any(self) -> bool {
        self.0[0] | self.0[1] != 0
    }

    /// Number of squares.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    /// Whether there are two or more squares.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.bits() & self.bits().wrapping_sub(1) != 0
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.intersects(SQUARE_BITS[square.index()])
    }

    /// Whether the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0[0] & other.0[0] | self.0[1] & other.0[1] != 0
    }

    /// The squares of this set that are not in `other`.
    #[inline]
    pub const fn and_not(self, other: Self) -> Self {
        Self([self.0[0] & !other.0[0], self.0[1] & !other.0[1]])
    }

    /// The squares of either set, usable in constants.
    #[inline]
    const fn or(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    /// The square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        let [low, high] = self.0;
        if low != 0 {
            Square::new(low.trailing_zeros() as usize)
        } else if high != 0 {
            Square::new(LOW_SQUARES + high.trailing_zeros() as usize)
        } else {
            None
        }
    }

    /// All squares moved one rank forward for `color`; those leaving the board vanish.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::Black => Self([(self.0[0] & !RANKS[0].0[0]) >> 1, (self.0[1] & !RANKS[0].0[1]) >> 1]),
            Color::White => Self([(self.0[0] & !RANKS[8].0[0]) << 1, (self.0[1] & !RANKS[8].0[1]) << 1]),
        }
    }

    /// The files without a square of the set: where `color` may drop a pawn if the set is its
    /// pawns.
    ///
    /// All files at once: subtracting the set of occupied bits from the top bit of each file leaves
    /// it set only if the file is empty.
    #[inline]
    pub const fn files_without(self) -> Self {
        let mut words = self.0;
        let mut at = 0;
        while at < 2 {
            let top = RANKS[8].0[at];
            let free = (top - (words[at] & !top)) & top & !words[at];
            words[at] = free | (free - (free >> 8));
            at += 1;
        }
        Self(words)
    }

    /// Calls `each` for every square in order.
    #[inline(always)]
    pub fn for_each(self, mut each: impl FnMut(Square)) {
        let [mut low, mut high] = self.0;
        while low | high != 0 {
            let (word, first) = if low != 0 { (&mut low, 0) } else { (&mut high, LOW_SQUARES) };
            let square = Square::clamped(first + word.trailing_zeros() as usize);
            *word &= *word - 1;
            each(square);
        }
    }
}

/// Iterator over a set.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        let [low, high] = &mut self.0.0;
        if *low != 0 {
            *low &= *low - 1;
        } else {
            *high &= *high - 1;
        }
        Some(square)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

macro_rules! bit_operators {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident $symbol:tt),*) => {$(
        impl $operator for Bitboard {
            type Output = Self;

            #[inline]
            fn $method(self, rhs: Self) -> Self {
                Self([self.0[0] $symbol rhs.0[0], self.0[1] $symbol rhs.0[1]])
            }
        }

        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, rhs: Self) {
                *self = *self $symbol rhs;
            }
        }
    )*};
}

bit_operators!(BitAnd bitand BitAndAssign bitand_assign &, BitOr bitor BitOrAssign bitor_assign |, BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self::ALL.and_not(self)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 0..9 {
            let row: String = (0..9)
                .rev()
                .map(|file| if Square::at(file, rank).is_some_and(|s| self.has(s)) { '*' } else { '.' })
                .collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insert_remove_contains() {
        let every_third: Bitboard = Square::all().step_by(3).collect();
        assert_eq!(every_third.count(), 27);
        assert_eq!(every_third.into_iter().collect::<Vec<_>>(), Square::all().step_by(3).collect::<Vec<_>>());
        assert_eq!((!every_third).count(), 54);
        assert_eq!(!Bitboard::ALL, Bitboard::EMPTY);
        let mut seen = Vec::new();
        every_third.for_each(|square| seen.push(square));
        assert_eq!(seen, every_third.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn shifts_do_not_wrap() {
        for square in Square::all() {
            let set = Bitboard::of(square);
            let (file, rank) = (square.file() as i8, square.rank() as i8);
            let at = |f: i8, r: i8| Square::at(f as u8, r as u8).map_or(Bitboard::EMPTY, Bitboard::of);
            assert_eq!(set.forward(Color::Black), at(file, rank - 1));
            assert_eq!(set.forward(Color::White), at(file, rank + 1));
        }
    }

    #[test]
    fn files_without_pawn() {
        for square in Square::all() {
            assert_eq!(Bitboard::of(square).files_without(), !Bitboard::file(square.file()));
        }
        assert_eq!(Bitboard::EMPTY.files_without(), Bitboard::ALL);
        let pawns: Bitboard = (0..9).filter_map(|file| Square::at(file, file)).collect();
        assert_eq!(pawns.files_without(), Bitboard::EMPTY);
        for file in 0..9 {
            let several = Bitboard::file(file).and_not(pawns);
            assert_eq!(several.files_without(), !Bitboard::file(file));
            assert_eq!(
                (several | Bitboard::of(Square::clamped(80))).files_without() | Bitboard::file(8),
                Bitboard::file(8) | !Bitboard::file(file)
            );
        }
    }
}
