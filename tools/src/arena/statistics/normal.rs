//! The normal distribution.

use std::f64::consts::PI;

/// Outside ±FAR the result is 0 or 1 in f64 precision.
const FAR: f64 = 8.0;

/// Standard normal cumulative distribution function.
///
/// By the Taylor series of the integral divided by the density, as in G. Marsaglia, "Evaluating the
/// Normal Distribution", Journal of Statistical Software 11 (2004).
pub fn normal(x: f64) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::normal;

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
}
