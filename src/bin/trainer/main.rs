//! `trainer`: networks out of games.

#[path = "../common/ending.rs"]
mod ending;
mod fit;
#[cfg(target_os = "linux")]
mod grow;
#[path = "../common/output.rs"]
mod output;
#[path = "../common/page.rs"]
mod page;
#[path = "../common/progress.rs"]
mod progress;
mod report;

use clap::{Args, Parser, Subcommand};
use std::io;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::thread::available_parallelism;

/// Trains networks on games of self-play (`sabi selfplay`).
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
    ending::finish(match Arguments::parse().command {
        Command::Fit(arguments) => arguments.run(&mut io::stdout()),
        #[cfg(target_os = "linux")]
        Command::Grow(arguments) => arguments.run(&mut io::stdout()),
        Command::Report(arguments) => arguments.run(),
    })
}
