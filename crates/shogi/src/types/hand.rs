//! Pieces in hand.

use super::HandKind;
use bytemuck::{Pod, Zeroable};

/// Pieces in hand of one side, packed into 32 bits with a spare bit above each count: comparing two
/// hands is one subtraction.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Zeroable, Pod)]
#[repr(transparent)]
pub struct Hand(u32);

/// First bit of each count: five bits for pawns, three for the others, one spare bit above each.
const SHIFT: [u32; HandKind::COUNT] = [0, 6, 10, 14, 18, 21, 24];
/// Unshifted mask of each count.
const MASK: [u32; HandKind::COUNT] = [31, 7, 7, 7, 3, 3, 7];
const BORROW: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 20 | 1 << 23 | 1 << 27;

impl Hand {
    /// Nothing in hand.
    pub const EMPTY: Self = Self(0);

    /// Number of pieces of this kind.
    #[inline]
    pub const fn count(self, kind: HandKind) -> u8 {
        ((self.0 >> SHIFT[kind as usize]) & MASK[kind as usize]) as u8
    }

    /// Whether a piece of this kind is held.
    #[inline]
    pub const fn has(self, kind: HandKind) -> bool {
        self.0 & (MASK[kind as usize] << SHIFT[kind as usize]) != 0
    }

    /// Whether nothing is held.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether anything but pawns is held.
    #[inline]
    pub const fn has_more_than_pawns(self) -> bool {
        self.0 & !MASK[0] != 0
    }

    /// The hand with one more piece, if a full set has that many.
    #[inline]
    pub const fn checked_add(self, kind: HandKind) -> Option<Self> {
        if self.count(kind) < kind.full_set_count() { Some(self.plus(kind)) } else { None }
    }

    /// The hand with one more piece. Counts beyond a full set are meaningless.
    #[inline]
    pub const fn plus(self, kind: HandKind) -> Self {
        debug_assert!(self.count(kind) < kind.full_set_count());
        Self(self.0 + (1 << SHIFT[kind as usize]))
    }

    /// The hand with one piece less. The kind must be held.
    #[inline]
    pub const fn minus(self, kind: HandKind) -> Self {
        debug_assert!(self.has(kind));
        Self(self.0 - (1 << SHIFT[kind as usize]))
    }

    /// Whether this hand holds at least as many of every kind as `other`.
    #[inline]
    pub const fn is_superior_or_equal(self, other: Self) -> bool {
        ((self.0 | BORROW).wrapping_sub(other.0)) & BORROW == BORROW
    }

    /// The hand with this count of a kind, at most that of a full set.
    #[inline]
    pub const fn with(self, kind: HandKind, count: u8) -> Self {
        debug_assert!(count <= kind.full_set_count());
        let shift = SHIFT[kind as usize];
        Self(self.0 & !(MASK[kind as usize] << shift) | (count as u32) << shift)
    }

    /// Maximum count of each kind.
    pub fn union(self, other: Self) -> Self {
        let larger = |hand: Self, kind| hand.with(kind, self.count(kind).max(other.count(kind)));
        HandKind::ALL.into_iter().fold(Self::EMPTY, larger)
    }

    /// Minimum count of each kind.
    pub fn intersection(self, other: Self) -> Self {
        let smaller = |hand: Self, kind| hand.with(kind, self.count(kind).min(other.count(kind)));
        HandKind::ALL.into_iter().fold(Self::EMPTY, smaller)
    }

    /// The kinds held with their counts, pawns first.
    pub fn iter(self) -> impl Iterator<Item = (HandKind, u8)> {
        HandKind::ALL.into_iter().map(move |kind| (kind, self.count(kind))).filter(|&(_, count)| count > 0)
    }

    /// Total number of pieces.
    pub fn total(self) -> u32 {
        self.iter().map(|(_, count)| u32::from(count)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(counts: [u8; 7]) -> Hand {
        let mut hand = Hand::EMPTY;
        for kind in HandKind::ALL {
            (0..counts[kind]).for_each(|_| hand = hand.checked_add(kind).unwrap());
        }
        hand
    }

    #[test]
    fn full_set_fits() {
        let full = hand([18, 4, 4, 4, 2, 2, 4]);
        assert_eq!(full.total(), 38);
        for kind in HandKind::ALL {
            assert_eq!(full.count(kind), kind.full_set_count());
            assert_eq!(full.checked_add(kind), None);
            assert_eq!(full.minus(kind).plus(kind), full);
        }
    }

    #[test]
    fn superior_compares_every_kind() {
        for (a, b, expected) in [
            ([1, 0, 0, 0, 0, 0, 0], [0; 7], true),
            ([0; 7], [1, 0, 0, 0, 0, 0, 0], false),
            ([18, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0], false),
            ([3, 1, 0, 2, 1, 2, 4], [3, 1, 0, 2, 1, 2, 4], true),
            ([3, 1, 0, 2, 1, 1, 4], [3, 1, 0, 2, 1, 2, 4], false),
            ([18, 4, 4, 4, 2, 2, 4], [17, 4, 4, 4, 2, 2, 3], true),
        ] {
            assert_eq!(hand(a).is_superior_or_equal(hand(b)), expected, "{a:?} {b:?}");
        }
    }
}
