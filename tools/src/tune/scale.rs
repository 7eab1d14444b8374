//! Scale of the sigmoid between centipawns and expected score.

use super::loss::{LossFunction, SampleSet, Table, Target};
use sabi_shogi::Score;

/// Default: 600 centipawns have an expected score of 73 %.
const DEFAULT: f64 = 1.0 / Score::EXPECTED_SCORE_SCALE;

/// Relative precision of the search.
const PRECISION: f64 = 1e-6;

/// The `k` that minimises the loss of a table on a sample set, by golden section (Kiefer,
/// "Sequential minimax search for a maximum", 1953) between 1/100 and 100 times the default.
pub fn fit_k(sample_set: &SampleSet<'_>, table: &Table, loss_function: LossFunction) -> f64 {
    let loss = |exponent: f64| {
        sample_set.loss(table, &Target { k: DEFAULT * exponent.exp(), score_share: 0.0, loss_function })
    };
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (-(100.0_f64.ln()), 100.0_f64.ln());
    let inner = |low: f64, high: f64| [high - golden * (high - low), low + golden * (high - low)];
    let [mut left, mut right] = inner(low, high);
    let (mut at_left, mut at_right) = (loss(left), loss(right));
    while high - low > PRECISION {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = inner(low, high)[0];
            at_left = loss(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = inner(low, high)[1];
            at_right = loss(right);
        }
    }
    DEFAULT * (low.midpoint(high)).exp()
}
