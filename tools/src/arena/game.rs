//! A game between two engines.

use super::clock::{MatchClocks, SearchLimit};
use super::engine_process::{EngineProcess, Failure, Reply};
use super::openings::Opening;
use super::referee::{End, EndDetail, Referee};
use super::search_info::SearchStats;
use sabi_records::Game;
use sabi_shogi::{Color, EnteringKingRule};
use std::time::Duration;

/// Timeout of the answer to `stop`.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// The settings of all games of a match.
#[derive(Clone, Debug)]
pub struct GameSettings {
    /// Limit of the searches of both sides.
    pub limit: SearchLimit,
    /// Time margin beyond the clock.
    pub slack: Duration,
    /// Timeout per move without a clock.
    pub timeout: Duration,
    /// Entering-king rule.
    pub rule: EnteringKingRule,
    /// Maximum moves, opening included; then the game is a draw.
    pub max_moves: usize,
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

impl GameSettings {
    /// Plays a game; the players are in the order of their colours, and ready.
    pub(super) fn play(&self, opening: &Opening, mut players: [&mut EngineProcess; 2]) -> PlayedGame {
        let mut game = Game::new(opening.start.clone());
        opening.moves.iter().for_each(|&mv| game.push(mv, None, None));
        if let SearchLimit::Clock(clock) = self.limit {
            game.headers.clocks = [Some(clock); 2];
        }
        let mut referee = Referee::new(opening.position(), self.rule, self.max_moves);
        let mut clocks = MatchClocks::new(self.limit);
        let mut search_stats = [SearchStats::default(); 2];
        let mut line = format!("position {}", game.usi());
        let end = loop {
            if let Some(end) = referee.end() {
                break end;
            }
            let mover = referee.position().side_to_move();
            let reply = match self.ask(players[mover], &line, &clocks, mover) {
                Ok(reply) => reply,
                Err(detail) => break End::lost_by(mover, detail),
            };
            clocks.spend(mover, reply.time);
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
        clocks: &MatchClocks,
        mover: Color,
    ) -> Result<Reply, EndDetail> {
        let timeout = clocks.allowed(mover).map_or(self.timeout, |allowed| allowed + self.slack);
        let reply = match player.go(line, &clocks.go(), timeout) {
            // `stop` distinguishes slow engines from hanging ones.
            Err(Failure::NoOutput(_)) => player.stop(STOP_TIMEOUT),
            Err(failure @ Failure::MissingAnswer(_)) => match player.stop(STOP_TIMEOUT) {
                Err(Failure::NoOutput(_)) => Err(failure),
                reply => reply,
            },
            reply => reply,
        };
        match reply {
            Ok(reply) if reply.time > timeout => Err(EndDetail::TimeForfeit(reply.time)),
            Ok(reply) => Ok(reply),
            Err(Failure::NoOutput(_)) => Err(EndDetail::NoOutput),
            Err(Failure::MissingAnswer(_)) => Err(EndDetail::MissingBestmove),
            Err(failure) => Err(EndDetail::Exited(failure.to_string())),
        }
    }
}
