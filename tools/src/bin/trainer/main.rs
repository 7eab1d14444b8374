//! `trainer`: trains networks on games.

mod compare;
mod export;
mod fit;
#[cfg(target_os = "linux")]
mod grow;
mod report;

use clap::{Parser, Subcommand};
use std::io;
use std::process::ExitCode;

/// Trains networks on self-play games (`selfplay`).
#[derive(Parser)]
#[command(version)]
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
    Compare(compare::CompareArguments),
    /// Convert a network for other engines: zones of the own king as HalfKA1
    Export(export::ExportArguments),
    /// Write a report of a training run: losses, calibration, weights by layer
    Report(report::ReportArguments),
}

fn main() -> ExitCode {
    sabi::cli::run_program(|arguments: Arguments| match arguments.command {
        Command::Fit(arguments) => arguments.run(&mut io::stdout()),
        #[cfg(target_os = "linux")]
        Command::Grow(arguments) => arguments.run(&mut io::stdout()),
        Command::Compare(arguments) => arguments.run(&mut io::stdout()),
        Command::Export(arguments) => arguments.run(),
        Command::Report(arguments) => arguments.run(),
    })
}
