//! Playing the games of a match, several at a time.

use super::engine_process::{EngineConfig, EngineFailure, EngineProcess, Reply, SearchStats};
use super::match_file::Pairing;
use super::openings::{Opening, Openings};
use super::referee::{EndDetail, GameEnd, MatchClock, Referee, SearchLimit};
use anyhow::Context;
use sabi::machine::{Results, run_workers};
use sabi_records::{EndReason, Game};
use sabi_shogi::{Color, EnteringKingRule};
use std::num::NonZeroUsize;
use std::time::Duration;

/// Timeout of the answer to `stop`.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// A match: the first engine against each of the others.
#[derive(Clone, Debug)]
pub struct Match {
    /// At least two.
    pub engines: Vec<EngineConfig>,
    /// Limit of the searches of both sides.
    pub limit: SearchLimit,
    /// Time margin beyond the clock.
    pub slack: Duration,
    /// Timeout per move without a clock.
    pub timeout: Duration,
    /// Maximum moves, opening included; then the game is a draw.
    pub max_moves: usize,
    /// Opening source.
    pub openings: Openings,
    /// Concurrent games.
    pub concurrency: NonZeroUsize,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The game, without player names.
    pub game: Game,
    /// End reason.
    pub detail: EndDetail,
    /// Depth and speed by colour.
    pub search_stats: [SearchStats; 2],
}

impl Match {
    /// Plays a game; the players are in the order of their colours, and ready.
    fn play_game(&self, opening: &Opening, mut players: [&mut EngineProcess; 2]) -> PlayedGame {
        let mut game = opening.game();
        if let SearchLimit::Clock(clock) = self.limit {
            game.headers.clocks = [Some(clock); 2];
        }
        let mut referee = Referee::new(opening.position(), EnteringKingRule::default(), self.max_moves);
        let mut clock = MatchClock::new(self.limit);
        let mut search_stats = [SearchStats::default(); 2];
        let mut line = format!("position {}", game.usi());
        let end = loop {
            if let Some(end) = referee.end() {
                break end;
            }
            let mover = referee.position().side_to_move();
            let reply = match self.ask(players[mover], &line, &clock, mover) {
                Ok(reply) => reply,
                Err(detail) => break GameEnd::lost_by(mover, detail),
            };
            clock.spend(mover, reply.time);
            let mv = match referee.answer(&reply.answer) {
                Ok(mv) => mv,
                Err(end) => break end,
            };
            line += if game.moves.is_empty() { " moves " } else { " " };
            line += &mv.to_string();
            search_stats[mover].add(&reply.info);
            game.push(mv, Some(reply.time), reply.info.score.map(|score| score.for_black(mover)));
        };
        for color in Color::ALL {
            players[color].game_over(match end.result.winner() {
                Some(winner) if winner == color => "win",
                Some(_) => "lose",
                None => "draw",
            });
        }
        (game.result, game.end) = (end.result, end.detail.reason());
        PlayedGame { game, detail: end.detail, search_stats }
    }

    /// The answer of a player, if in time.
    fn ask(
        &self,
        player: &mut EngineProcess,
        line: &str,
        clock: &MatchClock,
        mover: Color,
    ) -> Result<Reply, EndDetail> {
        let timeout = clock.allowed(mover).map_or(self.timeout, |allowed| allowed + self.slack);
        let reply = match player.go(line, &clock.go(), timeout) {
            // `stop` distinguishes slow engines from hanging ones.
            Err(EngineFailure::NoOutput(_)) => player.stop(STOP_TIMEOUT),
            Err(failure @ EngineFailure::MissingAnswer(_)) => match player.stop(STOP_TIMEOUT) {
                Err(EngineFailure::NoOutput(_)) => Err(failure),
                reply => reply,
            },
            reply => reply,
        };
        match reply {
            Ok(reply) if reply.time > timeout => Err(EndDetail::TimeForfeit(reply.time)),
            Ok(reply) => Ok(reply),
            Err(EngineFailure::NoOutput(_)) => Err(EndDetail::NoOutput),
            Err(EngineFailure::MissingAnswer(_)) => Err(EndDetail::MissingBestmove),
            Err(failure) => Err(EndDetail::Exited(failure.to_string())),
        }
    }
}

/// Engine label: A, and B or B1, B2, …
pub fn engine_label(engine: usize, engines: usize) -> String {
    match engine {
        0 => "A".to_owned(),
        1 if engines == 2 => "B".to_owned(),
        number => format!("B{number}"),
    }
}

/// Plays games and calls `ended` after each, which returns whether the match goes on.
///
/// # Errors
/// The first error of `ended`, or when a thread or an engine cannot be started. Games in progress
/// are finished.
pub fn play(
    setup: &Match,
    games: &[Pairing],
    mut ended: impl FnMut(&Pairing, PlayedGame) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let threads = setup.concurrency.get().min(games.len());
    run_workers(
        (0..threads).map(|_| MatchWorker::new(setup)),
        games.iter(),
        |mut worker, tasks| {
            tasks.work(|pairing| match worker.play(pairing, [&[]; 2]) {
                Ok(played) => Ok((pairing, played)),
                Err((engine, failure)) => {
                    tasks.stop();
                    let label = engine_label(engine, setup.engines.len());
                    Err(anyhow::Error::new(failure).context(format!("engine {label}")))
                }
            });
        },
        |results| until_over(results, |(pairing, played)| ended(pairing, played)),
    )
    .context("no thread can be started")?
}

/// Passes what was played to `ended` as long as it returns that more is wanted, and after that what
/// was in progress; after an error of `ended` nothing more.
///
/// # Errors
/// The first one of `ended`, else the first of the games.
pub(super) fn until_over<T>(
    mut results: Results<'_, anyhow::Result<T>>,
    mut ended: impl FnMut(T) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let (mut goes_on, mut failed) = (Ok(true), Ok(()));
    while let Some((_, played)) = results.next() {
        match played {
            Ok(played) if goes_on.is_ok() => goes_on = ended(played),
            Ok(_) => {}
            Err(error) => failed = failed.and(Err(error)),
        }
        if !matches!(goes_on, Ok(true)) {
            results.stop();
        }
    }
    goes_on.and(failed)
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

    /// Plays a game after setting these options of the first engine and of its opponent. The error
    /// has the index of the engine that cannot be started.
    pub(super) fn play(
        &mut self,
        pairing: &Pairing,
        options: [&[(String, String)]; 2],
    ) -> Result<PlayedGame, (usize, EngineFailure)> {
        let opponent = pairing.opponent + 1;
        let (mut a, mut b) = (self.ready(0, options[0])?, self.ready(opponent, options[1])?);
        let sides = match pairing.color {
            Color::Black => [&mut a, &mut b],
            Color::White => [&mut b, &mut a],
        };
        let played = self.setup.play_game(&self.setup.openings.opening(pairing.opening), sides);
        // A failed process may fail again or still be busy: it is replaced.
        let failed = matches!(played.game.end, EndReason::Timeout | EndReason::Illegal | EndReason::Aborted);
        let loser = played.game.result.winner().map(Color::opponent).filter(|_| failed);
        self.players[0] = Some(a).filter(|_| loser != Some(pairing.color));
        self.players[opponent] = Some(b).filter(|_| loser != Some(pairing.color.opponent()));
        Ok(played)
    }

    /// A ready process: the running one if possible, else a new one.
    fn ready(&mut self, engine: usize, options: &[(String, String)]) -> Result<EngineProcess, (usize, EngineFailure)> {
        if let Some(mut player) = self.players[engine].take()
            && player.new_game(options).is_ok()
        {
            return Ok(player);
        }
        let config = &self.setup.engines[engine];
        let config = EngineConfig { options: [&config.options, options].concat(), ..config.clone() };
        EngineProcess::start(&config).map_err(|failure| (engine, failure))
    }
}
