//! `data_tools`: files of games that the engine has played with itself, looked into, checked and changed.

mod buckets;
mod check;
mod convert;
mod count;
mod files;
mod merge;
mod shuffle;

use clap::{Parser, Subcommand};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Looks into training data, checks and changes it. Games are kept in files that end with .sabg. An output takes the place of an older
/// file when it is whole.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Tell what the games are like: how many, how long, how they ended, what the scores are
    Count {
        /// .sabg
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Check checksums, moves and results; fails when anything is wrong
    Check {
        /// .sabg
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Make one file of several, without the games that are there already
    Merge(merge::Arguments),
    /// Shuffle games, or positions
    Shuffle(shuffle::Arguments),
    /// Write games in another format, or games of another format as .sabg
    Convert(convert::Arguments),
}

fn main() -> ExitCode {
    sabi::cli::run_program(|| obey(&Arguments::parse().command, &mut io::stdout().lock()))
}

fn obey(command: &Command, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Command::Count { files } => count::run(files, out),
        Command::Check { files } => check::run(files, out),
        Command::Merge(arguments) => merge::run(arguments, out),
        Command::Shuffle(arguments) => shuffle::run(arguments, out),
        Command::Convert(arguments) => convert::run(arguments, out),
    }
}
