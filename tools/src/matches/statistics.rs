//! The results of a match: Elo with confidence interval, likelihood of superiority, SPRT.
//!
//! Games are played in pairs, one opening with both colours. The two results of a pair are
//! correlated, so pairs are counted, with five outcomes (pentanomial), and the variance is that of
//! pairs.
//!
//! The SPRT is the generalised sequential probability ratio test on pairs of games. Each hypothesis
//! is represented by its maximum-likelihood distribution of the five outcomes given the observed
//! frequencies (M. Van den Bergh, "The generalized sequential probability ratio test" and
//! "Normalized elo", notes for fishtest, cantate.be). Under a linear constraint `Σ pᵢ cᵢ = 0` it is
//! `pᵢ = fᵢ / (1 + x cᵢ)`, where `f` are the observed frequencies and `x` solves the constraint.

use super::match_file::Pairing;
use anyhow::{anyhow, ensure};
use sabi_records::{EndReason, Game};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::fmt;
use std::str::FromStr;

/// 95 % quantile: standard deviations from the mean.
const Z95: f64 = 1.959_963_984_540_054;
/// Number of outcomes from which no prior is added to an estimate.
const PRIOR_LIMIT: f64 = 1000.0;
/// Outside ±FAR the normal distribution is 0 or 1 in f64 precision.
const FAR: f64 = 8.0;
/// Prior count of unobserved outcomes in a test, so that none is impossible.
const TEST_PRIOR: f64 = 1e-3;
/// Normalized Elo for one standard deviation of a game; equals logistic Elo for small differences.
const NELO_SCALE: f64 = 800.0 / std::f64::consts::LN_10;
/// Outcomes of a pair.
const OUTCOMES: usize = 5;

/// Expected score, 0 to 1, for this Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Elo difference for a score: infinite for 0 and 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Standard normal cumulative distribution function.
///
/// By the Taylor series of the integral divided by the density, as in G. Marsaglia, "Evaluating the
/// Normal Distribution", Journal of Statistical Software 11 (2004).
fn normal(x: f64) -> f64 {
    if x.is_nan() {
        return 0.5;
    }
    if x.abs() > FAR {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    while term.abs() > f64::EPSILON * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    (0.5 + sum * (-x * x / 2.0).exp() / (2.0 * PI).sqrt()).clamp(0.0, 1.0)
}

/// Wins, draws and losses of one side.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WinDrawLoss {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl WinDrawLoss {
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
    pub fn estimate(&self) -> Option<EloEstimate> {
        EloEstimate::of(&[self.losses, self.draws, self.wins])
    }
}

/// Wins-draws-losses.
impl fmt::Display for WinDrawLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.wins, self.draws, self.losses)
    }
}

impl std::ops::Add for WinDrawLoss {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self { wins: self.wins + more.wins, draws: self.draws + more.draws, losses: self.losses + more.losses }
    }
}

/// Pentanomial counts: pairs of games with 0, ½, 1, 1½, 2 points.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; OUTCOMES]);

impl Pentanomial {
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
    pub fn estimate(&self) -> Option<EloEstimate> {
        EloEstimate::of(&self.0)
    }
}

/// Strength estimate.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct EloEstimate {
    /// Score, 0 to 1.
    pub score: f64,
    /// Elo difference; infinite for scores 0 and 1.
    pub elo: f64,
    /// 95 % confidence interval in Elo.
    pub interval: [f64; 2],
    /// Likelihood of superiority: probability of a difference above 0.
    pub superiority: f64,
}

impl EloEstimate {
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

type Outcomes = [f64; OUTCOMES];

/// Meaning of an Elo difference.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// Logistic Elo: expected score.
    #[default]
    Logistic,
    /// Normalized Elo: mean in units of the standard deviation of a game; test length is
    /// independent of the draw rate.
    Normalized,
}

/// A test between two Elo differences.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Sprt {
    /// Elo difference of H0.
    pub elo0: f64,
    /// Elo difference of H1, above `elo0`.
    pub elo1: f64,
    /// Probability of accepting H1 when H0 is true.
    pub alpha: f64,
    /// Probability of accepting H0 when H1 is true.
    pub beta: f64,
    /// Elo model.
    pub model: EloModel,
}

/// Accepted hypothesis.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Hypothesis {
    /// The difference is at most `elo0`.
    H0,
    /// The difference is at least `elo1`.
    H1,
}

impl FromStr for Sprt {
    type Err = anyhow::Error;

    /// Parses `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic`; missing values default to these.
    fn from_str(text: &str) -> anyhow::Result<Self> {
        let mut sprt = Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic };
        for setting in text.split(',') {
            let error = || {
                anyhow!(
                    "'{setting}' is not elo0=, elo1=, alpha= or beta= with a number, model=logistic or model=normalized"
                )
            };
            let (name, value) = setting.split_once('=').ok_or_else(error)?;
            let number = value.parse().map_err(|_| error());
            match (name, value) {
                ("elo0", _) => sprt.elo0 = number?,
                ("elo1", _) => sprt.elo1 = number?,
                ("alpha", _) => sprt.alpha = number?,
                ("beta", _) => sprt.beta = number?,
                ("model", "logistic") => sprt.model = EloModel::Logistic,
                ("model", "normalized") => sprt.model = EloModel::Normalized,
                _ => return Err(error()),
            }
        }
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        let in_range = sprt.elo0 < sprt.elo1 && sprt.elo0 >= -1000.0 && sprt.elo1 <= 1000.0;
        ensure!(
            in_range && is_rate(sprt.alpha) && is_rate(sprt.beta),
            "elo0 must be below elo1, both within 1000, and alpha and beta between 0 and 0.5"
        );
        Ok(sprt)
    }
}

impl Sprt {
    /// LLR bounds: accept H0 at or below the first, H1 at or above the second.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// Log-likelihood ratio of H1 against H0.
    pub fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.total() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| if count == 0 { TEST_PRIOR } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let [p0, p1] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => with_score(&observed, expected_score(elo)),
            // Standard deviation of a pair mean on the scale of one game: factor sqrt(2).
            EloModel::Normalized => with_quotient(&observed, elo / NELO_SCALE * 2f64.sqrt()),
        });
        let ratio = |at: usize| counts[at] * (p1[at] / p0[at]).ln();
        (0..OUTCOMES).map(ratio).sum()
    }

    /// Accepted hypothesis; `None` while undecided.
    pub fn decision(&self, pairs: &Pentanomial) -> Option<Hypothesis> {
        let ([lower, upper], ratio) = (self.bounds(), self.log_likelihood_ratio(pairs));
        if ratio >= upper { Some(Hypothesis::H1) } else { (ratio <= lower).then_some(Hypothesis::H0) }
    }
}

/// Points of an outcome, 0 to 1.
fn points(at: usize) -> f64 {
    at as f64 / (OUTCOMES - 1) as f64
}

/// Maximum-likelihood distribution with this mean.
fn with_score(observed: &Outcomes, score: f64) -> Outcomes {
    constrained(observed, &std::array::from_fn(|at| points(at) - score))
}

/// Maximum-likelihood distribution with a mean `quotient` standard deviations above 1/2. The
/// constraint is not linear: it is linearised at the last solution until convergence.
fn with_quotient(observed: &Outcomes, quotient: f64) -> Outcomes {
    let mut found = [1.0 / OUTCOMES as f64; OUTCOMES];
    for _ in 0..50 {
        let mean_of = |value: &dyn Fn(f64) -> f64| (0..OUTCOMES).map(|at| found[at] * value(points(at))).sum::<f64>();
        let mean = mean_of(&|points| points);
        let deviation = mean_of(&|points| (points - mean).powi(2)).sqrt();
        let tangent = std::array::from_fn(|at| {
            let off = (points(at) - mean) / deviation;
            points(at) - 0.5 - quotient * deviation * (1.0 + off * off) / 2.0
        });
        let next = constrained(observed, &tangent);
        let moved = (0..OUTCOMES).map(|at| (next[at] - found[at]).abs()).fold(0.0, f64::max);
        found = next;
        if moved < 1e-12 {
            break;
        }
    }
    found
}

/// Maximum-likelihood distribution with `Σ pᵢ cᵢ = 0`.
fn constrained(observed: &Outcomes, condition: &Outcomes) -> Outcomes {
    let least = condition.iter().copied().fold(f64::INFINITY, f64::min);
    let most = condition.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        // No distribution satisfies it.
        return *observed;
    }
    // The sum is monotonic from +∞ to -∞ between the poles: bisection.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let x = low + (high - low) / 2.0;
        let mean: f64 = (0..OUTCOMES).map(|at| observed[at] * condition[at] / (1.0 + x * condition[at])).sum();
        if mean > 0.0 { low = x } else { high = x }
    }
    let x = low + (high - low) / 2.0;
    std::array::from_fn(|at| observed[at] / (1.0 + x * condition[at]))
}

/// Number of games by end reason.
pub type Reasons = BTreeMap<&'static str, u64>;

/// Results of a match, a function of the games.
#[derive(Clone, Debug, Default)]
pub struct OpponentResults {
    /// Results of A.
    pub counts: WinDrawLoss,
    /// Complete pairs.
    pub pairs: Pentanomial,
    /// Half points of games whose partner is unfinished, by game number.
    halves: BTreeMap<usize, u8>,
    /// Draws by reason.
    pub draws: Reasons,
    /// Losses of A and of its opponent by reason.
    pub losses: [Reasons; 2],
}

impl OpponentResults {
    /// Adds a game. Games without a result are ignored.
    pub fn add(&mut self, pairing: &Pairing, game: &Game) {
        let Some(half_points) = game.result.half_points(pairing.color) else { return };
        self.counts.add_game(half_points);
        let reasons = match half_points {
            0 => &mut self.losses[0],
            1 => &mut self.draws,
            _ => &mut self.losses[1],
        };
        *reasons.entry(name(game, half_points != 1)).or_default() += 1;
        match self.halves.remove(&pairing.partner()) {
            Some(other) => self.pairs.add(usize::from(half_points + other)),
            None => drop(self.halves.insert(pairing.number, half_points)),
        }
    }

    /// Estimate from pairs, or from games while no pair is complete.
    pub fn estimate(&self) -> Option<EloEstimate> {
        self.pairs.estimate().or_else(|| self.counts.estimate())
    }

    /// Losses on time of A and of its opponent.
    pub fn time_losses(&self) -> [u64; 2] {
        [0, 1].map(|side: usize| self.losses[side].get(name_of(EndReason::Timeout)).copied().unwrap_or(0))
    }
}

fn name(game: &Game, decided: bool) -> &'static str {
    if decided && game.end == EndReason::Repetition { "perpetual check" } else { name_of(game.end) }
}

const fn name_of(end: EndReason) -> &'static str {
    match end {
        EndReason::Resign => "resignation",
        EndReason::Checkmate => "checkmate",
        EndReason::Timeout => "time",
        EndReason::Illegal => "illegal move",
        EndReason::Repetition => "repetition",
        EndReason::Declaration => "declaration",
        EndReason::Impasse => "impasse",
        EndReason::MaxMoves => "maximum moves",
        EndReason::Adjudication => "adjudication",
        EndReason::Aborted => "engine failure",
        EndReason::Unknown => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::distr::Distribution;
    use rand::distr::weighted::WeightedIndex;
    use rand::rngs::SmallRng;
    use sabi_records::GameResult;
    use sabi_shogi::{Color, Position};

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

    /// From any table of the normal distribution.
    #[test]
    fn known_values() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (1.959_963_984_540_054, 0.975),
            (2.575_829_303_548_901, 0.995),
            (-3.0, 0.001_349_898_031_630_1),
            (6.0, 1.0 - 9.865_876_450_377e-10),
        ] {
            assert!((normal(x) - p).abs() < 1e-13, "{x}");
            assert!((normal(-x) - (1.0 - p)).abs() < 1e-13, "{x}");
        }
        assert_eq!((normal(f64::INFINITY), normal(f64::NEG_INFINITY), normal(f64::NAN)), (1.0, 0.0, 0.5));
    }

    fn close(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-9 * expected.abs().max(1.0), "{actual} is not {expected}");
    }

    /// Counts, Elo, half width of the interval and likelihood of superiority are from pages of
    /// fishtest, the test framework of Stockfish, checked with an independent computation.
    #[test]
    fn published_estimates() {
        for (pairs, points, half_width, superiority) in [
            ([10789, 19328, 33806, 19402, 10543], -0.773_577_335_916, 1.277_579_895_728, 0.117_658_858_033),
            ([39, 2226, 31451, 2412, 40], 0.902_981_048_809, 0.662_531_485_982, 0.996_222_097_321),
            ([1187, 7410, 13475, 7378, 1164], -0.442_607_799_224, 1.729_859_027_618, 0.308_013_879_123),
            ([50, 400, 1000, 450, 60], 6.204_866_471_299, 6.235_842_323_937, 0.974_462_699_186),
        ] {
            let estimate = Pentanomial(pairs).estimate().unwrap();
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
        let pairs = Pentanomial([100, 400, 1000, 1200, 900]).estimate().unwrap();
        let games = WinDrawLoss { wins: 3600, draws: 2400, losses: 1200 }.estimate().unwrap();
        close(pairs.elo, games.elo);
        close(pairs.superiority, games.superiority);
        close(pairs.interval[0], games.interval[0]);
    }

    #[test]
    fn estimate_is_symmetric() {
        let [mine, yours] = [[3, 9, 20, 11, 7], [7, 11, 20, 9, 3]].map(|pairs| Pentanomial(pairs).estimate().unwrap());
        close(mine.elo, -yours.elo);
        close(mine.interval[0], -yours.interval[1]);
        close(mine.superiority, 1.0 - yours.superiority);
        assert!(mine.interval[0] < mine.elo && mine.elo < mine.interval[1]);
    }

    #[test]
    fn more_games_narrow_the_interval() {
        let width = |pairs| {
            let interval = Pentanomial(pairs).estimate().unwrap().interval;
            interval[1] - interval[0]
        };
        assert!(width([10, 20, 30, 20, 10]) > 1.9 * width([40, 80, 120, 80, 40]));
    }

    /// The interval after few pairs is wide, and covers the true value at the stated rate.
    #[test]
    fn interval_coverage_with_few_pairs() {
        for pairs in [[0, 0, 0, 0, 1], [0, 0, 1, 0, 0], [0, 0, 0, 0, 3]] {
            let [low, high] = Pentanomial(pairs).estimate().unwrap().interval;
            assert!(high - low > 250.0, "{pairs:?}: {low} to {high}");
        }
        let mut rng = SmallRng::seed_from_u64(1);
        // Probabilities of the five outcomes: many draws, even, and 190 Elo stronger.
        for chances in [[0.02, 0.2, 0.56, 0.2, 0.02], [0.1, 0.2, 0.4, 0.2, 0.1], [0.01, 0.09, 0.3, 0.3, 0.3]] {
            let truth = elo(chances.iter().enumerate().map(|(at, chance)| chance * at as f64 / 4.0).sum());
            let outcome = WeightedIndex::new(chances).unwrap();
            for count in [2, 5, 20, 100] {
                let holds = |_: &u32| {
                    let mut pairs = Pentanomial::default();
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
        assert_eq!(Pentanomial::default().estimate(), None);
        assert_eq!(WinDrawLoss::default().estimate(), None);
        let all = Pentanomial([0, 0, 0, 0, 4]).estimate().unwrap();
        assert_eq!((all.score, all.elo), (1.0, f64::INFINITY));
        assert!((0.95..1.0).contains(&all.superiority) && all.interval[0] < 60.0, "{all:?}");
        let none = WinDrawLoss { losses: 3, ..WinDrawLoss::default() }.estimate().unwrap();
        assert!(none.elo == f64::NEG_INFINITY && none.interval[1] > 0.0 && none.superiority > 0.0, "{none:?}");
        let even = Pentanomial([0, 0, 5, 0, 0]).estimate().unwrap();
        assert_eq!((even.elo, even.superiority), (0.0, 0.5));
        assert!(even.interval[0] < -50.0 && even.interval[1] > 50.0, "{even:?}");
        // With this many equal outcomes the variance is 0.
        for (count, superiority) in [([0, 0, 1000], 1.0), ([0, 1000, 0], 0.5), ([1000, 0, 0], 0.0)] {
            assert_eq!(EloEstimate::of(&count).unwrap().superiority, superiority);
        }
        let mut pairs = Pentanomial::default();
        (0..7).for_each(|half_points| pairs.add(half_points));
        assert_eq!((pairs, pairs.total()), (Pentanomial([1; 5]), 5));
    }

    fn sprt(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    /// Counts and ratios of the self-test of fishtest's calculator, and values computed with it.
    #[test]
    fn published_likelihood_ratios() {
        for (pairs, text, ratio) in [
            ([10789, 19328, 33806, 19402, 10543], "elo0=-3,elo1=1", 2.131_067_811_8),
            ([39, 2226, 31451, 2412, 40], "elo0=0.2,elo1=0.9", 2.162_542_580_05),
            ([0, 10, 20, 50, 20], "elo0=0,elo1=5", 1.428_686_106_5),
            ([10789, 19328, 33806, 19402, 10543], "elo0=-3,elo1=1,model=normalized", 0.300_869_785_5),
            ([39, 2226, 31451, 2412, 40], "elo0=0.764,elo1=3.439,model=normalized", 2.162_940_869_58),
            ([1187, 7410, 13475, 7378, 1164], "elo0=0,elo1=5,model=normalized", -8.125_813_619_16),
            ([0, 3, 10, 5, 2], "elo0=-3,elo1=1,model=normalized", 0.121_576_713_05),
        ] {
            let found = sprt(text).log_likelihood_ratio(&Pentanomial(pairs));
            assert!((found - ratio).abs() < 1e-8, "{text}: {found} is not {ratio}");
        }
    }

    /// The well-known ±2.94.
    #[test]
    fn bounds() {
        let [lower, upper] = sprt("elo0=0,elo1=5").bounds();
        assert!((lower + 2.944_438_979_166).abs() < 1e-9 && (upper - 2.944_438_979_166).abs() < 1e-9);
        let [lower, upper] = sprt("elo0=0,elo1=5,alpha=0.01,beta=0.1").bounds();
        assert!((lower - (0.1f64 / 0.99).ln()).abs() < 1e-12 && (upper - 90f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn distributions_satisfy_constraint() {
        let observed = [0.1, 0.2, 0.4, 0.2, 0.1];
        for score in [0.3, 0.5, 0.6] {
            let found = with_score(&observed, score);
            let mean: f64 = (0..OUTCOMES).map(|at| found[at] * points(at)).sum();
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9 && (mean - score).abs() < 1e-9);
        }
        for quotient in [-0.3, 0.0, 0.2] {
            let found = with_quotient(&observed, quotient);
            let mean: f64 = (0..OUTCOMES).map(|at| found[at] * points(at)).sum();
            let variance: f64 = (0..OUTCOMES).map(|at| found[at] * (points(at) - mean).powi(2)).sum();
            assert!(((mean - 0.5) / variance.sqrt() - quotient).abs() < 1e-9);
        }
    }

    #[test]
    fn llr_follows_results() {
        for model in ["logistic", "normalized"] {
            let sprt = sprt(&format!("elo0=-5,elo1=5,model={model}"));
            assert_eq!(sprt.log_likelihood_ratio(&Pentanomial::default()), 0.0);
            assert!(sprt.log_likelihood_ratio(&Pentanomial([5, 10, 20, 10, 5])).abs() < 1e-9);
            let (good, bad) = (Pentanomial([2, 9, 20, 15, 9]), Pentanomial([9, 15, 20, 9, 2]));
            let (up, down) = (sprt.log_likelihood_ratio(&good), sprt.log_likelihood_ratio(&bad));
            assert!(up > 0.0 && (up + down).abs() < 1e-9, "{up} {down}");
            let four_times = Pentanomial(good.0.map(|count| 4 * count));
            assert!((sprt.log_likelihood_ratio(&four_times) - 4.0 * up).abs() < 1e-9);
        }
    }

    #[test]
    fn decisions() {
        let sprt = sprt("elo0=0,elo1=100");
        assert_eq!(sprt.decision(&Pentanomial([0, 0, 2, 0, 0])), None);
        assert_eq!(sprt.decision(&Pentanomial([0, 0, 0, 0, 20])), Some(Hypothesis::H1));
        assert_eq!(sprt.decision(&Pentanomial([20, 0, 0, 0, 0])), Some(Hypothesis::H0));
        assert_eq!(sprt.decision(&Pentanomial([0, 0, 500, 0, 0])), Some(Hypothesis::H0));
    }

    #[test]
    fn rejects_invalid_test() {
        let unknown = ["", "elo0", "elo0=", "elo0=x", "elo2=3", "model=bayes", "elo0=0,,elo1=5"];
        let outside = ["elo0=5", "elo0=0,elo1=0", "alpha=0", "beta=0.5", "elo1=nan", "elo0=-inf", "elo1=2000"];
        for (bad, message) in
            unknown.map(|bad| (bad, " is not elo0=")).into_iter().chain(outside.map(|bad| (bad, "elo0 must")))
        {
            let error = bad.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.contains(message), "{bad}: {error}");
        }
    }

    fn results(games: &[(usize, GameResult, EndReason)]) -> OpponentResults {
        let mut results = OpponentResults::default();
        for &(number, result, end) in games {
            let game = Game { result, end, ..Game::new(Position::startpos()) };
            results.add(&Pairing::new(number, 1), &game);
        }
        results
    }

    #[test]
    fn only_complete_pairs_count() {
        use EndReason::*;
        use GameResult::{BlackWins, Draw, WhiteWins};
        let games = [
            (0, BlackWins, Resign),
            (2, Draw, Repetition),
            (1, BlackWins, Timeout),
            (3, WhiteWins, Repetition),
            (4, Draw, MaxMoves),
            (5, GameResult::Unknown, Aborted),
        ];
        let results = results(&games);
        assert_eq!(results.counts, WinDrawLoss { wins: 2, draws: 2, losses: 1 });
        assert_eq!(results.pairs, Pentanomial([0, 0, 1, 1, 0]));
        assert_eq!(results.time_losses(), [1, 0]);
        assert_eq!(results.draws, Reasons::from([("maximum moves", 1), ("repetition", 1)]));
        assert_eq!(results.losses[1], Reasons::from([("perpetual check", 1), ("resignation", 1)]));
    }

    #[test]
    fn order_of_games_does_not_matter() {
        let mut games: Vec<_> = (0..20)
            .map(|number| {
                let color = if number % 3 == 0 { Color::Black } else { Color::White };
                (number, GameResult::won_by(color), EndReason::Resign)
            })
            .collect();
        let forwards = results(&games);
        games.reverse();
        let backwards = results(&games);
        assert_eq!((forwards.pairs, forwards.counts), (backwards.pairs, backwards.counts));
        assert_eq!(forwards.pairs.total(), 10);
    }
}
