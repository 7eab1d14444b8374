//! Result counts and strength estimates.

use super::{elo, normal};
use serde::{Deserialize, Serialize};
use std::fmt;

/// 95 % quantile: standard deviations from the mean.
const Z95: f64 = 1.959_963_984_540_054;

/// Number of outcomes from which no prior is added.
const PRIOR_LIMIT: f64 = 1000.0;

/// Wins, draws and losses of one side.
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

    /// Adds a game with this number of half points, 0 to 2.
    pub fn add_game(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Estimate from single games; `None` without games. Valid for uncorrelated games.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&[self.losses, self.draws, self.wins])
    }
}

/// Wins-draws-losses.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.wins, self.draws, self.losses)
    }
}

impl std::ops::Add for Counts {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self { wins: self.wins + more.wins, draws: self.draws + more.draws, losses: self.losses + more.losses }
    }
}

/// Pentanomial counts: pairs of games with 0, ½, 1, 1½, 2 points.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Adds a pair with this number of half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        if let Some(count) = self.0.get_mut(half_points) {
            *count += 1;
        }
    }

    /// All pairs.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Estimate from pairs; `None` without pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&self.0)
    }
}

/// Strength estimate.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Score, 0 to 1.
    pub score: f64,
    /// Elo difference; infinite for scores 0 and 1.
    pub elo: f64,
    /// 95 % confidence interval in Elo.
    pub interval: [f64; 2],
    /// Likelihood of superiority: probability of a difference above 0.
    pub superiority: f64,
}

impl Estimate {
    /// From counts of outcomes with evenly spaced scores from 0 to 1; an Agresti-Coull interval
    /// generalised to more than two outcomes.
    ///
    /// The variance of few outcomes is unreliable, and 0 for equal ones. So `k = z² · max(0, 1 − n
    /// / 1000)` outcomes are added to the `n` observed, half at 0 and half at 1, with `z = 1.96`.
    /// With mean `m` and variance `v` of all `n + k`, the interval is `m ± z · sqrt(v / (n + k))`,
    /// and the superiority is `Φ((m − ½) / sqrt(v / (n + k)))`.
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
        let prior = Z95 * Z95 * (1.0 - total / PRIOR_LIMIT).max(0.0);
        let all = total + prior;
        let (weight, prior_weight) = (total / all, prior / all);
        let center = weight * score + prior_weight * 0.5;
        // The prior lies at both ends, ½ from the centre.
        let spread = weight * (variance + (score - center).powi(2)) + prior_weight * (0.25 + (0.5 - center).powi(2));
        let error = (spread / all).sqrt();
        let interval = [-Z95, Z95].map(|z| elo((center + z * error).clamp(0.0, 1.0)));
        // Without an error only the sign counts.
        let superiority = normal((center - 0.5) / error.max(f64::MIN_POSITIVE));
        Some(Self { score, elo: elo(score), interval, superiority })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::distr::Distribution;
    use rand::distr::weighted::WeightedIndex;
    use rand::rngs::SmallRng;

    fn close(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-9 * expected.abs().max(1.0), "{actual} is not {expected}");
    }

    /// Counts, Elo, half width of the interval and likelihood of superiority are from pages of
    /// fishtest, the test framework of Stockfish, checked with an independent computation.
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

    /// For uncorrelated games, pairs and single games give the same estimate.
    #[test]
    fn uncorrelated_pairs_equal_single_games() {
        // Three wins, two draws, one loss in six games, all combinations, and enough of them for no
        // prior.
        let pairs = Pairs([100, 400, 1000, 1200, 900]).estimate().unwrap();
        let games = Counts { wins: 3600, draws: 2400, losses: 1200 }.estimate().unwrap();
        close(pairs.elo, games.elo);
        close(pairs.superiority, games.superiority);
        close(pairs.interval[0], games.interval[0]);
    }

    #[test]
    fn estimate_is_symmetric() {
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

    /// The interval after few pairs is wide, and covers the true value at the stated rate.
    #[test]
    fn interval_coverage_with_few_pairs() {
        for pairs in [[0, 0, 0, 0, 1], [0, 0, 1, 0, 0], [0, 0, 0, 0, 3]] {
            let [low, high] = Pairs(pairs).estimate().unwrap().interval;
            assert!(high - low > 250.0, "{pairs:?}: {low} to {high}");
        }
        let mut rng = SmallRng::seed_from_u64(1);
        // Probabilities of the five outcomes: many draws, even, and 190 Elo stronger.
        for chances in [[0.02, 0.2, 0.56, 0.2, 0.02], [0.1, 0.2, 0.4, 0.2, 0.1], [0.01, 0.09, 0.3, 0.3, 0.3]] {
            let truth = elo(chances.iter().enumerate().map(|(at, chance)| chance * at as f64 / 4.0).sum());
            let outcome = WeightedIndex::new(chances).unwrap();
            for count in [2, 5, 20, 100] {
                let holds = |_: &u32| {
                    let mut pairs = Pairs::default();
                    (0..count).for_each(|_| pairs.add(outcome.sample(&mut rng)));
                    let [low, high] = pairs.estimate().unwrap().interval;
                    (low..=high).contains(&truth)
                };
                let held = (0..4000).filter(holds).count();
                assert!(held > 3720, "{held} of 4000 with {count} pairs of {chances:?}");
            }
        }
    }

    #[test]
    fn edges() {
        assert_eq!(Pairs::default().estimate(), None);
        assert_eq!(Counts::default().estimate(), None);
        let all = Pairs([0, 0, 0, 0, 4]).estimate().unwrap();
        assert_eq!((all.score, all.elo), (1.0, f64::INFINITY));
        assert!((0.95..1.0).contains(&all.superiority) && all.interval[0] < 60.0, "{all:?}");
        let none = Counts { losses: 3, ..Counts::default() }.estimate().unwrap();
        assert!(none.elo == f64::NEG_INFINITY && none.interval[1] > 0.0 && none.superiority > 0.0, "{none:?}");
        let even = Pairs([0, 0, 5, 0, 0]).estimate().unwrap();
        assert_eq!((even.elo, even.superiority), (0.0, 0.5));
        assert!(even.interval[0] < -50.0 && even.interval[1] > 50.0, "{even:?}");
        // With this many equal outcomes the variance is 0.
        for (count, superiority) in [([0, 0, 1000], 1.0), ([0, 1000, 0], 0.5), ([1000, 0, 0], 0.0)] {
            assert_eq!(Estimate::of(&count).unwrap().superiority, superiority);
        }
        let mut pairs = Pairs::default();
        (0..7).for_each(|half_points| pairs.add(half_points));
        assert_eq!((pairs, pairs.total()), (Pairs([1; 5]), 5));
    }
}
