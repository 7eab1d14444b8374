//! Prints the book moves of a position, from a book of any format:
//! `cargo run -p sabi-books --example probe -- BOOK [SFEN]`

use sabi_books::OpenBook;
use sabi_books::formats::{PlyRule, ReadReport};
use sabi_shogi::Position;
use std::env;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let path = words.next().ok_or("usage: probe BOOK [SFEN]")?;
    let sfen = words.collect::<Vec<_>>().join(" ");
    let position = if sfen.is_empty() { Position::startpos() } else { Position::from_sfen(&sfen)? };
    let mut report = ReadReport::default();
    let book = OpenBook::open(Path::new(&path), true, &mut report)?;
    for entry in book.lookup_either_way(&position, PlyRule::Any, &mut report)? {
        let score = entry.score.map_or_else(|| "-".to_owned(), |score| score.get().to_string());
        let games = entry.games.map_or_else(|| "-".to_owned(), |games| games.to_string());
        println!("{:6} weight {:6} score {score:>6} games {games:>6}", entry.mv.to_string(), entry.weight);
    }
    for (reason, dropped) in report.dropped() {
        eprintln!("dropped: {} {reason}", dropped.count);
    }
    Ok(())
}
