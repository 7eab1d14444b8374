//! Network evaluation as text.

use super::Network;
use sabi_shogi::{Color, HandKind, Position, Square, piece_text};
use std::fmt::Write;

impl Network {
    /// The contribution of each piece as a board, and the static eval.
    pub fn explain(&self, position: &Position) -> String {
        let output = self.output(position);
        let value = self.value(output);
        let side = position.side_to_move();
        let board = self.board(position);
        let (shape, kernel, scale) = (self.shape(), self.kernel(), self.scale());
        format!("{board}\n{shape}\n{output} by {kernel}, to be divided by {scale}; {value} cp for {side:?} to move")
    }

    /// The contribution of the piece on a square to its side, in centipawns: eval with it minus
    /// eval without it. `None` for a king.
    pub fn contribution(&self, position: &Position, square: Square) -> Option<i32> {
        let color = position.piece_at(square)?.color();
        Some(self.loss(position, &position.without(square)?, color))
    }

    /// The contribution of one piece of a kind in hand.
    pub fn hand_contribution(&self, position: &Position, color: Color, kind: HandKind) -> Option<i32> {
        Some(self.loss(position, &position.without_in_hand(color, kind)?, color))
    }

    fn loss(&self, with: &Position, without: &Position, color: Color) -> i32 {
        let sign = with.side_to_move().sign() * color.sign();
        sign * (self.evaluate(with) - self.evaluate(without))
    }

    /// Both hands and the board, each piece above its contribution.
    fn board(&self, position: &Position) -> String {
        let hand = |color: Color| {
            let one = |(kind, count): (HandKind, u8)| {
                let contribution = self.hand_contribution(position, color, kind).unwrap_or_default();
                format!("{}{count} {contribution}", kind.on_board().letter())
            };
            let held: Vec<String> = position.hand(color).iter().map(one).collect();
            if held.is_empty() { "-".to_owned() } else { held.join(", ") }
        };
        let mut board =
            "What each piece is worth to its side here, in centipawns: the value with it less the value without it\n"
                .to_owned();
        // Writing to a string cannot fail.
        let _ = writeln!(board, "White in hand: {}", hand(Color::White));
        (1..=9).rev().for_each(|file| board += &format!("{file:>6}"));
        for rank in 0..9 {
            let squares = || (0..9).rev().filter_map(move |file| Square::at(file, rank));
            let _ = write!(board, "\n  ");
            for square in squares() {
                let piece = position.piece_at(square).map_or(".".to_owned(), piece_text);
                let _ = write!(board, "{piece:>4}  ");
            }
            let contribution = |square| {
                self.contribution(position, square).map_or(String::new(), |contribution| contribution.to_string())
            };
            let contributions: String = squares().map(|square| format!("{:>5} ", contribution(square))).collect();
            let _ = write!(board, "{}\n  {}", (b'a' + rank) as char, contributions.trim_end());
        }
        let _ = write!(board, "\nBlack in hand: {}", hand(Color::Black));
        board
    }
}
