//! A position as text.

use super::Position;
use crate::types::{Color, Square};
use std::fmt;

impl fmt::Display for Position {
    /// The board with files and ranks, both hands, and the SFEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = |color: Color| {
            let held: Vec<String> =
                self.hand(color).iter().map(|(kind, count)| format!("{}{count}", kind.on_board().letter())).collect();
            if held.is_empty() { "-".to_owned() } else { held.join(" ") }
        };
        writeln!(f, "White in hand: {}", hand(Color::White))?;
        writeln!(f, "  9  8  7  6  5  4  3  2  1")?;
        for rank in 0..9 {
            for file in (0..9).rev() {
                let piece = Square::at(file, rank).and_then(|square| self.piece_at(square));
                let cell = piece.map_or(" .".to_owned(), super::sfen::piece_text);
                write!(f, "{cell:>3}")?;
            }
            writeln!(f, "  {}", (b'a' + rank) as char)?;
        }
        writeln!(f, "Black in hand: {}", hand(Color::Black))?;
        write!(f, "sfen {}", self.sfen())
    }
}
