//! Calibration of a weight table.

use super::loss::{Table, Target};
use super::samples::Samples;
use crate::page::{self, Bins};

/// Predictions of a table against results, on some games.
pub fn calibration(samples: &Samples, games: &[usize], table: &Table, target: &Target) -> Bins {
    let chosen = games.iter().flat_map(|&game| samples.of_game(game));
    page::calibration(chosen.map(|at| (target.expected(samples.value(at, table)), samples.result(at))))
}

#[cfg(test)]
mod tests {
    use super::super::loss::LossFunction;
    use super::super::samples::Label;
    use super::*;
    use crate::page::Bin;
    use sabi::eval::{Feature, Weights};

    const TARGET: Target = Target { k: 0.01, score_share: 0.0, loss_function: LossFunction::Squares };

    /// One game for each list: feature count of weight 0, half points.
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
    fn predictions_against_results() {
        // 100 centipawns predict 73 %, 0 predict 50 %.
        let samples = samples(&[&[(1, 2), (1, 0)], &[(1, 1), (0, 2)]]);
        let bins = calibration(&samples, &[0, 1], &table(), &TARGET);
        let share = 1.0 / (1.0 + (-1.0_f64).exp());
        assert!((bins[14].predicted - share).abs() < 1e-12 && (bins[14].real - 0.5).abs() < 1e-12, "{:?}", bins[14]);
        assert_eq!((bins[14].count, bins[10]), (3, Bin { count: 1, predicted: 0.5, real: 1.0 }));
    }

    #[test]
    fn only_selected_games_count() {
        let samples = samples(&[&[(1, 2)], &[(-1, 0)]]);
        let bins = calibration(&samples, &[1], &table(), &TARGET);
        assert_eq!(bins.iter().position(|bin| bin.count > 0), Some(5));
        assert_eq!(calibration(&samples, &[], &table(), &TARGET), Bins::default());
    }
}
