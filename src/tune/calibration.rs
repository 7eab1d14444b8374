//! Whether a predicted share of the points is the share that is scored.

use super::loss::{Aim, Table};
use super::samples::Samples;

/// How many bins there are; each is as wide as the others.
pub const BINS: usize = 20;

/// The samples with nearly the same prediction.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Bin {
    /// How many there are.
    pub count: usize,
    /// The mean of what Black was predicted to score, from 0 to 1; 0 without samples.
    pub predicted: f64,
    /// The mean of what Black did score, from 0 to 1; 0 without samples.
    pub real: f64,
}

/// Sorts the samples of some games by what a table predicts for them.
pub fn calibration(samples: &Samples, games: &[usize], table: &Table, aim: &Aim) -> [Bin; BINS] {
    let mut bins = [Bin::default(); BINS];
    for at in games.iter().flat_map(|&game| samples.of_game(game)) {
        let expected = aim.expected(samples.value(at, table));
        // A prediction of 1 is in the last bin.
        let bin = &mut bins[((expected * BINS as f64) as usize).min(BINS - 1)];
        bin.count += 1;
        bin.predicted += expected;
        bin.real += samples.result(at);
    }
    for bin in &mut bins {
        bin.predicted /= bin.count.max(1) as f64;
        bin.real /= bin.count.max(1) as f64;
    }
    bins
}

/// The mean distance between predicted and real share over all samples: the expected calibration error.
pub fn calibration_error(bins: &[Bin]) -> f64 {
    let count: usize = bins.iter().map(|bin| bin.count).sum();
    let sum: f64 = bins.iter().map(|bin| bin.count as f64 * (bin.predicted - bin.real).abs()).sum();
    sum / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::super::loss::Measure;
    use super::super::samples::Label;
    use super::*;
    use crate::eval::{Feature, Weights};

    const AIM: Aim = Aim { k: 0.01, score_share: 0.0, measure: Measure::Squares };

    /// One game for each list of samples: how often weight 0 counts, and the half points.
    fn samples(games: &[&[(i16, u8)]]) -> Samples {
        let mut samples = Samples::default();
        for game in games {
            for &(count, half_points) in *game {
                samples.push_features(&[Feature { index: 0, count }], 0, Label { half_points, score: None });
            }
            samples.end_game();
        }
        samples
    }

    fn table() -> Vec<[f64; 2]> {
        let mut table = vec![[0.0; 2]; Weights::COUNT];
        table[0] = [100.0, -100.0];
        table
    }

    #[test]
    fn samples_fall_into_known_bins() {
        // 100 centipawns are 73 %, none are 50 %, 2000 are all.
        let samples = samples(&[&[(1, 2), (1, 0)], &[(1, 1), (0, 2)], &[(20, 2), (-20, 1)], &[(-1, 2)]]);
        let bins = calibration(&samples, &[0, 1, 2], &table(), &AIM);
        let counts: Vec<usize> = bins.iter().map(|bin| bin.count).collect();
        let mut expected = vec![0; BINS];
        (expected[0], expected[10], expected[14], expected[19]) = (1, 1, 3, 1);
        assert_eq!(counts, expected);
        let share = 1.0 / (1.0 + (-1.0_f64).exp());
        assert!((bins[14].predicted - share).abs() < 1e-12 && (bins[14].real - 0.5).abs() < 1e-12, "{:?}", bins[14]);
        assert_eq!((bins[10].predicted, bins[10].real), (0.5, 1.0));
        assert_eq!((bins[0].real, bins[19].real, bins[1]), (0.5, 1.0, Bin::default()));
        let error = (3.0 * (share - 0.5) + 0.5 + 0.5) / 6.0;
        assert!((calibration_error(&bins) - error).abs() < 1e-8);
    }

    #[test]
    fn only_the_games_named_count() {
        let samples = samples(&[&[(1, 2)], &[(-1, 0)]]);
        let bins = calibration(&samples, &[1], &table(), &AIM);
        assert_eq!(bins.iter().position(|bin| bin.count > 0), Some(5));
        let none = calibration(&samples, &[], &table(), &AIM);
        assert_eq!((none, calibration_error(&none)), ([Bin::default(); BINS], 0.0));
    }
}
