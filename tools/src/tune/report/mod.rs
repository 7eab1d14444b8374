//! Report of a fit as a self-contained HTML page.
//!
//! `summary` shows settings and losses, `terms` lists weights, `boards` draws heat maps. Equal fit
//! and samples give equal bytes.

mod boards;
mod summary;
mod terms;

#[cfg(test)]
mod tests;

use super::checkpoint::Saved;
use super::fit::{rounded_weights, weight_values};
use super::loss::{Table, Target};
use super::samples::Samples;
use super::split::Split;
use crate::page::{Bins, ChartError, calibration, calibration_figure, page, section};
use sabi::eval::Weights;

/// A report could not be made.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ReportError {
    #[error("it was fitted to other samples")]
    OtherSamples,
    #[error("it was fitted to an evaluation with other terms")]
    OtherWeights,
    #[error("it is damaged")]
    Damaged,
    #[error("a chart could not be drawn: {0}")]
    Chart(#[from] ChartError),
}

/// Report of a fit as HTML. The weights "after" are the rounded ones that are written. `threads`
/// affects the time only.
///
/// # Errors
/// When the fit belongs to other samples or to another evaluation.
pub fn report(title: &str, saved: &Saved, samples: &Samples, threads: usize) -> Result<String, ReportError> {
    let fit = &saved.fit;
    if fit.start().len() != Weights::COUNT {
        return Err(ReportError::OtherWeights);
    }
    if saved.samples != samples.fingerprint() {
        return Err(ReportError::OtherSamples);
    }
    if !(0.0..=0.5).contains(&saved.test_split) {
        return Err(ReportError::Damaged);
    }
    let split = Split::new(samples, saved.test_split, fit.settings().seed);
    let (before, after) = (fit.start(), weight_values(&rounded_weights(&fit.table())));
    let [bins_before, bins_after] =
        [before, &after].map(|table| calibrated(samples, &split.test, table, &fit.target()));
    let body = [
        section("Fit", &(summary::fit(saved, samples) + &summary::losses(saved, samples, &split, threads, &after))),
        section("Loss by step", &summary::loss_curves(fit)?),
        section(
            "Calibration on the test games",
            &calibration_figure(["before", "after"], [&bins_before, &bins_after])?,
        ),
        section("Changes by group", &terms::groups(before, &after)),
        section("Largest changes", &terms::changes(before, &after)),
        section("Small groups", &terms::small_groups(before, &after)),
        section("Squares", &(summary::SQUARES.to_owned() + &boards::boards(before, &after))),
    ];
    Ok(page(title, boards::STYLE, &body.concat()))
}

/// Predictions of a table against results, on some games.
fn calibrated(samples: &Samples, games: &[usize], table: &Table, target: &Target) -> Bins {
    let chosen = games.iter().flat_map(|&game| samples.of_game(game));
    calibration(chosen.map(|at| (target.expected(samples.value(at, table)), samples.result(at))))
}
