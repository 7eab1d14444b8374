//! `tuner`: fits the weights of the evaluation to games.

mod arguments;
mod compare;
mod extract;
mod fit;
mod report;
mod validate;
mod weights;

use arguments::{Fitting, Gathering, Splitting, Working};
use clap::{Args, Parser, Subcommand};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Fits the weights of the evaluation to games, by Texel's method. Without a subcommand: extract, fit and validate in one.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    all: Option<All>,
}

// What is flattened does not tell clap that all of it is there.
#[derive(Args)]
#[group(args = ["dataset"])]
struct All {
    #[command(flatten)]
    gathering: Gathering,
    #[command(flatten)]
    splitting: Splitting,
    #[command(flatten)]
    fitting: Fitting,
}

#[derive(Subcommand)]
enum Command {
    /// Turn games into samples: quiet positions as features, with the result of their games
    Extract {
        #[command(flatten)]
        gathering: Gathering,
        #[command(flatten)]
        splitting: Splitting,
        /// The file of samples to write
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Fit weights to samples
    Fit {
        /// A file of samples
        samples: PathBuf,
        #[command(flatten)]
        splitting: Splitting,
        #[command(flatten)]
        fitting: Fitting,
    },
    /// Tell how well weights predict the results of games they were not fitted to
    Validate {
        /// A file of samples
        samples: PathBuf,
        /// Weights (.json); those set by hand when left out
        #[arg(long, value_name = "FILE")]
        weights: Option<PathBuf>,
        #[command(flatten)]
        splitting: Splitting,
    },
    /// Tell how two tables of weights differ, and, with samples, which predicts better
    Compare {
        /// Weights (.json), or `hand` for those set by hand
        first: PathBuf,
        /// Weights (.json), or `hand`
        second: PathBuf,
        /// A file of samples
        #[arg(long, value_name = "FILE")]
        samples: Option<PathBuf>,
        #[command(flatten)]
        splitting: Splitting,
    },
    /// Show what became of a fit as a page: losses, calibration, weights before and after, boards
    Report {
        /// The state of the fit (.fit)
        state: PathBuf,
        /// The samples it was fitted to
        #[arg(long, value_name = "FILE")]
        samples: PathBuf,
        /// The page to write (.html)
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
        #[command(flatten)]
        working: Working,
    },
}

fn main() -> ExitCode {
    sabi::cli::run_program(|| obey(&Arguments::parse(), &mut io::BufWriter::new(io::stdout().lock())))
}

fn obey(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    match (&arguments.command, &arguments.all) {
        (Some(Command::Extract { gathering, splitting, output }), _) => {
            extract::run(gathering, splitting, output, out)?
        }
        (Some(Command::Fit { samples, splitting, fitting }), _) => {
            fitting.check([samples])?;
            fit::run(&extract::load(samples)?, splitting, fitting, out)?;
        }
        (Some(Command::Validate { samples, weights, splitting }), _) => {
            validate::run(&extract::load(samples)?, weights.as_deref(), splitting, out)?;
        }
        (Some(Command::Compare { first, second, samples, splitting }), _) => {
            compare::run([first, second], samples.as_deref(), splitting, out)?;
        }
        (Some(Command::Report { state, samples, output, working }), _) => {
            report::run(state, samples, working.threads(), output)?;
        }
        (None, Some(All { gathering, splitting, fitting })) => {
            fitting.check(&gathering.dataset)?;
            let samples = extract::gather(gathering, splitting, out)?;
            fit::run(&samples, splitting, fitting, out)?;
        }
        // Clap has asked for them.
        (None, None) => {}
    }
    Ok(out.flush()?)
}
