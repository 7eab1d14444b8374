//! `trainer`: networks out of games.

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

/// Trains networks on games of self-play (`selfplay`).
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
    /// Play games, train, and test against the best network, again and again
    #[cfg(target_os = "linux")]
    Grow(Box<grow::GrowArguments>),
    /// Write a network as other engines read it: one with zones of the own king as HalfKA1
    Export(export::ExportArguments),
    /// Show what became of a training as a page: losses, calibration, weights by layer
    Report(report::ReportArguments),
}

#[derive(Args)]
struct Working {
    /// Threads; they change nothing but the time [default: one for each processor core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl Working {
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
