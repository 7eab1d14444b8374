//! Turns a book of any format into Sabi's format:
//! `cargo run -p sabi-books --example convert_book -- BOOK OUTPUT.shob`

use sabi_books::formats::{ReadReport, read_merged};
use sabi_books::{BookMap, Shob, ShobOptions, book_key, write};
use sabi_files::read_regular;
use std::env;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [input, output] = words.as_slice() else { return Err("usage: convert BOOK OUTPUT.shob".into()) };
    let (bytes, mut report) = (read_regular(Path::new(input))?, ReadReport::default());
    let book: BookMap = if Shob::detect(&bytes) {
        Shob::new(bytes)?.to_map()?
    } else {
        read_merged(&bytes, &mut report)?.into_iter().map(|entry| (book_key(&entry.position), entry)).collect()
    };
    write(&book, ShobOptions { compress: true, positions: true }, Path::new(output))?;
    let moves: usize = book.values().map(|entry| entry.moves.len()).sum();
    println!("{} positions, {moves} moves", book.len());
    for (reason, dropped) in report.dropped() {
        println!("dropped: {} {reason}", dropped.count);
    }
    Ok(())
}
