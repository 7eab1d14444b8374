//! Counts the leaves of the game tree: `cargo run --release --example perft -- DEPTH [SFEN]`.

use sabi_shogi::{PerftMode, Position, divide};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth: u32 = arguments.next().ok_or("usage: perft DEPTH [SFEN]")?.parse()?;
    let sfen = arguments.collect::<Vec<_>>().join(" ");
    let mut position = if sfen.is_empty() { Position::startpos() } else { Position::from_sfen(&sfen)? };
    let start = Instant::now();
    let mut each = |mv, leaves| println!("{mv}: {leaves}");
    let leaves = divide(&mut position, depth, PerftMode::Bulk, &|| false, &mut each).ok_or("stopped")?;
    println!("{leaves} leaves in {:.3} s", start.elapsed().as_secs_f64());
    Ok(())
}
