//! Generalised sequential probability ratio test on pairs of games.
//!
//! Each hypothesis is represented by its maximum-likelihood distribution of the five outcomes given
//! the observed frequencies (M. Van den Bergh, "The generalized sequential probability ratio test"
//! and "Normalized elo", notes for fishtest, cantate.be). Under a linear constraint `Σ pᵢ cᵢ = 0`
//! it is `pᵢ = fᵢ / (1 + x cᵢ)`, where `f` are the observed frequencies and `x` solves the
//! constraint.

use super::{Pairs, expected_score};
use std::str::FromStr;

/// Prior count of unobserved outcomes, so that none is impossible.
const PRIOR: f64 = 1e-3;
/// Normalized Elo for one standard deviation of a game; equals logistic Elo for small differences.
const NELO_SCALE: f64 = 800.0 / std::f64::consts::LN_10;
const OUTCOMES: usize = 5;

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

/// Invalid test specification.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// Not a list of known names with values.
    #[error("'{0}' is not elo0=, elo1=, alpha= or beta= with a number, model=logistic or model=normalized")]
    Setting(String),
    /// Values out of range.
    #[error("elo0 must be below elo1, both within 1000, and alpha and beta between 0 and 0.5")]
    Range,
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Parses `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic`; missing values default to these.
    fn from_str(text: &str) -> Result<Self, SprtError> {
        let mut sprt = Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic };
        for setting in text.split(',') {
            let error = || SprtError::Setting(setting.to_owned());
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
        if in_range && is_rate(sprt.alpha) && is_rate(sprt.beta) { Ok(sprt) } else { Err(SprtError::Range) }
    }
}

impl Sprt {
    /// LLR bounds: accept H0 at or below the first, H1 at or above the second.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// Log-likelihood ratio of H1 against H0.
    pub fn log_likelihood_ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.total() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| if count == 0 { PRIOR } else { count as f64 });
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
    pub fn decision(&self, pairs: &Pairs) -> Option<Hypothesis> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    /// Counts and ratios of the self-test of fishtest's calculator, and values computed with it.
    #[test]
    fn published_values() {
        for (pairs, text, ratio) in [
            ([10789, 19328, 33806, 19402, 10543], "elo0=-3,elo1=1", 2.131_067_811_8),
            ([39, 2226, 31451, 2412, 40], "elo0=0.2,elo1=0.9", 2.162_542_580_05),
            ([0, 10, 20, 50, 20], "elo0=0,elo1=5", 1.428_686_106_5),
            ([10789, 19328, 33806, 19402, 10543], "elo0=-3,elo1=1,model=normalized", 0.300_869_785_5),
            ([39, 2226, 31451, 2412, 40], "elo0=0.764,elo1=3.439,model=normalized", 2.162_940_869_58),
            ([1187, 7410, 13475, 7378, 1164], "elo0=0,elo1=5,model=normalized", -8.125_813_619_16),
            ([0, 3, 10, 5, 2], "elo0=-3,elo1=1,model=normalized", 0.121_576_713_05),
        ] {
            let found = sprt(text).log_likelihood_ratio(&Pairs(pairs));
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
            assert_eq!(sprt.log_likelihood_ratio(&Pairs::default()), 0.0);
            assert!(sprt.log_likelihood_ratio(&Pairs([5, 10, 20, 10, 5])).abs() < 1e-9);
            let (good, bad) = (Pairs([2, 9, 20, 15, 9]), Pairs([9, 15, 20, 9, 2]));
            let (up, down) = (sprt.log_likelihood_ratio(&good), sprt.log_likelihood_ratio(&bad));
            assert!(up > 0.0 && (up + down).abs() < 1e-9, "{up} {down}");
            let four_times = Pairs(good.0.map(|count| 4 * count));
            assert!((sprt.log_likelihood_ratio(&four_times) - 4.0 * up).abs() < 1e-9);
        }
    }

    #[test]
    fn decisions() {
        let sprt = sprt("elo0=0,elo1=100");
        assert_eq!(sprt.decision(&Pairs([0, 0, 2, 0, 0])), None);
        assert_eq!(sprt.decision(&Pairs([0, 0, 0, 0, 20])), Some(Hypothesis::H1));
        assert_eq!(sprt.decision(&Pairs([20, 0, 0, 0, 0])), Some(Hypothesis::H0));
        assert_eq!(sprt.decision(&Pairs([0, 0, 500, 0, 0])), Some(Hypothesis::H0));
    }

    #[test]
    fn rejects_invalid_test() {
        for bad in ["", "elo0", "elo0=", "elo0=x", "elo2=3", "model=bayes", "elo0=0,,elo1=5"] {
            assert!(matches!(bad.parse::<Sprt>(), Err(SprtError::Setting(_))), "{bad}");
        }
        for bad in ["elo0=5", "elo0=0,elo1=0", "alpha=0", "beta=0.5", "elo1=nan", "elo0=-inf", "elo1=2000"] {
            assert_eq!(bad.parse::<Sprt>(), Err(SprtError::Range), "{bad}");
        }
    }
}
