//! Concurrent games of a match.

use super::engine_process::{EngineConfig, EngineProcess, Failure};
use super::game::{GameSettings, PlayedGame};
use super::openings::Openings;
use super::schedule::Pairing;
use sabi::machine::run_workers;
use sabi_records::EndReason;
use sabi_shogi::Color;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

/// A match: the first engine against each of the others.
#[derive(Clone, Debug)]
pub struct Match {
    /// At least two.
    pub engines: Vec<EngineConfig>,
    /// Settings of all games.
    pub settings: GameSettings,
    /// Opening source.
    pub openings: Openings,
    /// Concurrent games.
    pub concurrency: NonZeroUsize,
}

/// An engine that cannot be started.
#[derive(Debug)]
pub struct EngineFailure {
    /// Engine index in the match.
    pub engine: usize,
    /// The failure.
    pub failure: Failure,
}

/// Plays games and calls `ended` after each; it may stop the match after the games in progress.
///
/// # Errors
/// The outer one when a thread cannot be started, the inner one when an engine cannot. Games in
/// progress are finished.
pub fn play(
    setup: &Match,
    games: &[Pairing],
    mut ended: impl FnMut(&Pairing, PlayedGame) -> ControlFlow<()>,
) -> io::Result<Result<(), EngineFailure>> {
    let threads = setup.concurrency.get().min(games.len());
    run_workers(
        (0..threads).map(|_| MatchWorker::new(setup)),
        games.iter(),
        |mut worker, tasks| tasks.work(|pairing| worker.play(pairing, [&[]; 2]).inspect_err(|_| tasks.stop())),
        |mut results| {
            let mut outcome = Ok(());
            while let Some((number, played)) = results.next() {
                match played.map(|played| ended(&games[number], played)) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(())) => results.stop(),
                    Err(failure) => outcome = outcome.and(Err(failure)),
                }
            }
            outcome
        },
    )
}

/// Engine processes of one thread, by engine.
pub(super) struct MatchWorker<'a> {
    setup: &'a Match,
    players: Vec<Option<EngineProcess>>,
}

impl<'a> MatchWorker<'a> {
    pub(super) fn new(setup: &'a Match) -> Self {
        Self { setup, players: setup.engines.iter().map(|_| None).collect() }
    }

    /// Plays a game after setting these options of the first engine and of its opponent.
    pub(super) fn play(
        &mut self,
        pairing: &Pairing,
        options: [&[(String, String)]; 2],
    ) -> Result<PlayedGame, EngineFailure> {
        let opponent = pairing.opponent + 1;
        let (mut a, mut b) = (self.ready(0, options[0])?, self.ready(opponent, options[1])?);
        let sides = match pairing.color {
            Color::Black => [&mut a, &mut b],
            Color::White => [&mut b, &mut a],
        };
        let played = self.setup.settings.play(&self.setup.openings.opening(pairing.opening), sides);
        // A failed process may fail again or still be busy: it is replaced.
        let failed = matches!(played.game.end, EndReason::Timeout | EndReason::Illegal | EndReason::Aborted);
        let loser = played.game.result.winner().map(Color::opponent).filter(|_| failed);
        self.players[0] = Some(a).filter(|_| loser != Some(pairing.color));
        self.players[opponent] = Some(b).filter(|_| loser != Some(pairing.color.opponent()));
        Ok(played)
    }

    /// A ready process: the running one if possible, else a new one.
    fn ready(&mut self, engine: usize, options: &[(String, String)]) -> Result<EngineProcess, EngineFailure> {
        if let Some(mut player) = self.players[engine].take()
            && player.new_game(options).is_ok()
        {
            return Ok(player);
        }
        EngineProcess::start(&self.setup.engines[engine].with(options))
            .map_err(|failure| EngineFailure { engine, failure })
    }
}
