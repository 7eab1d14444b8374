//! `data_tools`: inspects, checks and changes files of self-play games.

mod buckets;
mod check;
mod convert;
mod count;
mod files;
mod label;
mod merge;
mod search_tree;
mod shuffle;
mod teacher;

use clap::{Parser, Subcommand};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use teacher::TeacherArguments;

/// Inspects, checks and changes training data. Games are stored in .sabg files. An output replaces
/// an older file when it is complete.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show statistics: games, lengths, end reasons, scores
    Count {
        /// Inputs (.sabg)
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Check checksums, moves and results; fails on any fault
    Check {
        /// Inputs (.sabg)
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Merge files without duplicate games
    Merge(merge::Arguments),
    /// Shuffle games or positions
    Shuffle(shuffle::Arguments),
    /// Convert games to and from .sabg
    Convert(convert::Arguments),
    /// Replace scores by static evals of a network
    Label(TeacherArguments),
    /// Search positions and draw others from the search trees, with static evals as scores
    SearchTree(search_tree::Arguments),
}

fn main() -> ExitCode {
    sabi::cli::run_program(|arguments: Arguments| execute(&arguments.command, &mut io::stdout().lock()))
}

fn execute(command: &Command, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Command::Count { files } => count::run(files, out),
        Command::Check { files } => check::run(files, out),
        Command::Merge(arguments) => merge::run(arguments, out),
        Command::Shuffle(arguments) => shuffle::run(arguments, out),
        Command::Convert(arguments) => convert::run(arguments, out),
        Command::Label(arguments) => label::run(arguments, out),
        Command::SearchTree(arguments) => search_tree::run(arguments, out),
    }
}
