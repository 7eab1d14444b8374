//! Many games at a time.

use super::game::{GameSettings, Played};
use super::openings::Openings;
use super::player::{EngineConfig, Failure, Player};
use super::schedule::Pairing;
use sabi::record::EndReason;
use sabi::types::Color;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// A match: the first engine against each of the others.
#[derive(Clone, Debug)]
pub struct Match {
    /// Two or more.
    pub engines: Vec<EngineConfig>,
    /// How every game is played.
    pub settings: GameSettings,
    /// How games begin.
    pub openings: Openings,
    /// Games at a time.
    pub concurrency: NonZeroUsize,
}

/// An engine that cannot play on.
#[derive(Debug)]
pub struct EngineFailure {
    /// Its index in the match.
    pub engine: usize,
    /// Why.
    pub failure: Failure,
}

/// Plays games, and tells of each when it ends; that may stop the match, which then plays the games under way to their ends.
///
/// # Errors
/// When an engine cannot be started. The games under way are played to their ends.
pub fn play(
    setup: &Match,
    games: &[Pairing],
    mut ended: impl FnMut(&Pairing, Played) -> ControlFlow<()>,
) -> Result<(), EngineFailure> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    // No thread begins another game before the last one has been recorded.
    let (sender, receiver) = mpsc::sync_channel(0);
    let mut engine_failure = None;
    thread::scope(|scope| {
        for _ in 0..setup.concurrency.get().min(games.len()) {
            let (next, stopped, sender) = (&next, &stopped, sender.clone());
            scope.spawn(move || {
                let mut table = Table::new(setup);
                while let Some(pairing) =
                    games.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !stopped.load(Ordering::Relaxed))
                {
                    let played = table.play(pairing, [&[]; 2]);
                    let goes_on = played.is_ok();
                    if sender.send((pairing, played)).is_err() || !goes_on {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (pairing, played) in receiver {
            let goes_on = match played {
                Ok(played) => ended(pairing, played).is_continue(),
                Err(failure) => {
                    engine_failure.get_or_insert(failure);
                    false
                }
            };
            if !goes_on {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    });
    engine_failure.map_or(Ok(()), Err)
}

/// Where one thread plays: the processes that it has started, by engine.
pub(super) struct Table<'a> {
    setup: &'a Match,
    players: Vec<Option<Player>>,
}

impl<'a> Table<'a> {
    pub(super) fn new(setup: &'a Match) -> Self {
        Self { setup, players: setup.engines.iter().map(|_| None).collect() }
    }

    /// Plays a game, before which these options are set: of the first engine, and of its opponent.
    pub(super) fn play(
        &mut self,
        pairing: &Pairing,
        options: [&[(String, String)]; 2],
    ) -> Result<Played, EngineFailure> {
        let opponent = pairing.opponent + 1;
        let (mut a, mut b) = (self.ready(0, options[0])?, self.ready(opponent, options[1])?);
        let sides = match pairing.color {
            Color::Black => [&mut a, &mut b],
            Color::White => [&mut b, &mut a],
        };
        let played = self.setup.settings.play(&self.setup.openings.opening(pairing.opening), sides);
        // A process that has failed may do so again, or still be busy with what it did not finish in time.
        let failed = matches!(played.game.end, EndReason::Timeout | EndReason::Illegal | EndReason::Aborted);
        let loser = played.game.result.winner().map(Color::opponent).filter(|_| failed);
        self.players[0] = Some(a).filter(|_| loser != Some(pairing.color));
        self.players[opponent] = Some(b).filter(|_| loser != Some(pairing.color.opponent()));
        Ok(played)
    }

    /// A process that is ready for a game: the one of the last game if it can, else a new one.
    fn ready(&mut self, engine: usize, options: &[(String, String)]) -> Result<Player, EngineFailure> {
        if let Some(mut player) = self.players[engine].take()
            && player.prepare(options).is_ok()
        {
            return Ok(player);
        }
        Player::start(&self.setup.engines[engine].with(options)).map_err(|failure| EngineFailure { engine, failure })
    }
}
