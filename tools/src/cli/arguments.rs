//! What several programs have on the command line: numbers, threads, reports, games to read.

use anyhow::{Context, ensure};
use clap::{Args, value_parser};
use sabi::analysis::is_html_page;
use sabi::cli::{check_output, game_files, games_of, progress_bar, report_left_out};
use sabi_files::replace_with_bytes;
use sabi_records::{BadGames, Game, RecordError, Warnings};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, available_parallelism};

/// Games buffered between reader thread and consumer.
const QUEUE: usize = 256;

// Parsers of numbers; errors say what is expected.

fn number(text: &str, is_valid: impl Fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&number: &f64| number.is_finite() && is_valid(number)).ok_or_else(|| expected.to_owned())
}

/// A finite number.
pub fn finite(text: &str) -> Result<f64, String> {
    number(text, |_| true, "not a number")
}

/// A number, 0 or more.
pub fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0, "expected a number, 0 or more")
}

/// A number above 0.
pub fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0, "expected a number above 0")
}

/// A number above 0, up to `most`.
pub fn positive_up_to(most: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        number(text, |number| number > 0.0 && number <= most, &format!("expected a number above 0, up to {most}"))
    }
}

/// A number from 0 to 1.
pub fn fraction(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..=1.0).contains(&number), "expected a number from 0 to 1")
}

#[derive(Args)]
pub struct ThreadArguments {
    /// Threads; results do not depend on them [default: all processor cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
}

impl ThreadArguments {
    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
    }
}

/// [`check_output`] for a report, before the work.
pub fn check_page(path: &Path) -> anyhow::Result<()> {
    let is_page = path.extension().is_some_and(|extension| extension == "html");
    ensure!(is_page, "a report is written as .html, not as '{}'", path.display());
    check_output(path, "the report", |head, _| is_html_page(head))
}

/// Writes a report.
pub fn write_page(path: &Path, html: &str) -> anyhow::Result<()> {
    replace_with_bytes(path, html.as_bytes()).with_context(|| format!("cannot write the report '{}'", path.display()))
}

/// Results of reading.
pub struct ReadCounts {
    /// Number of files.
    pub files: usize,
    /// Games and files that could not be read.
    pub bad: BadGames,
}

enum Message {
    Game(Box<Game>),
    Bad(RecordError),
    /// What its reader left out, once the file is read.
    FileDone(Warnings),
}

/// Passes the games in `roots` to `each`, in order. A thread reads ahead; stops when `each` fails.
pub fn each_game(roots: &[PathBuf], each: impl FnMut(Game) -> anyhow::Result<()>) -> anyhow::Result<ReadCounts> {
    let mut bad = BadGames::default();
    let files = game_files(roots, |error| bad.note(error))?;
    each_game_of(&files, &mut bad, each)?;
    Ok(ReadCounts { files: files.len(), bad })
}

/// Passes the games of these files to `each`, as [`each_game`] does; `bad` counts what could not be
/// read.
pub fn each_game_of(
    files: &[PathBuf],
    bad: &mut BadGames,
    mut each: impl FnMut(Game) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut games = 0u64;
    let bar = progress_bar(files.len() as u64, "files")?;
    let outcome = thread::scope(|scope| {
        let (sender, receiver) = sync_channel(QUEUE);
        scope.spawn(move || files.iter().try_for_each(|file| send_games(file, &sender)));
        let mut files = files.iter();
        for message in receiver {
            match message {
                Message::Game(game) => {
                    games += 1;
                    each(*game)?;
                    bar.set_message(format!("{games} games"));
                }
                Message::Bad(error) => bad.note(&error),
                Message::FileDone(warnings) => {
                    bar.inc(1);
                    if let Some(file) = files.next() {
                        bar.suspend(|| report_left_out(file, &warnings));
                    }
                }
            }
        }
        anyhow::Ok(())
    });
    bar.finish_and_clear();
    outcome
}

/// Reports bad games on stderr; errors there are ignored.
pub fn report_bad(bad: &BadGames) {
    if bad.total() > 0 {
        let _ = writeln!(io::stderr(), "warning: {bad}");
    }
}

/// `None` when the consumer has stopped.
fn send_games(file: &Path, sender: &SyncSender<Message>) -> Option<()> {
    let mut games = games_of(file);
    for game in games.by_ref() {
        sender.send(game.map_or_else(Message::Bad, |game| Message::Game(Box::new(game)))).ok()?;
    }
    sender.send(Message::FileDone(games.warnings().clone())).ok()
}
