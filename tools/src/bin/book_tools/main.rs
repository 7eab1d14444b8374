//! `book_tools`: inspects, checks and changes books.

mod learning;
mod openings;
mod output;
mod rescore;
mod searching;
mod show;
mod validate;

use anyhow::{Context, bail};
use clap::{Args, Parser, Subcommand};
use output::Output;
use sabi::engine::EMBEDDED_BOOK;
use sabi_books::Shob;
use sabi_shogi::Position;
use sabi_tools::book::{MergeStrategy, PruneCounts, PruneLimits, TrimLimits, prune};
use sabi_tools::cli::book::{load_book, merge_books, stats_of, trim_book};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Inspects, checks and changes opening books. Inputs may be in any format; the extension of an
/// output selects its format: .shob, .json, .db or .ybb.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show statistics of a book
    Stats { book: PathBuf },
    /// Check a book: checksums, positions, moves, and all lines from the start position; fails on
    /// any fault
    Validate { book: PathBuf },
    /// Drop rare and late moves
    Trim {
        book: PathBuf,
        #[command(flatten)]
        output: Output,
        /// Minimum games of a move, where the book has numbers of games
        #[arg(long, value_name = "N")]
        min_games: Option<u32>,
        /// Last position, by move number
        #[arg(long, value_name = "N")]
        max_ply: Option<u32>,
        /// Minimum weight of a move
        #[arg(long, value_name = "N")]
        min_weight: Option<u32>,
    },
    /// Merge books
    Merge {
        #[arg(required = true)]
        books: Vec<PathBuf>,
        #[command(flatten)]
        output: Output,
        /// Merge strategy
        #[arg(long, value_enum, default_value_t = MergeStrategy::WeightedAverage)]
        strategy: MergeStrategy,
    },
    /// Print the positions of a book
    Dump {
        book: PathBuf,
        /// Maximum positions
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
    },
    /// Print the moves of a position
    Lookup {
        book: PathBuf,
        #[command(flatten)]
        place: PositionArguments,
    },
    /// Write the embedded book of the engine
    Embedded {
        #[command(flatten)]
        output: Output,
    },
    /// Convert a book to another format
    Export {
        book: PathBuf,
        #[command(flatten)]
        output: Output,
    },
    /// Add the results of games to a book: of --games, or of those that the engine recorded beside the
    /// book
    Learn(learning::Arguments),
    /// Search the positions after book moves, and store the scores
    Rescore(rescore::Arguments),
    /// Back up scores through the lines, and drop losing moves
    Prune {
        book: PathBuf,
        #[command(flatten)]
        output: Output,
        /// Maximum loss of a move against the best of its position, in centipawns
        #[arg(long, value_name = "CP", default_value_t = 100, value_parser = clap::value_parser!(i32).range(0..=30_000))]
        max_loss: i32,
        /// Minimum score of a move, in centipawns
        #[arg(
            long,
            value_name = "CP",
            default_value_t = -200,
            allow_hyphen_values = true,
            value_parser = clap::value_parser!(i32).range(-32_000..=32_000)
        )]
        min_score: i32,
    },
    /// Write the openings of games after which a search finds neither side ahead, for matches
    Openings(openings::Arguments),
    /// Compare two books
    Diff {
        first: PathBuf,
        second: PathBuf,
        /// Number of positions listed of each kind
        #[arg(long, value_name = "N", default_value_t = 5)]
        limit: usize,
    },
}

#[derive(Args)]
struct PositionArguments {
    /// Position [default: the start position, if --moves is given]
    #[arg(long)]
    sfen: Option<String>,
    /// Moves from there in USI: "7g7f 3c3d"
    #[arg(long)]
    moves: Option<String>,
}

impl PositionArguments {
    fn position(&self) -> anyhow::Result<Position> {
        let root = match &self.sfen {
            Some(sfen) => Position::from_sfen(sfen).with_context(|| format!("cannot read the position '{sfen}'"))?,
            None if self.moves.is_some() => Position::startpos(),
            None => bail!("a position is missing: --sfen SFEN, --moves \"7g7f 3c3d\", or both"),
        };
        Ok(root.with_moves(self.moves.as_deref().unwrap_or_default().split_whitespace())?)
    }
}

fn main() -> ExitCode {
    sabi::cli::run_program(|arguments: Arguments| {
        execute(&arguments.command, &mut io::BufWriter::new(io::stdout().lock()))
    })
}

fn execute(command: &Command, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Command::Stats { book } => write!(out, "{}", stats_of(book)?)?,
        Command::Validate { book } => validate::run(book, out)?,
        Command::Trim { book, output, min_games, max_ply, min_weight } => {
            let _lock = output.lock()?;
            let mut book = load_book(book)?.book;
            trim_book(&mut book, &TrimLimits { min_games: *min_games, min_weight: *min_weight, max_ply: *max_ply });
            output.save(&book, out)?;
        }
        Command::Merge { books, output, strategy } => {
            let _lock = output.lock()?;
            output.save(&merge_books(books, *strategy)?, out)?;
        }
        Command::Dump { book, limit } => show::dump(book, *limit, out)?,
        Command::Lookup { book, place } => show::lookup(book, &place.position()?, out)?,
        Command::Export { book, output } => {
            output.check_not_an_input(std::slice::from_ref(book))?;
            let _lock = output.lock()?;
            output.save(&load_book(book)?.book, out)?;
        }
        Command::Embedded { output } => {
            let _lock = output.lock()?;
            output.save(&Shob::new(EMBEDDED_BOOK)?.to_map()?, out)?;
        }
        Command::Learn(arguments) => learning::run(arguments, out)?,
        Command::Rescore(arguments) => rescore::run(arguments, out)?,
        Command::Prune { book, output, max_loss, min_score } => {
            let _lock = output.lock()?;
            let mut book = load_book(book)?.book;
            let pruned = prune(&mut book, PruneLimits { max_loss: *max_loss, min_score: *min_score });
            output.save(&book, out)?;
            let PruneCounts { blunders, lost, illegal, unscored } = pruned;
            writeln!(
                out,
                "dropped: {blunders} blunders, {lost} lost, {illegal} illegal; kept without a score: {unscored}"
            )?;
        }
        Command::Openings(arguments) => openings::run(arguments, out)?,
        Command::Diff { first, second, limit } => {
            show::differences(&load_book(first)?.book, &load_book(second)?.book, *limit, out)?;
        }
    }
    Ok(out.flush()?)
}
