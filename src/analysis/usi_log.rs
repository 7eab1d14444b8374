//! An analysed game as USI lines: each position with the `info` lines of its analysis.

use super::analyzed::AnalyzedGame;
use sabi_records::Game;
use sabi_shogi::{usi_moves, usi_score};
use std::fmt::Write;

/// `position …` and `info …` lines, scores for the side to move.
pub fn usi_log(analyzed: &AnalyzedGame) -> String {
    let game = &analyzed.game;
    let mut text = String::new();
    for (ply, found) in analyzed.positions.iter().enumerate() {
        let Some(found) = found else { continue };
        let shown = Game { moves: game.moves[..ply].to_vec(), ..Game::new(game.start.clone()) };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "position {}", shown.usi());
        for (number, line) in (1..).zip(&found.lines) {
            let score = usi_score(line.score, line.proved);
            let moves = usi_moves(&line.moves).join(" ");
            let _ = writeln!(
                text,
                "info depth {} multipv {number} score {score} nodes {} pv {moves}",
                line.depth, found.nodes
            );
        }
    }
    text
}
