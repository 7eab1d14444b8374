//! `tuner fit`, and the report of a fit.

use crate::extract::{self, SplitArguments, SplitSamples};
use crate::losses::load_weights;
use anyhow::{Context, ensure};
use clap::Args;
use sabi::cli::{check_not_an_input, check_output, progress_bar};
use sabi::eval::{Group, Weights};
use sabi_files::replace_with_bytes;
use sabi_tools::checkpoint::{Checkpoint, StateFile};
use sabi_tools::cli::{check_page, fraction, not_negative, positive_up_to, write_page};
use sabi_tools::tune::{
    self, Fit, FitData, FitSettings, LossFunction, OptimiserKind, SampleSet, Samples, Saved, StopReason,
    is_rust_source, rounded_weights, rust_source, weight_values,
};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub struct FitArguments {
    /// Weights to write, as .json or as Rust source (.rs)
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Start weights; default: the untuned ones
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,
    /// Optimiser
    #[arg(long, value_enum, default_value_t = OptimiserKind::Adam)]
    method: OptimiserKind,
    /// Size of the first steps, in centipawns; lbfgs does not use it
    #[arg(long, value_name = "CP", default_value_t = 1.0, value_parser = positive_up_to(10_000.0))]
    rate: f64,
    /// Maximum steps
    #[arg(long, value_name = "N", default_value_t = 1000)]
    iterations: u32,
    /// Early stopping: steps without a better validation loss
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,
    /// Convergence: relative cost change over ten steps
    #[arg(long, value_name = "SHARE", default_value_t = 1e-7, value_parser = not_negative)]
    tolerance: f64,
    /// Regularization: penalty of moving all weights by 100 centipawns
    #[arg(long, value_name = "PENALTY", default_value_t = 0.001, value_parser = not_negative)]
    regularization: f64,
    /// Loss function
    #[arg(long, value_enum, default_value_t = LossFunction::Squares)]
    loss: LossFunction,
    /// Weight of the search score against the result in the target, for positions with a score
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = fraction)]
    score_share: f64,
    /// Weight groups to fit [default: all]
    #[arg(long, value_name = "GROUP", value_delimiter = ',', value_parser = group)]
    groups: Vec<Group>,
    /// Also run K-fold cross-validation: each fold in turn is the test set, the next one the
    /// validation set
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(3..=100))]
    pub k_fold: Option<u16>,
    /// Save the state every N steps, beside the output (.fit)
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub checkpoint: u32,
    /// Resume an interrupted run with the same samples and arguments, or with more iterations;
    /// starts from scratch if nothing was saved
    #[arg(long)]
    pub resume: bool,
    /// Also write a report (.html)
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

fn group(name: &str) -> Result<Group, String> {
    Group::ALL.into_iter().find(|group| group.to_string() == name.trim()).ok_or_else(|| {
        let names: Vec<String> = Group::ALL.iter().map(Group::to_string).collect();
        format!("unknown group; the groups are {}", names.join(", "))
    })
}

impl FitArguments {
    fn settings(&self, seed: u64) -> FitSettings {
        let is_meant = |group: &Group| self.groups.is_empty() || self.groups.contains(group);
        FitSettings {
            method: self.method,
            learning_rate: self.rate,
            iterations: self.iterations,
            patience: self.patience,
            tolerance: self.tolerance,
            regularization: self.regularization,
            score_share: self.score_share,
            loss_function: self.loss,
            groups: Group::ALL.into_iter().filter(is_meant).collect(),
            seed,
        }
    }

    fn state(&self) -> StateFile {
        StateFile::new(self.output.with_added_extension("fit"), "the fit")
    }

    /// Checks the output before the work: it must be writable and not an input.
    pub fn check(&self, inputs: &[PathBuf]) -> anyhow::Result<()> {
        let is_known = self.output.extension().is_some_and(|extension| extension == "json" || extension == "rs");
        ensure!(is_known, "weights are written as .json or .rs, not as '{}'", self.output.display());
        check_output(&self.output, "the weights", |head, _| Weights::detect(head) || is_rust_source(head))?;
        let state = self.state();
        state.check_output::<Saved>()?;
        self.report.as_deref().map_or(Ok(()), check_page)?;
        check_not_an_input(&self.output, &self.start)?;
        let mut outputs = [&*self.output, state.path()].into_iter().chain(self.report.as_deref());
        outputs.try_for_each(|output| check_not_an_input(output, inputs))
    }
}

/// Fits weights, writes them, and prints the losses.
pub fn run(
    samples: &Samples,
    splitting: &SplitArguments,
    fitting: &FitArguments,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let split_samples = splitting.split(samples)?;
    let SplitSamples { ref split, threads, .. } = split_samples;
    let data = FitData::new(samples, split, threads);
    let settings = fitting.settings(splitting.seed);
    let start = weight_values(&load_weights(fitting.start.as_deref())?);
    let mut state = fitting.state();
    let (fingerprint, test_split) = (samples.fingerprint(), splitting.test_split);
    let is_same = |saved: &mut Saved| {
        ensure!((saved.samples, saved.test_split) == (fingerprint, test_split), "it was fitted to other samples");
        saved.fit.set_iterations(settings.iterations);
        ensure!(*saved.fit.settings() == settings && saved.fit.start() == start, "it has other arguments");
        let steps = saved.fit.steps().len();
        ensure!(steps <= settings.iterations as usize, "it has made {steps} steps, more than --iterations");
        Ok(())
    };
    let saved = if fitting.resume { state.resume(is_same)? } else { None };
    let begin = || Saved { fit: Fit::new(&data, start.clone(), settings.clone()), samples: fingerprint, test_split };
    let mut saved = saved.unwrap_or_else(begin);
    if let Some(folds) = fitting.k_fold {
        cross_validate(&split_samples, folds.into(), &start, &settings, out)?;
    }
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
            state.save(&saved)?;
        }
    };
    bar.finish_and_clear();
    state.save(&saved)?;
    let fit = &saved.fit;
    let (steps, best, target) = (fit.steps().len(), fit.best().0, fit.target());
    let each = begun.0.elapsed().as_secs_f64() / (steps - begun.1).max(1) as f64;
    writeln!(out, "fit        {} after {steps} steps of {each:.3} s; best after {best}", end.describe())?;
    ensure!(end != StopReason::Diverged, "nothing is written: try a lower --rate");
    let fitted = rounded_weights(&fit.table());
    save_weights(&fitted, &origin(fit, samples), &fitting.output)?;
    writeln!(out, "k          {:.6} (a pawn of 100 scores {:.3})", target.k, target.expected(100.0))?;
    let tables = [("before", fit.start()), ("after", &weight_values(&fitted))];
    split_samples.print_losses(&target, &tables, out)?;
    match &fitting.report {
        Some(path) => write_report(&saved, state.path(), samples, threads, path),
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

/// K-fold cross-validation.
fn cross_validate(
    SplitSamples { samples, split, threads }: &SplitSamples<'_>,
    folds: usize,
    start: &[[f64; 2]],
    settings: &FitSettings,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let bar = progress_bar(folds as u64, "folds")?;
    let (mut losses, mut gains) = (Vec::new(), Vec::new());
    for split in split.folds(folds, settings.seed) {
        ensure!(split.is_possible(), "{} games are too few for {folds} folds", samples.game_count());
        let data = FitData::new(samples, &split, *threads);
        let mut fit = Fit::new(&data, start.to_vec(), settings.clone());
        let held = SampleSet::new(samples, &split.test, *threads);
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

/// Writes weights in the format of the extension.
fn save_weights(weights: &Weights, origin: &str, path: &Path) -> anyhow::Result<()> {
    let is_source = path.extension().is_some_and(|extension| extension == "rs");
    let text = if is_source { rust_source(weights, origin) } else { weights.to_json(origin) };
    replace_with_bytes(path, text.as_bytes()).with_context(|| format!("cannot write the weights '{}'", path.display()))
}

/// Writes the report of a saved fit.
pub fn report(state: &Path, samples: &Path, threads: usize, output: &Path) -> anyhow::Result<()> {
    check_page(output)?;
    let saved = Saved::read(state).with_context(|| format!("cannot read the fit '{}'", state.display()))?;
    write_report(&saved, state, &extract::load(samples)?, threads, output)
}

/// Writes the report of a fit with the state file `state`.
fn write_report(saved: &Saved, state: &Path, samples: &Samples, threads: usize, output: &Path) -> anyhow::Result<()> {
    let name = state.file_name().unwrap_or_default().to_string_lossy();
    let html = tune::report(&format!("Tuner report: {name}"), saved, samples, threads)
        .with_context(|| format!("no report of the fit '{}'", state.display()))?;
    write_page(output, &html)
}
