//! Counting the games of files and directories.

use super::progress_bar;
use anyhow::{Context, ensure};
use clap::Args;
use sabi::book::build::{GameFilter, Tally};
use sabi::record::{BadGames, Game, RecordError, read_file, record_files};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

/// Games on their way from the reader to the counter.
const QUEUE: usize = 256;
/// How far games count, unless told otherwise.
const MAX_PLY: u32 = 40;

#[derive(Args)]
pub struct GameArguments {
    /// The last move of a game that counts [default: 40]
    #[arg(long, value_name = "PLY", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_ply: Option<u32>,
    /// The least rating of both players; games that tell no rating pass
    #[arg(long, value_name = "RATING", value_parser = rating)]
    pub min_rating: Option<f64>,
    /// Leave out games that do not tell the ratings of both players
    #[arg(long)]
    pub rated_only: bool,
}

fn rating(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|rating: &f64| rating.is_finite()).ok_or_else(|| "this is no rating".to_owned())
}

impl GameArguments {
    /// The filter, with this last move where none is named.
    pub fn filter(&self, max_ply: u32) -> GameFilter {
        let max_ply = self.max_ply.unwrap_or(max_ply);
        GameFilter { max_ply, min_rating: self.min_rating, rated_only: self.rated_only }
    }
}

enum News {
    Game(Box<Game>),
    Bad(RecordError),
    FileDone,
}

/// Counts the games below `roots`. One thread reads, this one counts.
pub fn count_games(roots: &[PathBuf], arguments: &GameArguments) -> anyhow::Result<Tally> {
    let start = Instant::now();
    let mut tally = Tally::new(arguments.filter(MAX_PLY));
    let (mut bad, mut read) = (BadGames::default(), 0u64);
    let mut files = Vec::new();
    for root in roots {
        std::fs::metadata(root).with_context(|| format!("cannot read games from '{}'", root.display()))?;
        for file in record_files(root) {
            match file {
                Ok(file) => files.push(file),
                Err(error) => bad.note(&error),
            }
        }
    }
    let bar = progress_bar(files.len() as u64, "files")?;
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(QUEUE);
        let files = &files;
        scope.spawn(move || files.iter().try_for_each(|file| send_games(file, &sender)));
        for news in receiver {
            match news {
                News::Game(game) => {
                    read += 1;
                    tally.add(&game);
                }
                News::Bad(error) => bad.note(&error),
                News::FileDone => {
                    bar.inc(1);
                    bar.set_message(format!("{read} games"));
                }
            }
        }
    });
    bar.finish_and_clear();
    let counts = tally.counts();
    // On stderr, and whoever does not read it does not keep the book from being written.
    let mut err = io::stderr().lock();
    let seconds = start.elapsed().as_secs_f64();
    let _ = writeln!(err, "{read} games from {} files in {seconds:.1} s", files.len());
    let _ = writeln!(err, "used {}, of them with unknown result {}", counts.used, counts.unknown_result);
    let _ = writeln!(err, "left out: {} by rating, {} without a move in range", counts.filtered, counts.empty);
    if counts.unpackable > 0 {
        let _ =
            writeln!(err, "{} positions left out: a king is missing, and they do not fit a book", counts.unpackable);
    }
    if bad.total() > 0 {
        let _ = writeln!(err, "{bad}");
    }
    drop(err);
    ensure!(counts.used > 0, "no game could be used: {read} were read, {} left out by rating", counts.filtered);
    Ok(tally)
}

/// `None` when the counter is gone.
fn send_games(file: &Path, sender: &SyncSender<News>) -> Option<()> {
    for game in read_file(file) {
        sender.send(game.map_or_else(News::Bad, |game| News::Game(Box::new(game)))).ok()?;
    }
    sender.send(News::FileDone).ok()
}
