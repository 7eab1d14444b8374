//! Journal of finished positions, so that an interrupted run can continue.
//!
//! A JSON line for each position. The file name contains the settings, so that only identical runs
//! share it.

use crate::analysis::{PositionAnalysis, Task};
use anyhow::Context;
use sabi_files::{append_line, crc32, remove_file};
use sabi_records::Game;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

#[derive(Serialize, Deserialize)]
struct Entry {
    game: usize,
    /// CRC-32 of the start and the moves of the game.
    crc: u32,
    ply: usize,
    found: PositionAnalysis,
}

/// The file and its entries.
pub struct Journal {
    /// `None` without a journal.
    path: Option<PathBuf>,
    /// By game, as in [`Entry`].
    crcs: Vec<u32>,
    results: HashMap<(usize, usize), PositionAnalysis>,
}

impl Journal {
    /// Loads the journal of an interrupted run with these settings. `stem` is the start of its file
    /// name.
    pub fn open(stem: Option<PathBuf>, settings: &str, games: &[Game]) -> anyhow::Result<Self> {
        let crcs: Vec<u32> = games.iter().map(|game| crc32(game.usi().as_bytes())).collect();
        let key = crc32(format!("{} {settings}", env!("CARGO_PKG_VERSION")).as_bytes());
        let path = stem.map(|stem| {
            let mut name = stem.into_os_string();
            name.push(format!(".{key:08x}.partial"));
            PathBuf::from(name)
        });
        let mut journal = Self { path, crcs, results: HashMap::new() };
        if let Some(path) = &journal.path {
            match fs::read(path) {
                Ok(bytes) => journal.read(&String::from_utf8_lossy(&bytes), games),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(|| format!("cannot read '{}'", path.display())),
            }
        }
        Ok(journal)
    }

    /// Truncated lines and lines of other games are skipped.
    fn read(&mut self, text: &str, games: &[Game]) {
        for entry in text.lines().filter_map(|line| serde_json::from_str::<Entry>(line).ok()) {
            let game = games.get(entry.game).filter(|game| entry.ply <= game.moves.len());
            let Some(game) = game.filter(|_| self.crcs[entry.game] == entry.crc) else { continue };
            if entry.found.fits(&game.position_at(entry.ply)) {
                self.results.insert((entry.game, entry.ply), entry.found);
            }
        }
    }

    /// The stored analysis of a position.
    pub fn take(&mut self, game: usize, ply: usize) -> Option<PositionAnalysis> {
        self.results.remove(&(game, ply))
    }

    /// Writes an analysis.
    pub fn add(&self, task: Task, analysis: &PositionAnalysis) -> anyhow::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let entry = Entry { game: task.game, crc: self.crcs[task.game], ply: task.ply, found: analysis.clone() };
        append_line(path, &serde_json::to_string(&entry)?).with_context(|| format!("cannot write '{}'", path.display()))
    }

    /// Everything is written: the journal is no longer needed.
    pub fn remove(self) -> anyhow::Result<()> {
        let Some(path) = self.path.filter(|path| path.exists()) else { return Ok(()) };
        remove_file(&path).with_context(|| format!("cannot remove '{}'", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_shogi::{Position, Score};

    #[test]
    fn results_are_written_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let games = [Game::before(&Position::startpos())];
        let open = || Journal::open(Some(folder.path().join("a.json")), "settings", &games).unwrap();
        let (score, proved) = (Score::cp(30), false);
        let found = PositionAnalysis { score, proved, nodes: 9, lines: Vec::new(), mates: false, keeps_mate: false };
        open().add(Task { game: 0, ply: 0 }, &found).unwrap();
        assert_eq!(open().take(0, 0), Some(found));
    }
}
