//! Elo with confidence interval, likelihood of superiority, SPRT.
//!
//! Games are played in pairs, one opening with both colours. The two results of a pair are
//! correlated, so pairs are counted, with five outcomes (pentanomial), and the variance is that of
//! pairs.

mod distribution;
mod normal;
mod sprt;

pub use distribution::{Counts, Estimate, Pairs};
pub use normal::normal;
pub use sprt::{EloModel, Hypothesis, Sprt, SprtError};

/// Expected score, 0 to 1, for this Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Elo difference for a score: infinite for 0 and 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the table in Elo's "The Rating of Chessplayers".
    #[test]
    fn elo_inverts_expected_score() {
        for (points, score) in [(0.0, 0.5), (100.0, 0.640_065), (200.0, 0.759_747), (400.0, 10.0 / 11.0)] {
            assert!((expected_score(points) - score).abs() < 1e-6, "{points}");
            assert!((elo(expected_score(points)) - points).abs() < 1e-9);
            assert!((expected_score(-points) + expected_score(points) - 1.0).abs() < 1e-12);
        }
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
