//! The game in the lines of a server, without a connection: for tests with arbitrary lines.

use super::message::{self, Message};
use super::summary::GameSummary;
use sabi_records::{Game, read_csa_move};
use std::time::Duration;

/// The game of a summary and the moves after it, with times as counted on the clocks.
///
/// # Errors
/// A message about the first line that a client would reject.
pub fn game_of_lines(text: &str) -> Result<Game, String> {
    let mut lines = text.lines().skip_while(|line| message::parse(line) != Message::Summary).skip(1);
    let summary: Vec<_> =
        lines.by_ref().take_while(|line| line.trim() != "END Game_Summary").map(str::to_owned).collect();
    let summary = GameSummary::parse(&summary).map_err(|error| error.to_string())?;
    let mut clocks = summary.clocks(false);
    let mut game = summary.record(&clocks);
    let mut position = game.last_position();
    for line in lines {
        let Message::Move { text, time } = message::parse(line) else { continue };
        let mv = read_csa_move(&position, text).map_err(|fault| fault.to_string())?;
        let side = position.side_to_move();
        let used = clocks.used(side, time, Duration::ZERO);
        clocks.spend(side, used, true);
        position.play(mv);
        game.push(mv, Some(used), None);
    }
    Ok(game)
}
