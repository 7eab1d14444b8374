//! `tuner`: fits evaluation weights to games.

mod extract;
mod fit;
mod losses;

use clap::{Args, Parser, Subcommand};
use extract::{ExtractArguments, SplitArguments};
use fit::FitArguments;
use sabi_tools::cli::ThreadArguments;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::slice;

/// Fits evaluation weights to games by Texel's method. Without a subcommand: extract, fit and
/// validate in one run.
#[derive(Parser)]
#[command(name = env!("CARGO_BIN_NAME"), version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    all: Option<All>,
}

// Clap does not require flattened arguments by itself.
#[derive(Args)]
#[group(args = ["dataset"])]
struct All {
    #[command(flatten)]
    extraction: ExtractArguments,
    #[command(flatten)]
    splitting: SplitArguments,
    #[command(flatten)]
    fitting: FitArguments,
}

#[derive(Subcommand)]
enum Command {
    /// Extract samples from games: quiet positions as features, with the game result
    Extract {
        #[command(flatten)]
        extraction: ExtractArguments,
        #[command(flatten)]
        splitting: SplitArguments,
        /// Sample file to write
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Fit weights to samples
    Fit {
        /// Sample file
        samples: PathBuf,
        #[command(flatten)]
        splitting: SplitArguments,
        #[command(flatten)]
        fitting: FitArguments,
    },
    /// Print the losses of weights
    Validate {
        /// Sample file
        samples: PathBuf,
        /// Weights (.json); default: the untuned ones
        #[arg(long, value_name = "FILE")]
        weights: Option<PathBuf>,
        #[command(flatten)]
        splitting: SplitArguments,
    },
    /// Compare two weight tables and, with samples, their losses
    Compare {
        /// Weights (.json), or `hand` for the untuned ones
        first: PathBuf,
        /// Weights (.json), or `hand`
        second: PathBuf,
        /// Sample file
        #[arg(long, value_name = "FILE")]
        samples: Option<PathBuf>,
        #[command(flatten)]
        splitting: SplitArguments,
    },
    /// Write a report of a fit: losses, calibration, weights before and after, boards
    Report {
        /// State of the fit (.fit)
        state: PathBuf,
        /// Samples of the fit
        #[arg(long, value_name = "FILE")]
        samples: PathBuf,
        /// Report to write (.html)
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
        #[command(flatten)]
        working: ThreadArguments,
    },
}

fn main() -> ExitCode {
    sabi::cli::run_program(|arguments: Arguments| execute(&arguments, &mut io::BufWriter::new(io::stdout().lock())))
}

fn execute(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    match (&arguments.command, &arguments.all) {
        (Some(Command::Extract { extraction, splitting, output }), _) => {
            extract::run(extraction, splitting, output, out)?
        }
        (Some(Command::Fit { samples, splitting, fitting }), _) => {
            fitting.check(slice::from_ref(samples))?;
            fit::run(&extract::load(samples)?, splitting, fitting, out)?;
        }
        (Some(Command::Validate { samples, weights, splitting }), _) => {
            let (samples, weights) = (extract::load(samples)?, losses::load_weights(weights.as_deref())?);
            losses::validate(&splitting.split(&samples)?, &weights, out)?;
        }
        (Some(Command::Compare { first, second, samples, splitting }), _) => {
            losses::compare([first, second], samples.as_deref(), splitting, out)?;
        }
        (Some(Command::Report { state, samples, output, working }), _) => {
            fit::report(state, samples, working.threads(), output)?;
        }
        (None, Some(All { extraction, splitting, fitting })) => {
            fitting.check(&extraction.dataset)?;
            let samples = extract::extract_samples(extraction, splitting, out)?;
            fit::run(&samples, splitting, fitting, out)?;
        }
        // Checked by clap.
        (None, None) => {}
    }
    Ok(out.flush()?)
}
