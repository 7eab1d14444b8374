//! Scores.

use super::Color;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Maximum ply of the search.
pub const MAX_PLY: usize = 200;

/// A score for the side to move, in centipawns unless it is decisive. Fits 16 bits.
///
/// `MATE - n`: mate in `n` plies, `-MATE + n`: mated in `n`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
pub struct Score(i16);

impl Score {
    /// Draw.
    pub const ZERO: Self = Self(0);
    /// Mate in 0.
    pub const MATE: Self = Self(32_000);
    /// Beyond every score: bounds of the full window.
    pub const INFINITE: Self = Self(32_001);
    /// Minimum mate score.
    pub const MATE_IN_MAX_PLY: Self = Self(32_000 - MAX_PLY as i16);
    /// A win by rule: declaration, or the opponent's perpetual check. Relative to the root like a
    /// mate.
    pub const RULE_WIN: Self = Self(30_000);
    /// Repetition with a larger hand: as good as won, because it can be repeated.
    pub const HAND_WIN: Self = Self(20_000);
    /// Minimum decisive score (mate or rule); evaluations stay far below.
    pub const DECISIVE: Self = Self(15_000);
    /// Maximum score that is not a mate.
    pub const MAX_NON_MATE: Self = Self(32_000 - MAX_PLY as i16 - 1);

    /// `ln(odds) = cp / scale`: the scale of the trained networks.
    pub const EXPECTED_SCORE_SCALE: f64 = 600.0;

    /// The score of this many centipawns, clamped below mates.
    #[inline]
    pub const fn cp(value: i32) -> Self {
        Self::within(value, Self::MAX_NON_MATE)
    }

    /// The score of an evaluation, clamped below decisive scores.
    #[inline]
    pub const fn eval(value: i32) -> Self {
        Self::within(value, Self(Self::DECISIVE.0 - 1))
    }

    /// The score with this raw value, clamped to [`Score::INFINITE`].
    #[inline]
    pub const fn raw(value: i32) -> Self {
        Self::within(value, Self::INFINITE)
    }

    #[inline]
    const fn within(value: i32, limit: Self) -> Self {
        if value > limit.get() {
            limit
        } else if value < -limit.get() {
            Self(-limit.0)
        } else {
            Self(value as i16)
        }
    }

    /// The side to move mates in `plies`.
    #[inline]
    pub const fn mate_in(plies: usize) -> Self {
        Self(Self::MATE.0 - plies as i16)
    }

    /// The side to move is mated in `plies`.
    #[inline]
    pub const fn mated_in(plies: usize) -> Self {
        Self(plies as i16 - Self::MATE.0)
    }

    /// The raw value.
    #[inline]
    pub const fn get(self) -> i32 {
        self.0 as i32
    }

    /// The score for Black, of a score for this side to move; and the other way round.
    #[inline]
    pub fn for_black(self, side_to_move: Color) -> Self {
        match side_to_move {
            Color::Black => self,
            Color::White => -self,
        }
    }

    /// Whether it is a mate score of either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.is_mate_win() || self.is_mate_loss()
    }

    /// Whether the side to move mates.
    #[inline]
    pub const fn is_mate_win(self) -> bool {
        self.0 >= Self::MATE_IN_MAX_PLY.0
    }

    /// Whether the side to move gets mated.
    #[inline]
    pub const fn is_mate_loss(self) -> bool {
        self.0 <= -Self::MATE_IN_MAX_PLY.0
    }

    /// Whether the game is decided, by mate or by another rule.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0.unsigned_abs() >= Self::DECISIVE.0.unsigned_abs()
    }

    /// Whether the side to move wins by force.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::DECISIVE.0
    }

    /// Whether the side to move loses by force.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::DECISIVE.0
    }

    /// Plies to mate, positive if the side to move mates; `None` if not a mate score.
    pub const fn mate_plies(self) -> Option<i32> {
        if self.is_mate_win() {
            Some((Self::MATE.0 - self.0) as i32)
        } else if self.is_mate_loss() {
            Some(-(Self::MATE.0 + self.0) as i32)
        } else {
            None
        }
    }

    /// The expected score of the side to move, from 0 to 1: `1 / (1 + exp(-cp / 600))`.
    pub fn expected_score(self) -> f64 {
        1.0 / (1.0 + (-f64::from(self.0) / Self::EXPECTED_SCORE_SCALE).exp())
    }

    /// Converts a decisive score from root-relative to relative to the node at `ply`, as stored in
    /// tables.
    #[inline]
    pub const fn to_table(self, ply: usize) -> Self {
        if self.is_win() {
            Self::raw(self.get() + ply as i32)
        } else if self.is_loss() {
            Self::raw(self.get() - ply as i32)
        } else {
            self
        }
    }

    /// Inverse of [`Score::to_table`].
    #[inline]
    pub const fn from_table(self, ply: usize) -> Self {
        if self.is_win() {
            Self::raw(self.get() - ply as i32)
        } else if self.is_loss() {
            Self::raw(self.get() + ply as i32)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, rhs: i32) -> Self {
        Self::raw(self.get() + rhs)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, rhs: i32) -> Self {
        Self::raw(self.get() - rhs)
    }
}

/// As raw value.
impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i32::deserialize(deserializer).map(Self::raw)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_plies() {
            Some(plies) => write!(f, "mate {plies}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

/// The words after `score` in USI. Readers take `mate` for certain: an unproved one is formatted
/// as a very large score. Clients take a mate in 0 for a win of either side, so the shortest mate is 1.
pub fn usi_score(score: Score, proved: bool) -> String {
    match score.mate_plies().filter(|_| proved) {
        Some(plies) if score.is_mate_win() => format!("mate {}", plies.max(1)),
        Some(plies) => format!("mate {}", plies.min(-1)),
        None => format!("cp {}", score.get()),
    }
}

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
        let is_upper = self as u8 & 1 != 0;
        if score >= target { self.is_lower() } else { is_upper }
    }

    /// Whether the score is a lower bound or exact.
    #[inline]
    pub const fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_scores_survive_table() {
        for ply in 0..MAX_PLY / 2 {
            for distance in 0..MAX_PLY / 2 {
                for score in [Score::mate_in(ply + distance), Score::mated_in(ply + distance)] {
                    assert_eq!(score.to_table(ply).from_table(ply), score);
                }
                assert_eq!(Score::mate_in(ply + distance).to_table(ply), Score::mate_in(distance));
            }
        }
        assert_eq!(Score::cp(123).to_table(9), Score::cp(123));
        for rule in [Score::RULE_WIN, Score::HAND_WIN] {
            assert_eq!((rule - 12).to_table(9), rule - 3);
            assert_eq!((rule - 3).from_table(9), rule - 12);
            assert_eq!((-rule + 12).to_table(9), -rule + 3);
        }
    }

    #[test]
    fn expected_scores_are_complementary() {
        for cp in [0, 1, 120, 600, 3000] {
            let sum = Score::cp(cp).expected_score() + Score::cp(-cp).expected_score();
            assert!((sum - 1.0).abs() < 1e-12, "{cp}");
        }
        assert_eq!(Score::ZERO.expected_score(), 0.5);
        assert!((Score::cp(600).expected_score() - 0.731).abs() < 1e-3);
        assert!(Score::mate_in(9).expected_score() == 1.0 && Score::mated_in(9).expected_score() < 1e-12);
    }

    #[test]
    fn evaluations_are_below_mate_scores() {
        assert!(!Score::cp(i32::MAX / 2).is_mate() && !Score::cp(i32::MIN / 2).is_mate());
        assert!(!Score::eval(i32::MAX).is_decisive() && !Score::eval(i32::MIN).is_decisive());
        assert_eq!(Score::mated_in(3).mate_plies(), Some(-3));
        assert_eq!(Score::mate_in(1).mate_plies(), Some(1));
    }

    #[test]
    fn mate_distance_is_never_zero() {
        for (value, text) in [
            (Score::mate_in(3), "mate 3"),
            (Score::mate_in(0), "mate 1"),
            (Score::mated_in(0), "mate -1"),
            (Score::mated_in(2), "mate -2"),
        ] {
            assert_eq!(usi_score(value, true), text);
            assert_eq!(usi_score(value, false), format!("cp {}", value.get()));
        }
    }

    /// As documented in docs/commands.md: ordered by length, and no `score mate`.
    #[test]
    fn unproved_mate_is_cp() {
        assert_eq!(usi_score(Score::mate_in(15), false), "cp 31985");
        assert_eq!(usi_score(Score::mated_in(8), false), "cp -31992");
    }
}
