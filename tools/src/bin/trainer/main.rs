//! `trainer`: trains networks on games.

mod export;
mod fit;
#[cfg(target_os = "linux")]
mod grow;
mod report;

use clap::{Args, Parser, Subcommand};
use std::io;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::thread::available_parallelism;

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
    /// Convert a network for other engines: zones of the own king as HalfKA1
    Export(export::ExportArguments),
    /// Write a report of a training run: losses, calibration, weights by layer
    Report(report::ReportArguments),
}

#[derive(Args)]
struct ThreadArguments {
    /// Threads; results do not depend on them [default: all processor cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl ThreadArguments {
    fn threads(&self) -> io::Result<usize> {
        Ok(self.threads.map_or_else(available_parallelism, Ok)?.get())
    }
}

fn main() -> ExitCode {
    sabi::cli::run_program(|| match Arguments::parse().command {
        Command::Fit(arguments) => arguments.run(&mut io::stdout()),
        #[cfg(target_os = "linux")]
        Command::Grow(arguments) => arguments.run(&mut io::stdout()),
        Command::Export(arguments) => arguments.run(),
        Command::Report(arguments) => arguments.run(),
    })
}
