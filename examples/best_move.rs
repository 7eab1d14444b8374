//! Prints the best move of a position: `cargo run --release --example best_move -- SFEN`, by default the
//! start position.

use sabi::engine::BlockingEngine;
use sabi::search::Limits;
use sabi_shogi::Position;
use std::env::args;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = args().skip(1).collect();
    let position = if words.is_empty() { Position::startpos() } else { Position::from_sfen(&words.join(" "))? };
    match BlockingEngine::new()?.best_move(&position, Limits::nodes(100_000)) {
        Some(best) => println!("{best}"),
        None => println!("the game is over"),
    }
    Ok(())
}
