//! Adding games to a book: given ones, or those that the engine recorded beside it.

use anyhow::{Context, bail, ensure};
use clap::Args;
use sabi::cli::check_not_an_input;
use sabi_books::{
    BookMap,
    learning::{LearningFile, learning_file_of},
};
use sabi_files::is_same_file;
use sabi_records::{BadGames, Fault};
use sabi_tools::book::{LearnSettings, OpeningStatistics, has_games, learn};
use sabi_tools::cli::book::{BookOutput, GameArguments, count_games, load_book};
use sabi_tools::cli::report_bad;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Args)]
pub struct LearnArguments {
    book: PathBuf,
    /// Game records: files and folders; without this option, the games that the engine recorded in
    /// BOOK.learn, with all their moves. That list is removed when the output is the book itself
    #[arg(long, value_name = "PATH", num_args = 1..)]
    games: Vec<PathBuf>,
    #[command(flatten)]
    filter: GameArguments,
    #[command(flatten)]
    output: BookOutput,
    #[command(flatten)]
    learning: LearnSettings,
}

/// Adds game counts to a book.
pub fn run(arguments: &LearnArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let _lock = arguments.output.lock()?;
    let (book, output) = (&arguments.book, &arguments.output.output);
    check_not_an_input(output, &arguments.games)?;
    let finish = |_: &[u8]| LearningFile::finish(output);
    if !arguments.games.is_empty() {
        let known = load_known(arguments)?;
        // A game without a result has no win rate to learn from.
        let statistics = count_games(&arguments.games, &arguments.filter, true)?;
        return add_games(known, statistics, arguments, finish, out);
    }
    ensure!(!arguments.filter.rated_only, "--rated-only needs --games: the engine notes no ratings");
    let context = || format!("cannot learn from '{}'", learning_file_of(book).display());
    let mut found = false;
    if is_same_file(book, output) {
        let is_one_path = fs::canonicalize(book).ok() == fs::canonicalize(output).ok();
        let name = book.display();
        ensure!(is_one_path, "'{}' is a hard link of '{name}', which would stay as it is", output.display());
        // Before the list is taken: it is removed afterwards.
        check_holds_results(&arguments.output, false)?;
        while let Some(mut learning_file) = LearningFile::take(book).with_context(context)? {
            let known = load_book(book)?.book;
            let statistics = count_learning_games(&[&learning_file], arguments)?;
            add_games(known, statistics, arguments, |book| learning_file.record_merge(book), out)?;
            learning_file.remove().with_context(context)?;
            found = true;
        }
    } else {
        let files = LearningFile::peek(book).with_context(context)?;
        found = !files.is_empty();
        if found {
            let files: Vec<&LearningFile> = files.iter().collect();
            add_games(load_known(arguments)?, count_learning_games(&files, arguments)?, arguments, finish, out)?;
        }
    }
    if !found {
        bail!("no games: '{}' does not exist, and --games is not given", learning_file_of(book).display());
    }
    Ok(())
}

/// Loads the book, and checks that the output can hold what is added.
fn load_known(arguments: &LearnArguments) -> anyhow::Result<BookMap> {
    let known = load_book(&arguments.book)?.book;
    check_holds_results(&arguments.output, has_games(&known))?;
    Ok(known)
}

/// Checks that a book of this extension can hold the results of games. The others hold at best
/// weights, which grow only where the book has `counted` games.
fn check_holds_results(output: &BookOutput, counted: bool) -> anyhow::Result<()> {
    let name = output.output.display();
    ensure!(counted || output.holds_all(), "'{name}' cannot hold results of games; name a .shob or .json as --output");
    Ok(())
}

fn add_games(
    mut book: BookMap,
    statistics: OpeningStatistics,
    arguments: &LearnArguments,
    announce: impl FnOnce(&[u8]) -> io::Result<()>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    // Where the engine rotates the board, so does its book.
    let learning = LearnSettings { rotated: arguments.games.is_empty(), ..arguments.learning };
    let (updated, dropped) = learn(&mut book, statistics.into_book(1), &learning);
    arguments.output.announce_and_save(&book, announce, out)?;
    Ok(writeln!(out, "moves updated       {updated}, dropped {dropped}")?)
}

/// Counts all moves of noted games. Invalid lines are reported on stderr; a list that cannot be
/// read completely is not used.
fn count_learning_games(lists: &[&LearningFile], arguments: &LearnArguments) -> anyhow::Result<OpeningStatistics> {
    let mut statistics = OpeningStatistics::new(arguments.filter.filter(u32::MAX, true));
    let mut bad = BadGames::default();
    for list in lists {
        let context = || format!("cannot read '{}'", list.path.display());
        for game in list.games().with_context(context)? {
            match game {
                Ok(game) => statistics.add(&game),
                Err(error) if matches!(error.fault, Fault::Io(_)) => return Err(error.into()),
                Err(error) => bad.note(&error),
            }
        }
    }
    // Errors on stderr do not prevent the book from being written.
    let _ = writeln!(io::stderr(), "used {} games recorded beside the book", statistics.counts.used);
    report_bad(&bad);
    Ok(statistics)
}
