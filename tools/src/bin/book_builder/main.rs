//! `book_builder`: books from games, from books of other programs, and from several books.

use anyhow::{Context, ensure};
use clap::{ArgGroup, Parser};
use sabi::cli::{check_not_an_input, check_output};
use sabi_files::replace_with_bytes;
use sabi_tools::book::{MergeStrategy, TrimLimits};
use sabi_tools::cli::book::{
    BookOutput, Compression, GameArguments, count_games, load_book, merge_books, stats_of, trim_book,
};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Default minimum games of a move.
const MIN_GAMES: u32 = 3;

/// Builds opening books. The extension of the output selects its format: .shob, .json, .db or .ybb.
#[derive(Parser)]
#[command(name = env!("CARGO_BIN_NAME"), version)]
#[command(group = ArgGroup::new("source").required(true).args(["games", "input", "merge", "analyze"]))]
struct Arguments {
    /// Build from game records (CSA, KIF, KI2, JKF, PGN, USI, hcpe, PSV): files and folders, or -
    /// for standard input
    #[arg(long, value_name = "PATH", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Build from a book in any format
    #[arg(long, value_name = "BOOK")]
    input: Option<PathBuf>,
    /// Build from several books in any format
    #[arg(long, value_name = "BOOK", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// Show statistics of a book
    #[arg(long, value_name = "BOOK", conflicts_with_all = ["output", "compress", "min_games"])]
    analyze: Option<PathBuf>,
    /// Book to write
    #[arg(long, value_name = "BOOK")]
    output: Option<PathBuf>,
    /// Compression of a .shob book [default: lz4]
    #[arg(long, value_enum)]
    compress: Option<Compression>,
    /// Merge strategy [default: weighted-average]
    #[arg(long, value_enum)]
    strategy: Option<MergeStrategy>,
    /// Minimum games of a move, where the book has numbers of games [default: 3 with --games, else
    /// 0]
    #[arg(long, value_name = "N")]
    min_games: Option<u32>,
    /// Write the statistics of --analyze to this file
    #[arg(long, value_name = "FILE", requires = "analyze")]
    report: Option<PathBuf>,
    #[command(flatten)]
    filter: GameArguments,
}

fn main() -> ExitCode {
    sabi::cli::run_program(|arguments: Arguments| execute(&arguments, &mut io::stdout().lock()))
}

fn execute(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let filter = &arguments.filter;
    let filtered = filter.max_ply.is_some() || filter.min_rating.is_some() || filter.rated_only;
    ensure!(!arguments.games.is_empty() || !filtered, "--max-ply, --min-rating and --rated-only need --games");
    ensure!(!arguments.merge.is_empty() || arguments.strategy.is_none(), "--strategy needs --merge");
    if let Some(book) = &arguments.analyze {
        if let Some(report) = &arguments.report {
            check_not_an_input(report, [book])?;
            check_output(report, "the report", |head, _| head.starts_with(b"positions "))?;
        }
        let text = stats_of(book)?.to_string();
        return match &arguments.report {
            Some(path) => replace_with_bytes(path, text.as_bytes())
                .with_context(|| format!("cannot write the report '{}'", path.display())),
            None => Ok(write!(out, "{text}")?),
        };
    }
    let output = arguments.output.clone().context("--output is missing")?;
    let output = BookOutput { output, compress: arguments.compress };
    // Merging into one of the inputs is intended.
    check_not_an_input(&output.output, arguments.games.iter().chain(&arguments.input))?;
    let _lock = output.lock()?;
    let mut book = if !arguments.games.is_empty() {
        let statistics = count_games(&arguments.games, filter, false)?;
        statistics.into_book(arguments.min_games.unwrap_or(MIN_GAMES))
    } else if let Some(input) = &arguments.input {
        load_book(input)?.book
    } else {
        merge_books(&arguments.merge, arguments.strategy.unwrap_or(MergeStrategy::WeightedAverage))?
    };
    if arguments.games.is_empty() {
        trim_book(&mut book, &TrimLimits { min_games: arguments.min_games, ..TrimLimits::default() });
    }
    output.save(&book, out)
}
