//! Bounds of scores.

use super::Score;

/// Relation of a score to the true value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// Fail low: the value is at most the score.
    Upper = 1,
    /// Fail high: the value is at least the score.
    Lower = 2,
    /// The score is the value.
    Exact = 3,
}

impl Bound {
    /// The bound with this number.
    #[inline]
    pub const fn from_bits(bits: u8) -> Option<Self> {
        match bits {
            1 => Some(Self::Upper),
            2 => Some(Self::Lower),
            3 => Some(Self::Exact),
            _ => None,
        }
    }

    /// Whether a score with this bound decides how the value compares with `target`.
    #[inline]
    pub fn allows_cutoff(self, score: Score, target: Score) -> bool {
        if score >= target { self.is_lower() } else { self.is_upper() }
    }

    /// Whether the score is an upper bound or exact.
    #[inline]
    const fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }

    /// Whether the score is a lower bound or exact.
    #[inline]
    pub const fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }
}
