//! The positions of all games: what was found, and what is still to be searched.

use super::journal::Journal;
use crate::analysis::{PositionAnalysis, Scope, Task};
use crate::record::Game;

pub struct Pending {
    /// The positions that the journal does not know.
    pub tasks: Vec<Task>,
    /// By game, and in it by the number of moves before the position.
    found: Vec<Vec<Option<PositionAnalysis>>>,
    /// How many positions each game still lacks.
    open: Vec<usize>,
    /// The first game that was not handed over.
    due: usize,
}

impl Pending {
    pub fn new(games: &[Game], scope: &Scope, journal: &mut Journal) -> Self {
        let found = games.iter().map(|game| vec![None; game.moves.len() + 1]).collect();
        let mut pending = Self { tasks: Vec::new(), found, open: vec![0; games.len()], due: 0 };
        for (at, game) in games.iter().enumerate() {
            for ply in scope.positions(game) {
                let known = journal.take(at, ply);
                if known.is_none() {
                    pending.tasks.push(Task { game: at, ply });
                    pending.open[at] += 1;
                }
                pending.found[at][ply] = known;
            }
        }
        pending
    }

    /// Takes in what was found in a position.
    pub fn add(&mut self, task: Task, found: PositionAnalysis) {
        self.found[task.game][task.ply] = Some(found);
        self.open[task.game] -= 1;
    }

    /// The next game, in their order, if all of its positions are done, and what was found in them.
    pub fn next_finished(&mut self) -> Option<(usize, Vec<Option<PositionAnalysis>>)> {
        let game = self.due;
        if *self.open.get(game)? > 0 {
            return None;
        }
        self.due += 1;
        Some((game, std::mem::take(&mut self.found[game])))
    }
}
