//! Squares, files and ranks.

use super::Color;
use std::fmt;

/// One of the 81 squares, numbered down each file from the right: `1a` = 0, `1i` = 8, `2a` = 9, …
/// `9i` = 80.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// A file, 0 (file 1, the rightmost for Black) to 8 (file 9).
pub type File = u8;
/// A rank, 0 (rank `a`, Black's far end) to 8 (rank `i`).
pub type Rank = u8;

impl Square {
    /// Number of squares.
    pub const COUNT: usize = 81;

    /// The square with this index, if below 81.
    #[inline]
    pub const fn new(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// The square with this index.
    ///
    /// # Safety
    /// `index` must be below 81: tables indexed by squares rely on it.
    #[inline]
    pub const unsafe fn new_unchecked(index: usize) -> Self {
        debug_assert!(index < Self::COUNT);
        Self(index as u8)
    }

    /// The square with this index, clamped to the last one: for indices known to be below 81 where
    /// a proof would cost more.
    #[inline]
    pub const fn clamped(index: usize) -> Self {
        debug_assert!(index < Self::COUNT);
        Self(if index < Self::COUNT { index as u8 } else { Self::COUNT as u8 - 1 })
    }

    /// The square on this file and rank, if both are below 9.
    #[inline]
    pub const fn at(file: File, rank: Rank) -> Option<Self> {
        if file < 9 && rank < 9 { Some(Self(file * 9 + rank)) } else { None }
    }

    /// 0 to 80.
    #[inline]
    pub const fn index(self) -> usize {
        // SAFETY: every constructor checks the index or requires it, and nothing else writes the
        // field.
        unsafe { std::hint::assert_unchecked((self.0 as usize) < Self::COUNT) };
        self.0 as usize
    }

    /// The file, 0 to 8.
    #[inline]
    pub const fn file(self) -> File {
        self.0 / 9
    }

    /// The rank, 0 to 8.
    #[inline]
    pub const fn rank(self) -> Rank {
        self.0 % 9
    }

    /// The square one rank behind for `color`, from which a pawn moves onto this one; `None` off
    /// the board.
    #[inline]
    pub const fn behind(self, color: Color) -> Option<Self> {
        match (color, self.rank()) {
            (Color::Black, 8) | (Color::White, 0) => None,
            (Color::Black, _) => Some(Self(self.0 + 1)),
            (Color::White, _) => Some(Self(self.0 - 1)),
        }
    }

    /// The square rotated by 180°.
    #[inline]
    pub const fn rotated(self) -> Self {
        Self(80 - self.0)
    }

    /// The square mirrored left to right (file 1 becomes file 9).
    #[inline]
    pub const fn mirrored(self) -> Self {
        Self((8 - self.file()) * 9 + self.rank())
    }

    /// The square from the view of `color`: rotated for White.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::Black => self,
            Color::White => self.rotated(),
        }
    }

    /// The rank from the view of `color`: 0 is the farthest rank, 8 the own back rank.
    #[inline]
    pub const fn relative_rank(self, color: Color) -> Rank {
        self.relative_to(color).rank()
    }

    /// Whether it is in the promotion zone of `color`.
    #[inline]
    pub const fn in_promotion_zone(self, color: Color) -> bool {
        self.relative_rank(color) < 3
    }

    /// All squares by index.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Parses `7g`.
    pub fn from_usi(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => Self::at(file - b'1', rank - b'a'),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'1' + self.file()) as char, (b'a' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

super::index_by!(Square, Square::COUNT);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usi_spelling_and_geometry() {
        for square in Square::all() {
            assert_eq!(Square::from_usi(&square.to_string()), Some(square));
            assert_eq!(Square::at(square.file(), square.rank()), Some(square));
            assert_eq!(square.rotated().rotated(), square);
            assert_eq!(square.mirrored().mirrored(), square);
        }
        assert_eq!(Square::from_usi("7g").map(Square::index), Some(60));
        for bad in ["", "7", "0a", "7j", "7gg", "７g", "a7"] {
            assert_eq!(Square::from_usi(bad), None, "{bad}");
        }
        assert_eq!(Square::new(81), None);
    }
}
