//! `book_tools`: looking into books, checking and changing them.

#[path = "../book_common/mod.rs"]
mod common;
mod show;
mod validate;

use anyhow::{Context, bail};
use clap::{Args, Parser, Subcommand};
use common::{Compression, GameArguments, MergeStrategy, count_games, load_book, merge_books, save, stats_of};
use sabi::book::build::{Learning, Limits, learn, trim};
use sabi::position::Position;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Looks into opening books, checks and changes them. A book that is read may be in any format; the extension of an
/// output names its format: .shob, .json or .db.
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
        /// So many positions at most
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
    },
    /// Print what a book says of a position
    Lookup {
        book: PathBuf,
        #[command(flatten)]
        place: Place,
    },
    /// Write a book in another format
    Export {
        book: PathBuf,
        #[command(flatten)]
        output: Output,
    },
    /// Add the results of games to the moves of a book
    Learn {
        book: PathBuf,
        /// Game records: files and directories
        #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
        games: Vec<PathBuf>,
        #[command(flatten)]
        filter: GameArguments,
        #[command(flatten)]
        output: Output,
        /// Add moves and positions that the book does not have
        #[arg(long)]
        add_new: bool,
        /// Drop moves with a lower win rate than this, in percent
        #[arg(long, value_name = "WIN_RATE", value_parser = percent)]
        drop_below: Option<u16>,
        /// Drop a move only after so many games
        #[arg(long, value_name = "N", default_value_t = 10)]
        drop_games: u32,
    },
    /// Compare two books
    Diff {
        first: PathBuf,
        second: PathBuf,
        /// Name so many positions of each kind
        #[arg(long, value_name = "N", default_value_t = 5)]
        limit: usize,
    },
}

#[derive(Args)]
struct Output {
    /// The book to write
    #[arg(long, value_name = "BOOK")]
    output: PathBuf,
    /// How a .shob book is packed
    #[arg(long, value_enum, default_value_t = Compression::Lz4)]
    compress: Compression,
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

/// A percentage in 1/10000 of the whole.
fn percent(text: &str) -> Result<u16, String> {
    let percent = text.trim_end_matches('%').parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
    let percent: f64 = percent.ok_or_else(|| "a win rate goes from 0 to 100".to_owned())?;
    Ok((percent * 100.0).round() as u16)
}

fn main() -> ExitCode {
    common::finish(obey(&Arguments::parse().command, &mut io::BufWriter::new(io::stdout().lock())))
}

fn obey(command: &Command, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Command::Stats { book } => write!(out, "{}", stats_of(book)?)?,
        Command::Validate { book } => validate::run(book, out)?,
        Command::Trim { book, output, min_games, max_ply, min_weight } => {
            let mut book = load_book(book)?.book;
            trim(&mut book, &Limits { min_games: *min_games, min_weight: *min_weight, max_ply: *max_ply });
            save(&book, output.compress, &output.output, out)?;
        }
        Command::Merge { books, output, strategy } => {
            save(&merge_books(books, *strategy)?, output.compress, &output.output, out)?;
        }
        Command::Dump { book, limit } => show::dump(book, *limit, out)?,
        Command::Lookup { book, place } => show::lookup(book, &place.position()?, out)?,
        Command::Export { book, output } => save(&load_book(book)?.book, output.compress, &output.output, out)?,
        Command::Learn { book, games, filter, output, add_new, drop_below, drop_games } => {
            let mut book = load_book(book)?.book;
            let counted = count_games(games, filter)?.into_book(1);
            let learning = Learning { add_new: *add_new, drop_below: *drop_below, drop_games: *drop_games };
            let (learnt, dropped) = learn(&mut book, counted, &learning);
            save(&book, output.compress, &output.output, out)?;
            writeln!(out, "moves learnt of     {learnt}, dropped {dropped}")?;
        }
        Command::Diff { first, second, limit } => {
            show::differences(&load_book(first)?.book, &load_book(second)?.book, *limit, out)?;
        }
    }
    Ok(out.flush()?)
}
