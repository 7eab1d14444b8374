//! Prints the moves and the result of each game in files and folders.
//!
//! `cargo run -p sabi-records --example moves -- tests/fixtures/records`

use sabi_records::{BadGames, Game, japanese_move, read_tree};
use std::env;

fn main() {
    let mut bad = BadGames::default();
    for path in env::args_os().skip(1) {
        for game in read_tree(path) {
            match game {
                Ok(game) => print(&game),
                Err(error) => bad.note(&error),
            }
        }
    }
    if bad.total() > 0 {
        eprintln!("{bad}");
    }
}

fn print(game: &Game) {
    let [black, white] = game.headers.names.each_ref().map(|name| name.as_deref().unwrap_or("?"));
    println!("{black} - {white}");
    let mut position = game.start.clone();
    for &mv in &game.moves {
        print!("{} ", japanese_move(&position, mv));
        position.play(mv);
    }
    println!("\n{} by {} after {} moves\n", game.result.name(), game.end.name(), game.moves.len());
}
