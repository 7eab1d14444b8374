//! Finished and pending positions of all games.

use super::journal::Journal;
use crate::analysis::{PositionAnalysis, Scope, Task};
use sabi_records::Game;

pub struct Pending {
    /// Positions missing in the journal.
    pub tasks: Vec<Task>,
    /// By game and number of moves before the position.
    results: Vec<Vec<Option<PositionAnalysis>>>,
    /// Number of pending positions of each game.
    open: Vec<usize>,
    /// Index of the first game not yet returned.
    due: usize,
}

impl Pending {
    pub fn new(games: &[Game], scope: &Scope, journal: &mut Journal) -> Self {
        let results = games.iter().map(|game| vec![None; game.moves.len() + 1]).collect();
        let mut pending = Self { tasks: Vec::new(), results, open: vec![0; games.len()], due: 0 };
        for (at, game) in games.iter().enumerate() {
            for ply in scope.positions(game) {
                let stored = journal.take(at, ply);
                if stored.is_none() {
                    pending.tasks.push(Task { game: at, ply });
                    pending.open[at] += 1;
                }
                pending.results[at][ply] = stored;
            }
        }
        pending
    }

    /// Adds the analysis of a position.
    pub fn add(&mut self, task: Task, analysis: PositionAnalysis) {
        self.results[task.game][task.ply] = Some(analysis);
        self.open[task.game] -= 1;
    }

    /// The next game in order with its analysis, if all its positions are done.
    pub fn next_finished(&mut self) -> Option<(usize, Vec<Option<PositionAnalysis>>)> {
        let game = self.due;
        if *self.open.get(game)? > 0 {
            return None;
        }
        self.due += 1;
        Some((game, std::mem::take(&mut self.results[game])))
    }
}
