//! Analysis of many positions on many threads.

use super::position::{Analyzer, PositionAnalysis};
use crate::search::Signals;
use crate::util::run_workers;
use sabi_records::Game;
use std::io;

/// A position to be analysed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Index of its game.
    pub game: usize,
    /// Number of moves before it.
    pub ply: usize,
}

/// Analyses every position, each analyzer on its own thread, and passes on the results as they
/// arrive. Stops when `each` fails.
///
/// # Errors
/// Those of `each`, and when a thread cannot be started.
pub fn run<E: From<io::Error>>(
    games: &[Game],
    tasks: &[Task],
    analyzers: Vec<Analyzer>,
    mut each: impl FnMut(Task, PositionAnalysis) -> Result<(), E>,
) -> Result<(), E> {
    run_workers(
        analyzers,
        tasks.iter(),
        |mut analyzer, left| left.work(|task| analyze(&mut analyzer, &games[task.game], task.ply)),
        |mut results| results.try_for_each(|(number, found)| each(tasks[number], found)),
    )?
}

fn analyze(analyzer: &mut Analyzer, game: &Game, ply: usize) -> PositionAnalysis {
    analyzer.analyze(&game.position_at(ply), game.moves.get(ply).copied(), &Signals::default())
}
