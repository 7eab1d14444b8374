//! `trainer`: networks out of games.

#[path = "../common/ending.rs"]
mod ending;
mod fit;
#[path = "../common/progress.rs"]
mod progress;

use clap::{Parser, Subcommand};
use std::io;
use std::process::ExitCode;

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
}

fn main() -> ExitCode {
    let Command::Fit(arguments) = Arguments::parse().command;
    ending::finish(arguments.run(&mut io::stdout()))
}
