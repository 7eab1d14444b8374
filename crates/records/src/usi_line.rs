//! Positions and moves as USI text.

use sabi_shogi::{Move, Position, STARTPOS_SFEN};

/// A position and moves from there, as after the word `position`: `startpos moves 7g7f …`.
pub fn usi_line(start: &Position, moves: &[Move]) -> String {
    let sfen = start.sfen();
    let mut text = if sfen == STARTPOS_SFEN { "startpos".to_owned() } else { format!("sfen {sfen}") };
    for (at, mv) in moves.iter().enumerate() {
        text.push_str(if at == 0 { " moves " } else { " " });
        text.push_str(&mv.to_string());
    }
    text
}
