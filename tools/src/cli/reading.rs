//! Reading the games of files and directories, however many there are.

use anyhow::Context;
use sabi::cli::{files_below, games_of, progress_bar};
use sabi::record::{BadGames, Game, RecordError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// Games on their way from the thread that reads.
const QUEUE: usize = 256;

/// What was found.
pub struct Found {
    /// Files of games.
    pub files: usize,
    /// What could not be read.
    pub bad: BadGames,
}

enum News {
    Game(Box<Game>),
    Bad(RecordError),
    FileDone,
}

/// Hands over the games below `roots`, in order. One thread reads, this one works; the work ends when `each` fails.
pub fn each_game(roots: &[PathBuf], mut each: impl FnMut(Game) -> anyhow::Result<()>) -> anyhow::Result<Found> {
    let (mut files, mut games, mut bad) = (Vec::new(), 0u64, BadGames::default());
    for root in roots {
        for file in files_below(root) {
            match file {
                Ok(file) => files.push(file),
                // What is named must be there; what lies in a folder may be anything.
                Err(error) if error.file == *root => {
                    return Err(error).with_context(|| format!("cannot read games from '{}'", root.display()));
                }
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
                    games += 1;
                    each(*game)?;
                    bar.set_message(format!("{games} games"));
                }
                News::Bad(error) => bad.note(&error),
                News::FileDone => bar.inc(1),
            }
        }
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    Ok(Found { files: files.len(), bad })
}

/// `None` when nobody wants more.
fn send_games(file: &Path, sender: &SyncSender<News>) -> Option<()> {
    for game in games_of(file) {
        sender.send(game.map_or_else(News::Bad, |game| News::Game(Box::new(game)))).ok()?;
    }
    sender.send(News::FileDone).ok()
}
