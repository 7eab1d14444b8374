//! Pairs of opening and endgame values.

use std::ops::{Add, AddAssign, Sub};

/// A weight: centipawns in the opening and in the endgame.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[repr(align(4))]
pub struct Weight {
    /// In the opening.
    pub middle: i16,
    /// In the endgame.
    pub end: i16,
}

const _: () = assert!(size_of::<Weight>() == 4);

impl Weight {
    /// The weight with these two values.
    pub const fn new(middle: i16, end: i16) -> Self {
        Self { middle, end }
    }
}

/// A sum of weights.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// In the opening.
    pub middle: i32,
    /// In the endgame.
    pub end: i32,
}

impl Pair {
    /// Nothing.
    pub const ZERO: Self = Self { middle: 0, end: 0 };

    /// `count * weight`.
    #[inline(always)]
    pub const fn times(weight: Weight, count: i32) -> Self {
        Self { middle: weight.middle as i32 * count, end: weight.end as i32 * count }
    }
}

impl Add for Pair {
    type Output = Self;

    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        Self { middle: self.middle + rhs.middle, end: self.end + rhs.end }
    }
}

impl AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

impl Sub for Pair {
    type Output = Self;

    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        Self { middle: self.middle - rhs.middle, end: self.end - rhs.end }
    }
}
