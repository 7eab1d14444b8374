//! Counted results, and what they say about strength.

use super::{elo, normal};
use serde::{Deserialize, Serialize};

/// Standard deviations from the mean that hold 95 % of a normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// Games by their result, as one side sees them.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Counts {
    /// All games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Strength by single games; `None` without games. Right where games do not hang together in pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&[self.losses, self.draws, self.wins])
    }
}

impl std::ops::Add for Counts {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self { wins: self.wins + more.wins, draws: self.draws + more.draws, losses: self.losses + more.losses }
    }
}

/// Pairs of games by the points of both games together: 0, ½, 1, 1½, 2.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts a pair with this many half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        if let Some(count) = self.0.get_mut(half_points) {
            *count += 1;
        }
    }

    /// All pairs.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Strength by pairs; `None` without pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&self.0)
    }
}

/// How strong a side has shown itself.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Points a game, 0 to 1.
    pub score: f64,
    /// The difference in Elo points; infinite when one side got every point.
    pub elo: f64,
    /// The ends of the interval that holds the true difference in 95 of 100 matches.
    pub interval: [f64; 2],
    /// Likelihood of superiority: how sure it is that the difference is above 0.
    pub superiority: f64,
}

impl Estimate {
    /// From counts of outcomes that are worth evenly spaced points from 0 to 1.
    fn of(counts: &[u64]) -> Option<Self> {
        let total = counts.iter().sum::<u64>() as f64;
        if total == 0.0 {
            return None;
        }
        let step = 1.0 / (counts.len() as f64 - 1.0);
        let mean_of = |value: &dyn Fn(f64) -> f64| {
            counts.iter().enumerate().map(|(at, &count)| count as f64 * value(at as f64 * step)).sum::<f64>() / total
        };
        let score = mean_of(&|points| points);
        let variance = mean_of(&|points| (points - score).powi(2));
        let error = (variance / total).sqrt();
        let interval = [-Z95, Z95].map(|z| elo((score + z * error).clamp(0.0, 1.0)));
        // Without spread there is no quotient, and the mean alone speaks.
        let superiority = if error > 0.0 {
            normal((score - 0.5) / error)
        } else {
            0.5 + (score - 0.5).signum() * f64::from(u8::from(score != 0.5)) / 2.0
        };
        Some(Self { score, elo: elo(score), interval, superiority })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-9 * expected.abs().max(1.0), "{actual} is not {expected}");
    }

    /// The counts are samples of fishtest, the test framework of Stockfish; elo, half the width of the interval and
    /// likelihood of superiority are what its pages show for them, checked with an independent computation.
    #[test]
    fn published_values() {
        for (pairs, points, half_width, superiority) in [
            ([10789, 19328, 33806, 19402, 10543], -0.773_577_335_916, 1.277_579_895_728, 0.117_658_858_033),
            ([39, 2226, 31451, 2412, 40], 0.902_981_048_809, 0.662_531_485_982, 0.996_222_097_321),
            ([1187, 7410, 13475, 7378, 1164], -0.442_607_799_224, 1.729_859_027_618, 0.308_013_879_123),
            ([50, 400, 1000, 450, 60], 6.204_866_471_299, 6.235_842_323_937, 0.974_462_699_186),
        ] {
            let estimate = Pairs(pairs).estimate().unwrap();
            close(estimate.elo, points);
            close((estimate.interval[1] - estimate.interval[0]) / 2.0, half_width);
            close(estimate.superiority, superiority);
        }
    }

    /// When the games of a pair do not hang together, pairs and single games say the same.
    #[test]
    fn independent_pairs_are_single_games() {
        // Three wins, two draws, one loss in six games, each met by each.
        let pairs = Pairs([1, 4, 10, 12, 9]).estimate().unwrap();
        let games = Counts { wins: 36, draws: 24, losses: 12 }.estimate().unwrap();
        close(pairs.elo, games.elo);
        close(pairs.superiority, games.superiority);
        close(pairs.interval[0], games.interval[0]);
    }

    #[test]
    fn both_sides_see_the_same_match() {
        let [mine, yours] = [[3, 9, 20, 11, 7], [7, 11, 20, 9, 3]].map(|pairs| Pairs(pairs).estimate().unwrap());
        close(mine.elo, -yours.elo);
        close(mine.interval[0], -yours.interval[1]);
        close(mine.superiority, 1.0 - yours.superiority);
        assert!(mine.interval[0] < mine.elo && mine.elo < mine.interval[1]);
    }

    #[test]
    fn more_games_narrow_the_interval() {
        let width = |pairs| {
            let interval = Pairs(pairs).estimate().unwrap().interval;
            interval[1] - interval[0]
        };
        assert!(width([10, 20, 30, 20, 10]) > 1.9 * width([40, 80, 120, 80, 40]));
    }

    #[test]
    fn edges() {
        assert_eq!(Pairs::default().estimate(), None);
        assert_eq!(Counts::default().estimate(), None);
        let all = Pairs([0, 0, 0, 0, 4]).estimate().unwrap();
        assert_eq!((all.score, all.elo, all.superiority), (1.0, f64::INFINITY, 1.0));
        let none = Counts { losses: 3, ..Counts::default() }.estimate().unwrap();
        assert_eq!((none.elo, none.superiority), (f64::NEG_INFINITY, 0.0));
        let even = Pairs([0, 0, 5, 0, 0]).estimate().unwrap();
        assert_eq!((even.elo, even.interval, even.superiority), (0.0, [0.0, 0.0], 0.5));
        let mut pairs = Pairs::default();
        (0..7).for_each(|half_points| pairs.add(half_points));
        assert_eq!((pairs, pairs.total()), (Pairs([1; 5]), 5));
    }
}
