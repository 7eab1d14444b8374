//! Many positions on many threads.

use super::position::{Analyzer, PositionAnalysis};
use crate::record::Game;
use crate::search::Signals;
use crate::util::SetOnDrop;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// Stack of a thread that searches: deep lines need it, and untouched pages cost nothing.
const STACK_BYTES: usize = 64 << 20;

/// A position to be searched.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The place of its game among all.
    pub game: usize,
    /// How many moves stand before it.
    pub ply: usize,
}

/// Searches every position, each analyzer on a thread of its own, and hands over what was found as
/// it comes. The work ends when `each` fails.
///
/// # Errors Those of `each`, and when a thread cannot be started.
pub fn run<E: From<io::Error>>(
    games: &[Game],
    tasks: &[Task],
    analyzers: Vec<Analyzer>,
    mut each: impl FnMut(Task, PositionAnalysis) -> Result<(), E>,
) -> Result<(), E> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        // The threads end with this one, also when it fails.
        let _guard = SetOnDrop(&stopped);
        let (sender, receiver) = channel();
        for mut analyzer in analyzers {
            let (sender, next, stopped) = (sender.clone(), &next, &stopped);
            let work = move || {
                while !stopped.load(Ordering::Relaxed)
                    && let Some(&task) = tasks.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let found = analyze(&mut analyzer, &games[task.game], task.ply);
                    if sender.send((task, found)).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        }
        drop(sender);
        receiver.iter().try_for_each(|(task, found)| each(task, found))
    })
}

fn analyze(analyzer: &mut Analyzer, game: &Game, ply: usize) -> PositionAnalysis {
    let mut position = game.start.clone();
    game.moves[..ply].iter().for_each(|&mv| position.play(mv));
    analyzer.analyze(&position, game.moves.get(ply).copied(), &Signals::default())
}
