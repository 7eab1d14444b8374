//! Resuming an interrupted analysis: finished positions are kept in a journal beside the output.
//!
//! A JSON line for each position. The file name contains the settings, so that only identical runs
//! share it.

use crate::analysis::{PositionAnalysis, Scope, Task};
use anyhow::Context;
use sabi_files::{append_line, crc32, remove_file};
use sabi_records::Game;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind;
use std::mem::take;
use std::path::PathBuf;

/// A line of the journal.
#[derive(Serialize, Deserialize)]
struct Entry {
    game: usize,
    /// CRC-32 of the start and the moves of the game.
    crc: u32,
    ply: usize,
    found: PositionAnalysis,
}

/// Finished and pending positions of all games, and the journal.
pub struct ResumableRun {
    /// The journal; `None` without one.
    path: Option<PathBuf>,
    /// By game, as in [`Entry`].
    crcs: Vec<u32>,
    /// By game and number of moves before the position.
    results: Vec<Vec<Option<PositionAnalysis>>>,
    /// Number of pending positions of each game.
    pending: Vec<usize>,
    /// Index of the first game not yet returned.
    due: usize,
}

impl ResumableRun {
    /// Loads the journal of an interrupted run with these settings, and lists the positions that it
    /// lacks. `stem` is the start of its file name.
    pub fn open(
        stem: Option<PathBuf>,
        settings: &str,
        games: &[Game],
        scope: &Scope,
    ) -> anyhow::Result<(Self, Vec<Task>)> {
        let key = crc32(format!("{} {settings}", env!("CARGO_PKG_VERSION")).as_bytes());
        let path = stem.map(|stem| {
            let mut name = stem.into_os_string();
            name.push(format!(".{key:08x}.partial"));
            PathBuf::from(name)
        });
        let crcs = games.iter().map(|game| crc32(game.usi().as_bytes())).collect();
        let results = games.iter().map(|game| vec![None; game.moves.len() + 1]).collect();
        let mut run = Self { path, crcs, results, pending: vec![0; games.len()], due: 0 };
        let plies: Vec<Vec<usize>> = games.iter().map(|game| scope.positions(game)).collect();
        if let Some(path) = &run.path {
            match fs::read(path) {
                Ok(bytes) => run.read(&String::from_utf8_lossy(&bytes), games, &plies),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(|| format!("cannot read '{}'", path.display())),
            }
        }
        let mut tasks = Vec::new();
        for (game, plies) in plies.into_iter().enumerate() {
            let missing = plies.into_iter().filter(|&ply| run.results[game][ply].is_none());
            tasks.extend(missing.map(|ply| Task { game, ply }));
        }
        tasks.iter().for_each(|task| run.pending[task.game] += 1);
        Ok((run, tasks))
    }

    /// Truncated lines and lines of other games are skipped.
    fn read(&mut self, text: &str, games: &[Game], plies: &[Vec<usize>]) {
        for Entry { game, crc, ply, found } in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            let is_wanted = plies.get(game).is_some_and(|plies| plies.contains(&ply)) && self.crcs[game] == crc;
            if is_wanted && found.fits(&games[game].position_at(ply)) {
                self.results[game][ply] = Some(found);
            }
        }
    }

    /// Adds the analysis of a position to the journal and to its game.
    pub fn add(&mut self, Task { game, ply }: Task, found: PositionAnalysis) -> anyhow::Result<()> {
        let entry = Entry { game, crc: self.crcs[game], ply, found };
        if let Some(path) = &self.path {
            let line = serde_json::to_string(&entry)?;
            append_line(path, &line).with_context(|| format!("cannot write '{}'", path.display()))?;
        }
        self.results[game][ply] = Some(entry.found);
        self.pending[game] -= 1;
        Ok(())
    }

    /// The next game in order with its analysis, if all its positions are done.
    pub fn next_finished(&mut self) -> Option<(usize, Vec<Option<PositionAnalysis>>)> {
        let game = self.due;
        if *self.pending.get(game)? > 0 {
            return None;
        }
        self.due += 1;
        Some((game, take(&mut self.results[game])))
    }

    /// Everything is written: the journal is no longer needed.
    pub fn finish(self) -> anyhow::Result<()> {
        let Some(path) = self.path.filter(|path| path.exists()) else { return Ok(()) };
        remove_file(&path).with_context(|| format!("cannot remove '{}'", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::AnalysisScore;
    use sabi_shogi::{Position, Score};

    #[test]
    fn results_are_written_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let games = [Game::before(&Position::startpos())];
        let open =
            || ResumableRun::open(Some(folder.path().join("a.json")), "settings", &games, &Scope::default()).unwrap();
        let score = AnalysisScore { score: Score::cp(30), proved: false };
        let found =
            PositionAnalysis { score, nodes: 9, lines: Vec::new(), mates: false, keeps_mate: false, great: false };
        let (mut first, tasks) = open();
        assert_eq!(tasks, [Task { game: 0, ply: 0 }]);
        first.add(tasks[0], found.clone()).unwrap();
        let (mut second, tasks) = open();
        assert_eq!((second.next_finished(), tasks), (Some((0, vec![Some(found)])), Vec::new()));
    }
}
