//! `book_tools`: looking into books, checking and changing them.

mod learning;
mod output;
mod rescore;
mod show;
mod validate;

use anyhow::{Context, bail};
use clap::{Args, Parser, Subcommand};
use output::Output;
use sabi::book::{EMBEDDED, Shob};
use sabi::position::Position;
use sabi_tools::book::{Limits, PruneLimits, Pruned, prune, trim};
use sabi_tools::cli::book::{MergeStrategy, load_book, merge_books, stats_of};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Looks into opening books, checks and changes them. A book that is read may be in any format; the extension of an
/// output names its format: .shob, .json, .db or .ybb.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Tell what a book is like
    Stats { book: PathBuf },
    /// Check a book: checksums, positions, moves, and every line from the start; fails when anything is wrong
    Validate { book: PathBuf },
    /// Leave out what is rare or late
    Trim {
        book: PathBuf,
        #[command(flatten)]
        output: Output,
        /// The least number of games of a move
        #[arg(long, value_name = "N")]
        min_games: Option<u32>,
        /// The last position, by its number
        #[arg(long, value_name = "N")]
        max_ply: Option<u32>,
        /// The least weight of a move
        #[arg(long, value_name = "N")]
        min_weight: Option<u32>,
    },
    /// Make one book of several
    Merge {
        #[arg(required = true)]
        books: Vec<PathBuf>,
        #[command(flatten)]
        output: Output,
        /// What becomes of a move that several books know
        #[arg(long, value_enum, default_value_t = MergeStrategy::WeightedAverage)]
        strategy: MergeStrategy,
    },
    /// Print the positions of a book
    Dump {
        book: PathBuf,
        /// The most positions
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
    },
    /// Print what a book says of a position
    Lookup {
        book: PathBuf,
        #[command(flatten)]
        place: Place,
    },
    /// Write the book that comes with the engine
    Embedded {
        #[command(flatten)]
        output: Output,
    },
    /// Write a book in another format
    Export {
        book: PathBuf,
        #[command(flatten)]
        output: Output,
    },
    /// Add the results of games to the moves of a book: of --games, or of those that the engine has noted beside the book
    Learn(learning::Arguments),
    /// Search the positions behind the moves of a book, and keep the scores
    Rescore(rescore::Arguments),
    /// Carry the scores back through the lines, and leave out the moves that lose
    Prune {
        book: PathBuf,
        #[command(flatten)]
        output: Output,
        /// Centipawns by which a move may be worse than the best of its position
        #[arg(long, value_name = "CP", default_value_t = 100, value_parser = clap::value_parser!(i32).range(0..=30_000))]
        max_loss: i32,
        /// The least score of a move, in centipawns
        #[arg(
            long,
            value_name = "CP",
            default_value_t = -200,
            allow_hyphen_values = true,
            value_parser = clap::value_parser!(i32).range(-32_000..=32_000)
        )]
        min_score: i32,
    },
    /// Compare two books
    Diff {
        first: PathBuf,
        second: PathBuf,
        /// How many positions of each kind to name
        #[arg(long, value_name = "N", default_value_t = 5)]
        limit: usize,
    },
}

#[derive(Args)]
struct Place {
    /// The position; the start of an even game when left out
    #[arg(long)]
    sfen: Option<String>,
    /// Moves that lead on from there, in USI notation: "7g7f 3c3d"
    #[arg(long)]
    moves: Option<String>,
}

impl Place {
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
    sabi::cli::run_program(|| obey(&Arguments::parse().command, &mut io::BufWriter::new(io::stdout().lock())))
}

fn obey(command: &Command, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Command::Stats { book } => write!(out, "{}", stats_of(book)?)?,
        Command::Validate { book } => validate::run(book, out)?,
        Command::Trim { book, output, min_games, max_ply, min_weight } => {
            let mut book = load_book(book)?.book;
            trim(&mut book, &Limits { min_games: *min_games, min_weight: *min_weight, max_ply: *max_ply });
            output.save(&book, out)?;
        }
        Command::Merge { books, output, strategy } => {
            output.save(&merge_books(books, *strategy)?, out)?;
        }
        Command::Dump { book, limit } => show::dump(book, *limit, out)?,
        Command::Lookup { book, place } => show::lookup(book, &place.position()?, out)?,
        Command::Export { book, output } => {
            output.check_apart(std::slice::from_ref(book))?;
            output.save(&load_book(book)?.book, out)?;
        }
        Command::Embedded { output } => output.save(&Shob::from_static(EMBEDDED)?.to_map()?, out)?,
        Command::Learn(arguments) => learning::run(arguments, out)?,
        Command::Rescore(arguments) => rescore::run(arguments, out)?,
        Command::Prune { book, output, max_loss, min_score } => {
            let mut book = load_book(book)?.book;
            let pruned = prune(&mut book, PruneLimits { max_loss: *max_loss, min_score: *min_score });
            output.save(&book, out)?;
            let Pruned { blunders, lost, illegal, unscored } = pruned;
            writeln!(
                out,
                "dropped: {blunders} blunders, {lost} lost, {illegal} illegal; kept without a score: {unscored}"
            )?;
        }
        Command::Diff { first, second, limit } => {
            show::differences(&load_book(first)?.book, &load_book(second)?.book, *limit, out)?;
        }
    }
    Ok(out.flush()?)
}
