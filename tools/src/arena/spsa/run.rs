//! Playing the games of a tuning run.

use super::plan::Trial;
use super::tuning::Tuning;
use crate::arena::run::MatchWorker;
use crate::arena::statistics::Counts;
use crate::arena::{EndDetail, Failure, Match, Pairing};
use sabi::machine::run_workers;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::{io, iter};

/// A tuning run cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
    /// The engine does not start or does not become ready.
    #[error(transparent)]
    Start(Failure),
    /// The engine failed in a game, which does not count.
    #[error("{detail}, in pair {} with {options}", number + 1)]
    Game {
        /// The failure.
        detail: EndDetail,
        /// Iteration number, from 0.
        number: usize,
        /// Option values of the engine.
        options: String,
    },
}

/// Option names and values.
type Options = Vec<(String, String)>;

/// Plays the remaining iterations, several at a time, and calls `updated` after each update; it may
/// stop the run after the pairs in progress. `setup` has the same engine twice.
///
/// With one iteration at a time and no clock the result is deterministic.
///
/// # Errors
/// When the engine fails. Pairs in progress are finished.
pub fn tune(
    setup: &Match,
    tuning: &mut Tuning,
    mut updated: impl FnMut(&Tuning) -> ControlFlow<()>,
) -> Result<(), TuningError> {
    let names: Vec<String> = tuning.plan().parameters.iter().map(|parameter| parameter.name.clone()).collect();
    // A trial is made when a worker takes it: by then the worker's last games have moved the values.
    let tuning = Mutex::new(tuning);
    let locked = || tuning.lock().unwrap_or_else(PoisonError::into_inner);
    let mut open = 0;
    let trials = iter::from_fn(|| {
        let tuning = locked();
        let number = tuning.next_unfinished(open)?;
        open = number + 1;
        Some(tuning.trial(number))
    });
    run_workers(
        (0..setup.concurrency.get()).map(|_| MatchWorker::new(setup)),
        trials,
        |mut engines, tasks| {
            tasks.work(|trial| {
                let games = pair(&mut engines, &names, &trial).inspect_err(|_| tasks.stop());
                (trial, games)
            });
        },
        |mut results| {
            let mut outcome = Ok(());
            while let Some((_, (trial, games))) = results.next() {
                match games {
                    Ok(games) => {
                        let mut tuning = locked();
                        tuning.update(&trial, games);
                        if updated(&tuning).is_break() {
                            results.stop();
                        }
                    }
                    Err(error) => outcome = outcome.and(Err(error)),
                }
            }
            outcome
        },
    )?
}

/// Plays the two games of a trial.
fn pair(engines: &mut MatchWorker<'_>, names: &[String], trial: &Trial) -> Result<Counts, TuningError> {
    let [first, second] = [0, 1].map(|side: usize| -> Options {
        names.iter().cloned().zip(trial.sides[side].iter().map(i64::to_string)).collect()
    });
    let mut counts = Counts::default();
    for number in [2 * trial.number, 2 * trial.number + 1] {
        let pairing = Pairing::new(number, 1);
        let played = engines
            .play(&pairing, [&first, &second])
            .map_err(|engine_failure| TuningError::Start(engine_failure.failure))?;
        // A game without a result counts as a draw.
        let half_points = played.game.result.half_points(pairing.color).unwrap_or(1);
        if half_points != 1 && is_failure(&played.detail) {
            let options = if half_points == 2 { &second } else { &first };
            return Err(TuningError::Game { detail: played.detail, number: trial.number, options: to_text(options) });
        }
        counts.add_game(half_points);
    }
    Ok(counts)
}

/// Whether a loss by this end means a broken engine. A loss on time may be caused by the machine:
/// it counts.
const fn is_failure(detail: &EndDetail) -> bool {
    matches!(
        detail,
        EndDetail::IllegalMove(_)
            | EndDetail::InvalidDeclaration
            | EndDetail::NoOutput
            | EndDetail::MissingBestmove
            | EndDetail::Exited(_)
    )
}

fn to_text(options: &Options) -> String {
    let parts: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    parts.join(" ")
}
