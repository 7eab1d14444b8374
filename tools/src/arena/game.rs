//! One game between two players.

use super::clock::{Clocks, TimeControl};
use super::openings::Opening;
use super::player::{Failure, Player, Reply};
use super::referee::{Cause, End, Referee};
use super::search_info::SearchStats;
use sabi::position::EnteringKingRule;
use sabi::record::Game;
use sabi::types::{Color, Score};
use std::time::Duration;

/// How long an engine whose time is over may take to answer `stop`.
const GRACE: Duration = Duration::from_secs(1);

/// The settings of all games of a match.
#[derive(Clone, Debug)]
pub struct GameSettings {
    /// The time of both sides.
    pub control: TimeControl,
    /// What an answer may take beyond the time allowed.
    pub slack: Duration,
    /// What an answer may take where no clock runs.
    pub patience: Duration,
    /// How a king gets through.
    pub rule: EnteringKingRule,
    /// Moves, those of the opening included, after which a game is a draw.
    pub max_moves: usize,
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game, without names.
    pub game: Game,
    /// Why it ended.
    pub cause: Cause,
    /// Depth and speed of the players, by colour.
    pub search_stats: [SearchStats; 2],
}

impl GameSettings {
    /// Plays a game; the players stand in the order of their colours, and are ready.
    pub(super) fn play(&self, opening: &Opening, mut players: [&mut Player; 2]) -> Played {
        let mut game = Game::new(opening.start.clone());
        opening.moves.iter().for_each(|&mv| game.push(mv, None, None));
        if let TimeControl::Clock(clock) = self.control {
            game.clocks = [Some(clock); 2];
        }
        let mut referee = Referee::new(opening.position(), self.rule, self.max_moves);
        let mut clocks = Clocks::new(self.control);
        let mut search_stats = [SearchStats::default(); 2];
        let mut line = format!("position {}", game.usi());
        let end = loop {
            if let Some(end) = referee.verdict() {
                break end;
            }
            let mover = referee.position().side_to_move();
            let reply = match self.ask(players[mover], &line, &clocks, mover) {
                Ok(reply) => reply,
                Err(cause) => break End::lost_by(mover, cause),
            };
            clocks.spend(mover, reply.time);
            let mv = match referee.hear(&reply.answer) {
                Ok(mv) => mv,
                Err(end) => break end,
            };
            line += if game.moves.is_empty() { " moves " } else { " " };
            line += &mv.to_string();
            search_stats[mover].add(&reply.info);
            game.push(mv, Some(reply.time), reply.info.score.map(|score| from_black(score, mover)));
        };
        for color in Color::ALL {
            players[color].game_over(match end.result.winner() {
                Some(winner) if winner == color => "win",
                Some(_) => "lose",
                None => "draw",
            });
        }
        (game.result, game.end) = (end.result, end.cause.reason());
        Played { game, cause: end.cause, search_stats }
    }

    /// The answer of a player, if it came in time.
    fn ask(&self, player: &mut Player, line: &str, clocks: &Clocks, mover: Color) -> Result<Reply, Cause> {
        let limit = clocks.allowed(mover).map_or(self.patience, |allowed| allowed + self.slack);
        let reply = match player.think(line, &clocks.go(), limit) {
            // Whether it thinks too long or not at all shows when it is called.
            Err(Failure::Silent(_) | Failure::MissingAnswer(_)) => player.stop(GRACE),
            reply => reply,
        };
        match reply {
            Ok(reply) if reply.time > limit => Err(Cause::Late(reply.time)),
            Ok(reply) => Ok(reply),
            Err(Failure::Silent(_)) => Err(Cause::Silent),
            Err(Failure::MissingAnswer(_)) => Err(Cause::MissingBestmove),
            Err(failure) => Err(Cause::Died(failure.to_string())),
        }
    }
}

/// What a mover thinks, from Black's view.
pub(super) fn from_black(score: Score, mover: Color) -> Score {
    match mover {
        Color::Black => score,
        Color::White => -score,
    }
}
