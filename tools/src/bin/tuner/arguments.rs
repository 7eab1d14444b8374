//! Command line of `tuner`.

use anyhow::bail;
use clap::Args;
use sabi::cli::{check_not_an_input, check_output};
use sabi::eval::{Group, Weights};
use sabi_tools::checkpoint::Checkpoint;
use sabi_tools::cli::{ThreadArguments, check_page, finite, fraction, not_negative, positive_up_to};
use sabi_tools::tune::{Filter, FitSettings, LossFunction, OptimiserKind, Saved};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct ExtractArguments {
    /// Game records: files and folders, or - for standard input
    #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
    pub dataset: Vec<PathBuf>,
    /// Plies without a capture before a quiet position
    #[arg(long, value_name = "PLIES", default_value_t = 2)]
    quiet_threshold: usize,
    /// Maximum difference between quiescence search and evaluation of a quiet position, in
    /// centipawns
    #[arg(long, value_name = "CP", default_value_t = 60, value_parser = clap::value_parser!(i32).range(0..))]
    quiet_margin: i32,
    /// Minimum rating of both players; games without ratings pass
    #[arg(long, value_name = "RATING", value_parser = finite)]
    min_rating: Option<f64>,
    /// Plies skipped at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    skip_opening: usize,
    /// Plies skipped at the end of each game
    #[arg(long, value_name = "PLIES", default_value_t = 6)]
    skip_end: usize,
    /// Maximum positions of a game
    #[arg(long, value_name = "N", default_value_t = 40)]
    max_per_game: usize,
}

#[derive(Args)]
pub struct SplitArguments {
    /// Share of games in the test set; the same share of the rest is the validation set
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = share)]
    pub test_split: f64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub working: ThreadArguments,
}

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

fn share(text: &str) -> Result<f64, String> {
    let inside = |&number: &f64| number > 0.0 && number < 0.5;
    finite(text).ok().filter(inside).ok_or_else(|| "expected a share between 0 and 0.5".to_owned())
}

fn group(name: &str) -> Result<Group, String> {
    Group::ALL.into_iter().find(|group| group.to_string() == name.trim()).ok_or_else(|| {
        let names: Vec<String> = Group::ALL.iter().map(Group::to_string).collect();
        format!("unknown group; the groups are {}", names.join(", "))
    })
}

impl ExtractArguments {
    pub fn filter(&self, seed: u64) -> Filter {
        Filter {
            min_rating: self.min_rating,
            skip_opening: self.skip_opening,
            skip_end: self.skip_end,
            max_per_game: self.max_per_game,
            quiet_plies: self.quiet_threshold,
            quiet_margin: self.quiet_margin,
            seed,
        }
    }
}

impl FitArguments {
    pub fn settings(&self, seed: u64) -> FitSettings {
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

    /// Path of the state file.
    pub fn state(&self) -> PathBuf {
        self.output.with_added_extension("fit")
    }

    /// Checks the output before the work: it must be writable and not an input.
    pub fn check<P: AsRef<Path>>(&self, inputs: impl IntoIterator<Item = P>) -> anyhow::Result<()> {
        let known = |extension: &std::ffi::OsStr| extension == "json" || extension == "rs";
        if !self.output.extension().is_some_and(known) {
            bail!("weights are written as .json or .rs, not as '{}'", self.output.display());
        }
        check_output(&self.output, "the weights", |head, _| Weights::detect(head))?;
        let state = self.state();
        check_output(&state, "the fit", |head, _| Saved::detect(head))?;
        self.report.as_deref().map_or(Ok(()), check_page)?;
        check_not_an_input(&self.output, &self.start)?;
        for input in inputs {
            let outputs = [Some(&self.output), Some(&state), self.report.as_ref()];
            outputs.into_iter().flatten().try_for_each(|output| check_not_an_input(output, [&input]))?;
        }
        Ok(())
    }
}
