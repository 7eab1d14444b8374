//! What all these tests need.

use sabi::book::{BookMap, BookMove, BookPosition, book_key};
use sabi::position::Position;
use sabi::types::Score;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Outcome {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

fn run(program: &str, arguments: &[&str]) -> Outcome {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().expect("the program starts");
    Outcome {
        success: output.status.success(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

pub fn try_builder(arguments: &[&str]) -> Outcome {
    run(env!("CARGO_BIN_EXE_book_builder"), arguments)
}

pub fn try_tools(arguments: &[&str]) -> Outcome {
    run(env!("CARGO_BIN_EXE_book_tools"), arguments)
}

pub fn builder(arguments: &[&str]) -> String {
    let outcome = try_builder(arguments);
    assert!(outcome.success, "book_builder {arguments:?}: {}", outcome.stderr);
    outcome.stdout
}

pub fn tools(arguments: &[&str]) -> String {
    let outcome = try_tools(arguments);
    assert!(outcome.success, "book_tools {arguments:?}: {}\n{}", outcome.stderr, outcome.stdout);
    outcome.stdout
}

/// A folder that goes away, and the names of files in it.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    pub fn with(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), content).expect("a file");
        self.name(name)
    }

    /// Everything that lies in it, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// A file of `tests/fixtures`.
pub fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
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
