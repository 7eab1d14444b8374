//! Legal moves of a position with what they do: `cargo run --example legal_moves -- [SFEN]`.

use sabi_shogi::{Position, legal_moves};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sfen = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let position = if sfen.is_empty() { Position::startpos() } else { Position::from_sfen(&sfen)? };
    println!("{position}");
    for &mv in &legal_moves(&position) {
        let next = position.after(mv);
        let capture = if position.is_capture(mv) { ", captures" } else { "" };
        let check = if next.in_check() { ", check" } else { "" };
        println!("{mv}{capture}{check}");
    }
    Ok(())
}
