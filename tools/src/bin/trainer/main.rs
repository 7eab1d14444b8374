//! `trainer`: trains networks on games.

mod fit;
#[cfg(target_os = "linux")]
mod grow;

use anyhow::{Context, ensure};
use clap::{Parser, Subcommand};
use fit::{read_network, write_network, write_report};
use sabi::cli::{check_not_an_input, check_output};
use sabi::eval::nnue::{Buckets, Features, Network, Parameters};
use sabi_tools::checkpoint::Checkpoint;
use sabi_tools::cli::{ThreadArguments, check_page, each_game, report_bad};
use sabi_tools::train::{ResultPrediction, ResultSamples, Training, TrainingData, expand_zones};
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Trains networks on self-play games (`selfplay`).
#[derive(Parser)]
#[command(name = env!("CARGO_BIN_NAME"), version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Train a network
    Fit(fit::FitArguments),
    /// Loop: self-play, training, match against the best network
    #[cfg(target_os = "linux")]
    Grow(Box<grow::GrowArguments>),
    /// Compare networks by how well their static evals predict the results of games
    Compare {
        /// Networks (.bin); the others are compared with the first
        #[arg(required = true, value_name = "NETWORK")]
        networks: Vec<PathBuf>,
        /// Games with results, in any format: file or folder; best ones that none of the networks was
        /// trained on
        #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
        games: Vec<PathBuf>,
        /// First move number
        #[arg(long, value_name = "N", default_value_t = 1)]
        from: usize,
        /// Last move number
        #[arg(long, value_name = "N", default_value_t = 160)]
        to: usize,
    },
    /// Convert a network for other engines: zones of the own king as HalfKA1
    Export {
        /// Network (.bin)
        network: PathBuf,
        /// Network to write (.bin)
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Write a report of a training run: losses, calibration, weights by layer
    Report {
        /// State of the training run (.training)
        state: PathBuf,
        /// Training games (.sabg) in the order of the training; without them the validation parts are
        /// omitted
        #[arg(value_name = "FILE")]
        games: Vec<PathBuf>,
        /// Report to write (.html)
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
        #[command(flatten)]
        working: ThreadArguments,
    },
}

fn main() -> ExitCode {
    let out = &mut io::stdout();
    sabi::cli::run_program(|arguments: Arguments| match arguments.command {
        Command::Fit(arguments) => arguments.run(out),
        #[cfg(target_os = "linux")]
        Command::Grow(arguments) => grow::run(&arguments, out),
        Command::Compare { networks, games, from, to } => compare(&networks, &games, from..=to, out),
        Command::Export { network, output } => export(&network, &output, out),
        Command::Report { state, games, output, working } => {
            check_page(&output)?;
            let training =
                Training::read(&state).with_context(|| format!("cannot read the training '{}'", state.display()))?;
            let data = (!games.is_empty()).then(|| TrainingData::new(&games, training.settings())).transpose()?;
            write_report(&training, &state, data.as_ref(), working.threads(), &output, out)
        }
    })
}

/// Prints how well the static evals of the networks predict the results.
fn compare(
    paths: &[PathBuf],
    games: &[PathBuf],
    plies: RangeInclusive<usize>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let networks = paths.iter().map(|path| Ok(Network::new(&read_network(path)?)?));
    let networks: Vec<Network> = networks.collect::<anyhow::Result<_>>()?;
    let mut samples = ResultSamples::new(networks.len());
    let read = each_game(games, |game| {
        samples.add(&game, &networks, &plies);
        Ok(())
    })?;
    report_bad(&read.bad);
    let [games, positions] = samples.counts();
    ensure!(games > 0, "the files hold no decided game with quiet positions at these moves");
    writeln!(out, "{games} games, {positions} quiet positions")?;
    writeln!(out, "{:>8}  {:>19}  {:>5}  {:>5}  network", "loss", "difference", "bias", "scale")?;
    for (prediction, path) in samples.predictions().iter().zip(paths) {
        let ResultPrediction { loss, difference: [mean, error], bias, scale } = prediction;
        let path = path.display();
        writeln!(out, "{loss:>8.5}  {mean:>+8.5} +- {error:.5}  {bias:>5.0}  {scale:>5.0}  {path}")?;
    }
    Ok(())
}

/// Writes the network with feature weights for each own king square.
fn export(path: &Path, output: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    check_output(output, "the network", |head, _| Parameters::detect(head))?;
    check_not_an_input(output, [path])?;
    let network = read_network(path)?;
    let shape = network.shape;
    ensure!(shape.features == Features::HalfKaZ15, "{} has no king zones: nothing to convert", shape.short_name());
    ensure!(shape.buckets == Buckets::NONE, "layer stacks of king zones are read by this engine only");
    let expanded = expand_zones(network);
    write_network(&expanded, output)?;
    Ok(writeln!(out, "{}: the network as {}", output.display(), expanded.shape.short_name())?)
}
