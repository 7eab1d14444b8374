//! Shared test helpers.

pub use crate::common::{Folder, ProgramRun};
use crate::common::{run, succeed};
use sabi_books::{BookMap, BookMove, BookPosition, ShobOptions, book_key, write};
use sabi_shogi::{Position, Score};
use std::path::Path;

pub const BUILDER: &str = env!("CARGO_BIN_EXE_book_builder");
pub const TOOLS: &str = env!("CARGO_BIN_EXE_book_tools");

pub fn try_builder(arguments: &[&str]) -> ProgramRun {
    run(BUILDER, arguments)
}

pub fn try_tools(arguments: &[&str]) -> ProgramRun {
    run(TOOLS, arguments)
}

pub fn builder(arguments: &[&str]) -> String {
    succeed(BUILDER, arguments)
}

pub fn tools(arguments: &[&str]) -> String {
    succeed(TOOLS, arguments)
}

/// The command fails, with this part in its message.
#[track_caller]
pub fn fails(outcome: &ProgramRun, part: &str) {
    assert!(!outcome.success, "it should have failed: {}", outcome.stdout);
    assert!(outcome.stderr.contains(part), "'{part}' is not in: {}", outcome.stderr);
}

/// A file of `tests/fixtures`.
pub fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures").join(name);
    path.to_str().expect("UTF-8").to_owned()
}

pub fn played(mv: &str, games: u32, win_rate: u16) -> BookMove {
    let mv = mv.parse().expect("a move");
    BookMove { games: Some(games), win_rate: Some(win_rate), ..BookMove::new(mv, games) }
}

pub fn searched(mv: &str, weight: u32, score: i32, depth: u16) -> BookMove {
    let mv = mv.parse().expect("a move");
    BookMove { score: Some(Score::cp(score)), depth: Some(depth), ..BookMove::new(mv, weight) }
}

/// A book of the positions after these moves.
pub fn book(entries: &[(&str, &[BookMove])]) -> BookMap {
    let entry = |(line, moves): &(&str, &[BookMove])| {
        let played = Position::startpos().with_moves(line.split_whitespace()).expect("legal moves");
        let position = Position::from_sfen(&played.sfen()).expect("a position");
        (book_key(&position), BookPosition { position, moves: moves.to_vec() })
    };
    entries.iter().map(entry).collect()
}

/// Writes a .shob book, and returns its path.
pub fn save(folder: &Folder, name: &str, book: &BookMap) -> String {
    write(book, ShobOptions { compress: true, positions: true }, &folder.path(name)).expect("a book");
    folder.name(name)
}
