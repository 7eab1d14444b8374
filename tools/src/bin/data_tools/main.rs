//! `data_tools`: inspects, checks and changes files of self-play games.

mod convert;
mod files;
mod inspect;
mod labels;
mod shuffle;

use clap::{Parser, Subcommand};
use convert::{ConvertArguments, convert};
use inspect::{check, count};
use labels::{SearchTreeArguments, TeacherArguments, label, search_tree};
use shuffle::{MergeArguments, ShuffleArguments, merge, shuffle};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Inspects, checks and changes training data. Games are stored in .sabg files. An output replaces
/// an older file when it is complete.
#[derive(Parser)]
#[command(name = env!("CARGO_BIN_NAME"), version)]
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
    Merge(MergeArguments),
    /// Shuffle games or positions
    Shuffle(ShuffleArguments),
    /// Convert games to and from .sabg
    Convert(ConvertArguments),
    /// Replace scores by static evals of a network
    Label(TeacherArguments),
    /// Search positions and draw others from the search trees, with static evals as scores
    SearchTree(SearchTreeArguments),
}

fn main() -> ExitCode {
    sabi::cli::run_program(|arguments: Arguments| execute(&arguments.command, &mut io::stdout().lock()))
}

fn execute(command: &Command, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Command::Count { files } => count(files, out),
        Command::Check { files } => check(files, out),
        Command::Merge(arguments) => merge(arguments, out),
        Command::Shuffle(arguments) => shuffle(arguments, out),
        Command::Convert(arguments) => convert(arguments, out),
        Command::Label(arguments) => label(arguments, out),
        Command::SearchTree(arguments) => search_tree(arguments, out),
    }
}
