//! What results mean: Elo with its interval, likelihood of superiority, and the sequential test. Numbers in, numbers out.
//!
//! Games are played in pairs, one opening with both colours. The results of the two games of a pair hang together: an opening
//! good for one colour gives each engine one of them. So the pair is what is counted, with five outcomes from two losses to two
//! wins, and the spread of the mean is taken from the spread of the pairs.

mod distribution;
mod normal;
mod sprt;

pub use distribution::{Counts, Estimate, Pairs};
pub use normal::normal;
pub use sprt::{EloModel, Hypothesis, Sprt, SprtError};

/// The expected score, 0 to 1, of the side that is stronger by this many Elo points.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo points that a score stands for: infinite for 0 and 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the table in Elo's "The Rating of Chessplayers" and from every chess site since.
    #[test]
    fn scores_and_points_are_each_others_inverse() {
        for (points, score) in [(0.0, 0.5), (100.0, 0.640_065), (200.0, 0.759_747), (400.0, 10.0 / 11.0)] {
            assert!((expected_score(points) - score).abs() < 1e-6, "{points}");
            assert!((elo(expected_score(points)) - points).abs() < 1e-9);
            assert!((expected_score(-points) + expected_score(points) - 1.0).abs() < 1e-12);
        }
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
