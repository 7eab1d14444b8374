//! Boards as text and SVG.

use crate::moves::japanese;
use sabi_shogi::{Color, HandKind, Position, Square, piece_text};
use std::fmt::Write;

const RANKS: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// A board for a terminal, with hands and the side to move.
pub(crate) fn text(position: &Position) -> String {
    let hand = |color: Color| {
        let held: Vec<String> =
            position.hand(color).iter().map(|(kind, count)| format!("{}{count}", kind.on_board().letter())).collect();
        if held.is_empty() { "-".to_owned() } else { held.join(" ") }
    };
    let mut text = format!("White in hand: {}\n", hand(Color::White));
    text += "  9  8  7  6  5  4  3  2  1\n";
    for rank in 0..9 {
        for square in (0..9).rev().filter_map(|file| Square::at(file, rank)) {
            let piece = position.piece_at(square).map_or(".".to_owned(), piece_text);
            // Writing to a string cannot fail.
            let _ = write!(text, "{piece:>3}");
        }
        let _ = writeln!(text, " {}", (b'a' + rank) as char);
    }
    let side = if position.side_to_move() == Color::Black { "Black" } else { "White" };
    let _ = write!(text, "Black in hand: {}\n{side} to move, move {}", hand(Color::Black), position.ply());
    text
}

/// Side of a square.
const SIDE: i32 = 36;
/// Left and upper edge of the board: White's hand stands left of it, Black's right.
const LEFT: i32 = 46;
const TOP: i32 = 24;

/// A board as SVG, the squares of the last move coloured.
pub(crate) fn svg(position: &Position) -> String {
    let board = 9 * SIDE;
    let (width, height) = (board + 2 * LEFT + 12, board + TOP + 10);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"'Noto Serif CJK JP','Hiragino Mincho ProN','Yu Mincho',serif\" \
         text-anchor=\"middle\"><title>{}</title>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\
         <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{board}\" height=\"{board}\" fill=\"#f4d9a0\"/>",
        position.sfen()
    );
    let corner = |square: Square| (LEFT + (8 - i32::from(square.file())) * SIDE, TOP + i32::from(square.rank()) * SIDE);
    // Writing to a string cannot fail.
    if let Some(last) = position.last_move() {
        for square in last.from().into_iter().chain([last.to()]) {
            let (x, y) = corner(square);
            let _ = write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#e7b65c\"/>");
        }
    }
    for line in 0..=9 {
        let (x, y, right, bottom) = (LEFT + line * SIDE, TOP + line * SIDE, LEFT + board, TOP + board);
        let _ = write!(out, "<path d=\"M{x} {TOP}V{bottom}M{LEFT} {y}H{right}\" stroke=\"#333\"/>");
    }
    for (at, rank) in (0..9).zip(RANKS) {
        let (x, y) = (LEFT + at * SIDE + SIDE / 2, TOP + at * SIDE + SIDE / 2 + 4);
        let _ = write!(out, "<text x=\"{x}\" y=\"{}\" font-size=\"12\">{}</text>", TOP - 8, 9 - at);
        let _ = write!(out, "<text x=\"{}\" y=\"{y}\" font-size=\"12\">{rank}</text>", LEFT + board + 9);
    }
    for square in Square::all() {
        let Some(piece) = position.piece_at(square) else { continue };
        let (x, y) = corner(square);
        let (x, y) = (x + SIDE / 2, y + SIDE / 2);
        let turn = if piece.color() == Color::White { 180 } else { 0 };
        let colour = if piece.kind().is_promoted() { " fill=\"#b00\"" } else { "" };
        let _ = write!(
            out,
            "<text transform=\"translate({x} {y}) rotate({turn})\" y=\"9\" font-size=\"26\"{colour}>{}</text>",
            japanese(piece.kind())
        );
    }
    hand(&mut out, position, Color::White, LEFT / 2, TOP);
    hand(&mut out, position, Color::Black, LEFT + board + LEFT / 2 + 12, TOP + board);
    out + "</svg>"
}

/// The hand of a side, from its mark towards the opponent: one character below the other.
fn hand(out: &mut String, position: &Position, color: Color, x: i32, y: i32) {
    let mut letters = vec![if color == Color::Black { "☗".to_owned() } else { "☖".to_owned() }];
    for kind in HandKind::ASCENDING.into_iter().rev() {
        let count = position.hand(color).count(kind);
        if count > 0 {
            letters.push(japanese(kind.on_board()).to_owned());
        }
        if count > 1 {
            letters.push(count.to_string());
        }
    }
    let weight = if position.side_to_move() == color { " font-weight=\"bold\"" } else { "" };
    // Black's column ends at the lower edge, White's is that of a board turned around.
    let turn = if color == Color::White { 180 } else { 0 };
    let _ = write!(out, "<g transform=\"translate({x} {y}) rotate({turn})\" font-size=\"18\"{weight}>");
    let count = letters.len() as i32;
    for (at, letter) in (0..).zip(&letters) {
        let _ = write!(out, "<text y=\"{}\">{letter}</text>", (at - count + 1) * 20 - 4);
    }
    out.push_str("</g>");
}
