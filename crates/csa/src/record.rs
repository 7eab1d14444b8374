//! The record of a game: its file, and the game in the lines of a server.

use super::message::{self, GameSummary, Message};
use sabi_files::replace_with_bytes;
use sabi_records::{Game, Notation, read_csa_move};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Maximum length of a name in bytes; file systems allow 255.
const MAX_NAME: usize = 150;

/// The file of a game, rewritten as the game continues.
#[derive(Clone, Debug)]
pub(super) struct RecordFile {
    path: PathBuf,
}

impl RecordFile {
    /// A new file, named after the game.
    pub(super) fn new(folder: &Path, name: &str) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let stem = file_name(name);
        let mut names =
            std::iter::once(format!("{stem}.csa")).chain((2..).map(|number| format!("{stem}-{number}.csa")));
        // Another client may save to the same folder: the first to create the file gets the name.
        let created = names.find_map(|name| {
            let path = folder.join(name);
            match File::create_new(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
                created => Some(created.map(|_| Self { path })),
            }
        });
        created.unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the current game, replacing the previous content.
    pub(super) fn save(&self, game: &Game) -> io::Result<()> {
        let text = Notation::Csa.write(game) + "\n";
        replace_with_bytes(&self.path, text.as_bytes())
    }
}

/// A server's game id as a portable file name without path separators.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "+-_@.".contains(c) { c } else { '_' };
    let name: String = name.chars().take(MAX_NAME).map(plain).collect();
    if name.is_empty() || name.starts_with('.') { format!("game{name}") } else { name }
}

/// The game of a summary and the moves after it, with times as counted on the clocks: without a
/// connection, for tests with arbitrary lines.
///
/// # Errors
/// A message about the first line that a client would reject.
pub fn game_of_lines(text: &str) -> Result<Game, String> {
    let mut lines = text.lines().skip_while(|line| message::parse(line) != Message::Summary).skip(1);
    let summary: Vec<_> =
        lines.by_ref().take_while(|line| line.trim() != "END Game_Summary").map(str::to_owned).collect();
    let summary = GameSummary::parse(&summary).map_err(|error| error.to_string())?;
    let mut clocks = summary.clocks(false);
    let mut game = summary.record(&clocks);
    let mut position = game.last_position();
    for line in lines {
        let Message::Move { text, time } = message::parse(line) else { continue };
        let mv = read_csa_move(&position, text).map_err(|fault| fault.to_string())?;
        let side = position.side_to_move();
        let used = clocks.used(side, time, Duration::ZERO);
        clocks.spend(side, used, true);
        position.play(mv);
        game.push(mv, Some(used), None);
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_shogi::Position;

    #[test]
    fn record_names_stay_in_folder() {
        assert_eq!(file_name("wdoor+floodgate-300-10F+a+b+2026"), "wdoor+floodgate-300-10F+a+b+2026");
        for name in ["", ".", "..", "../../x", "/etc/passwd", "a\\b", "C:x", "a\0b", "対局", &"x".repeat(999)] {
            let file = file_name(name);
            assert!(!file.is_empty() && !file.starts_with('.') && file.len() <= MAX_NAME, "{name}: {file}");
            assert!(!file.contains(['/', '\\', ':', '\0']), "{name}: {file}");
        }
    }

    #[test]
    fn existing_records_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let game = Game::new(Position::startpos());
        let first = RecordFile::new(&folder.path().join("a/b"), "x").unwrap();
        first.save(&game).unwrap();
        first.save(&game).unwrap();
        let second = RecordFile::new(&folder.path().join("a/b"), "x").unwrap();
        assert_eq!(second.path(), folder.path().join("a/b/x-2.csa"));
        // Before either has saved.
        let third = RecordFile::new(&folder.path().join("a/b"), "x").unwrap();
        assert_eq!(third.path(), folder.path().join("a/b/x-3.csa"));
    }
}
