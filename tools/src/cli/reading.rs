//! Streaming games from files and folders.

use sabi::cli::{game_files, games_of, progress_bar};
use sabi_records::{BadGames, Game, RecordError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// Games buffered between reader thread and consumer.
const QUEUE: usize = 256;

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
    FileDone,
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
        for message in receiver {
            match message {
                Message::Game(game) => {
                    games += 1;
                    each(*game)?;
                    bar.set_message(format!("{games} games"));
                }
                Message::Bad(error) => bad.note(&error),
                Message::FileDone => bar.inc(1),
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
    for game in games_of(file) {
        sender.send(game.map_or_else(Message::Bad, |game| Message::Game(Box::new(game)))).ok()?;
    }
    sender.send(Message::FileDone).ok()
}
