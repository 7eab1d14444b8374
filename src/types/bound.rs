//! What a stored score promises.

use super::Score;

/// How a score relates to the true value of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most the score (no move reached alpha).
    Upper = 1,
    /// The true value is at least the score (a move reached beta).
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

    /// Whether a score with this bound decides how the true value compares with `target`.
    #[inline]
    pub fn allows_cutoff(self, score: Score, target: Score) -> bool {
        if score >= target { self.is_lower() } else { self.is_upper() }
    }

    /// Whether the true value is known to be at most the score.
    #[inline]
    pub const fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }

    /// Whether the true value is known to be at least the score.
    #[inline]
    pub const fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }
}
