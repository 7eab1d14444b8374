//! What all these tests need.

use sabi::record::{Game, read_file};
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub const SABI: &str = env!("CARGO_BIN_EXE_sabi");
pub const RUNNER: &str = env!("CARGO_BIN_EXE_match_runner");

/// Options for a small engine that starts fast.
pub const SMALL: [&str; 4] = ["--option-a", "USI_Hash=1", "--option-b", "USI_Hash=1"];

pub struct Outcome {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

pub fn try_match(arguments: &[&str]) -> Outcome {
    let output = Command::new(RUNNER).args(arguments).stdin(Stdio::null()).output().expect("the program starts");
    Outcome {
        success: output.status.success(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

pub fn run_match(arguments: &[&str]) -> String {
    let outcome = try_match(arguments);
    assert!(outcome.success, "match_runner {arguments:?}: {}\n{}", outcome.stderr, outcome.stdout);
    outcome.stdout
}

/// Sabi against itself.
pub fn self_match(arguments: &[&str]) -> String {
    run_match(&[&["--engine-a", SABI, "--engine-b", SABI], &SMALL[..], arguments].concat())
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
}

pub fn games_in(path: &str) -> Vec<Game> {
    read_file(path).collect::<Result<_, _>>().expect("games without a fault")
}

/// The number of each game, in the order of the file.
pub fn numbers(games: &[Game]) -> Vec<usize> {
    let number = |game: &Game| {
        let event = game.event.as_deref().expect("an event");
        event.split(' ').nth(3).and_then(|number| number.parse().ok()).expect("a number")
    };
    games.iter().map(number).collect()
}
