//! Pairs of opening and endgame values.

use std::ops::{Add, AddAssign, Sub};

/// A weight: centipawns in the opening and in the endgame.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[repr(align(4))]
pub struct Weight {
    /// In the opening.
    pub mg: i16,
    /// In the endgame.
    pub eg: i16,
}

const _: () = assert!(size_of::<Weight>() == 4);

impl Weight {
    /// The weight with these two values.
    pub const fn new(mg: i16, eg: i16) -> Self {
        Self { mg, eg }
    }
}

/// A sum of weights.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// In the opening.
    pub mg: i32,
    /// In the endgame.
    pub eg: i32,
}

impl Pair {
    /// Nothing.
    pub const ZERO: Self = Self { mg: 0, eg: 0 };

    /// `count * weight`.
    #[inline(always)]
    pub const fn times(weight: Weight, count: i32) -> Self {
        Self { mg: weight.mg as i32 * count, eg: weight.eg as i32 * count }
    }
}

impl Add for Pair {
    type Output = Self;

    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        Self { mg: self.mg + rhs.mg, eg: self.eg + rhs.eg }
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
        Self { mg: self.mg - rhs.mg, eg: self.eg - rhs.eg }
    }
}
