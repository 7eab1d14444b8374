//! `book_tools`: inspects, checks and changes books.

mod learning;
mod searching;
mod show;

use anyhow::{Context, bail, ensure};
use clap::{Args, Parser, Subcommand};
use sabi::cli::check_not_an_input;
use sabi::engine::EMBEDDED_BOOK;
use sabi_books::Shob;
use sabi_shogi::Position;
use sabi_tools::book::{MergeStrategy, PruneCounts, PruneLimits, TrimLimits, prune};
use sabi_tools::cli::book::{BookOutput, load_book, merge_books, stats_of, trim_book};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Inspects, checks and changes opening books. Inputs may be in any format; the extension of an
/// output selects its format: .shob, .json, .db or .ybb.
#[derive(Parser)]
#[command(name = env!("CARGO_BIN_NAME"), version)]
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
        output: BookOutput,
        #[command(flatten)]
        limits: TrimLimits,
    },
    /// Merge books
    Merge {
        #[arg(required = true)]
        books: Vec<PathBuf>,
        #[command(flatten)]
        output: BookOutput,
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
        output: BookOutput,
    },
    /// Convert a book to another format
    Export {
        book: PathBuf,
        #[command(flatten)]
        output: BookOutput,
    },
    /// Add the results of games to a book: of --games, or of those that the engine recorded beside the
    /// book
    Learn(learning::LearnArguments),
    /// Search the positions after book moves, and store the scores
    Rescore(searching::RescoreArguments),
    /// Back up scores through the lines, and drop losing moves
    Prune {
        book: PathBuf,
        #[command(flatten)]
        output: BookOutput,
        #[command(flatten)]
        limits: PruneLimits,
    },
    /// Write the openings of games after which a search finds neither side ahead, for matches
    Openings(searching::OpeningsArguments),
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
    /// Moves from there, in USI or Japanese: "7g7f 3c3d", "▲７六歩 △３四歩"
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
        show::play(root, self.moves.as_deref().unwrap_or_default())
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
        Command::Validate { book } => show::validate(book, out)?,
        Command::Trim { book, output, limits } => {
            let _lock = output.lock()?;
            let mut book = load_book(book)?.book;
            trim_book(&mut book, limits);
            output.save(&book, out)?;
        }
        Command::Merge { books, output, strategy } => {
            let _lock = output.lock()?;
            output.save(&merge_books(books, *strategy)?, out)?;
        }
        Command::Dump { book, limit } => show::dump(book, *limit, out)?,
        Command::Lookup { book, place } => show::lookup(book, &place.position()?, out)?,
        Command::Export { book, output } => {
            check_not_an_input(&output.output, [book])?;
            let _lock = output.lock()?;
            output.save(&load_book(book)?.book, out)?;
        }
        Command::Embedded { output } => {
            let _lock = output.lock()?;
            output.save(&Shob::new(EMBEDDED_BOOK)?.to_map()?, out)?;
        }
        Command::Learn(arguments) => learning::run(arguments, out)?,
        Command::Rescore(arguments) => searching::rescore(arguments, out)?,
        Command::Prune { book, output, limits } => {
            let _lock = output.lock()?;
            let mut book = load_book(book)?.book;
            let is_scored = book.values().any(|entry| entry.moves.iter().any(|known| known.score.is_some()));
            ensure!(
                is_scored,
                "no move of the book has a score, so none can be judged: score them by 'book_tools rescore'"
            );
            let PruneCounts { blunders, lost, illegal, unscored } = prune(&mut book, *limits);
            output.save(&book, out)?;
            let hint = if unscored > 0 { " ('book_tools rescore' scores them)" } else { "" };
            writeln!(
                out,
                "dropped: {blunders} blunders, {lost} lost, {illegal} illegal; kept without a score: {unscored}{hint}"
            )?;
        }
        Command::Openings(arguments) => searching::openings(arguments, out)?,
        Command::Diff { first, second, limit } => {
            show::differences(&load_book(first)?.book, &load_book(second)?.book, *limit, out)?;
        }
    }
    Ok(out.flush()?)
}
