//! `tuner fit`.

use crate::arguments::{FitArguments, SplitArguments};
use crate::{report, validate, weights};
use anyhow::{Context, ensure};
use sabi::cli::progress_bar;
use sabi_tools::checkpoint::Checkpoint;
use sabi_tools::tune::{
    Fit, FitSettings, SampleSet, Samples, Saved, Split, StopReason, TrainingData, rounded_weights, weight_values,
};
use std::io::Write;
use std::time::Instant;

/// Fits weights, writes them, and prints the losses.
pub fn run(
    samples: &Samples,
    splitting: &SplitArguments,
    fitting: &FitArguments,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let split = Split::new(samples, splitting.test_split, splitting.seed);
    validate::check(samples, &split)?;
    let data = TrainingData::new(samples, &split, splitting.working.threads());
    let settings = fitting.settings(splitting.seed);
    let start = weight_values(&weights::load(fitting.start.as_deref())?);
    let state = fitting.state();
    let cannot_resume = || format!("cannot resume from '{}'", state.display());
    let saved = if fitting.resume { Saved::resume(&state).with_context(cannot_resume)? } else { None };
    let fit = match saved {
        Some(saved) => resumed(saved, samples, splitting, &settings, &start).with_context(cannot_resume)?,
        None => Fit::new(&data, start.clone(), settings.clone()),
    };
    if let Some(folds) = fitting.k_fold {
        cross_validate(samples, &split, splitting, usize::from(folds), &start, &settings, out)?;
    }
    let mut saved = Saved { fit, samples: samples.fingerprint(), test_split: splitting.test_split };
    let save_state = |saved: &Saved| saved.write(&state).with_context(|| format!("cannot write '{}'", state.display()));
    let begun = (Instant::now(), saved.fit.steps().len());
    let bar = progress_bar(settings.iterations.into(), "steps")?;
    bar.set_position(begun.1 as u64);
    let end = loop {
        if let Some(end) = saved.fit.advance(&data) {
            break end;
        }
        bar.inc(1);
        bar.set_message(format!("validation loss {:.6}", saved.fit.best().1));
        if saved.fit.steps().len().is_multiple_of(fitting.checkpoint as usize) {
            save_state(&saved)?;
        }
    };
    bar.finish_and_clear();
    save_state(&saved)?;
    let fit = &saved.fit;
    let steps = fit.steps().len();
    let each = begun.0.elapsed().as_secs_f64() / (steps - begun.1).max(1) as f64;
    writeln!(out, "fit        {} after {steps} steps of {each:.3} s; best after {}", end.describe(), fit.best().0)?;
    ensure!(end != StopReason::Diverged, "nothing is written: try a lower --rate");
    let fitted = rounded_weights(&fit.table());
    weights::save(&fitted, &origin(fit, samples), &fitting.output)?;
    writeln!(out, "k          {:.6} (a pawn of 100 scores {:.3})", fit.target().k, fit.target().expected(100.0))?;
    validate::table(
        samples,
        &split,
        splitting.working.threads(),
        &fit.target(),
        [("before", fit.start()), ("after", &weight_values(&fitted))],
        out,
    )?;
    match &fitting.report {
        Some(path) => report::write(&saved, &state, samples, splitting.working.threads(), path),
        None => Ok(()),
    }
}

/// Origin of the weights, for the file.
fn origin(fit: &Fit, samples: &Samples) -> String {
    let FitSettings { method, regularization, score_share, seed, .. } = fit.settings();
    format!(
        "fitted by {method:?} to {} positions of {} games, {} steps, regularization {regularization}, score share {score_share}, \
         seed {seed}",
        samples.len(),
        samples.game_count(),
        fit.best().0,
    )
}

/// The saved fit, if it has the same samples and settings.
fn resumed(
    saved: Saved,
    samples: &Samples,
    splitting: &SplitArguments,
    settings: &FitSettings,
    start: &[[f64; 2]],
) -> anyhow::Result<Fit> {
    let is_same = saved.samples == samples.fingerprint() && saved.test_split == splitting.test_split;
    ensure!(is_same, "it was fitted to other samples");
    let mut fit = saved.fit;
    fit.set_iterations(settings.iterations);
    ensure!(fit.settings() == settings && fit.start() == start, "it has other arguments");
    let steps = fit.steps().len();
    ensure!(steps <= settings.iterations as usize, "it has made {steps} steps, more than --iterations");
    Ok(fit)
}

/// K-fold cross-validation.
fn cross_validate(
    samples: &Samples,
    split: &Split,
    splitting: &SplitArguments,
    folds: usize,
    start: &[[f64; 2]],
    settings: &FitSettings,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let bar = progress_bar(folds as u64, "folds")?;
    let (mut losses, mut gains) = (Vec::new(), Vec::new());
    for split in split.folds(folds, splitting.seed) {
        let data = TrainingData::new(samples, &split, splitting.working.threads());
        ensure!(data.is_possible(), "{} games are too few for {folds} folds", samples.game_count());
        let mut fit = Fit::new(&data, start.to_vec(), settings.clone());
        let held = SampleSet::new(samples, &split.test, splitting.working.threads());
        let before = held.loss(start, &fit.target());
        while fit.advance(&data).is_none() {}
        let after = held.loss(&fit.table(), &fit.target());
        losses.push(after);
        gains.push(100.0 * (1.0 - after / before));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let ([loss, spread], [gain, gain_spread]) = (mean_and_deviation(&losses), mean_and_deviation(&gains));
    Ok(writeln!(out, "{folds} folds    loss {loss:.6} ± {spread:.6}, improvement {gain:.2} ± {gain_spread:.2} %")?)
}

/// Mean and standard deviation.
fn mean_and_deviation(values: &[f64]) -> [f64; 2] {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    [mean, (squares / (values.len() - 1).max(1) as f64).sqrt()]
}
