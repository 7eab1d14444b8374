//! What these tests need: games, and the program.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi::movegen::legal_moves;
use sabi::position::Position;
use sabi::record::{Game, GameResult};
use sabi::types::Color;
use std::cmp::Ordering;
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub struct Outcome {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

pub fn try_tuner(arguments: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_tuner"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    Outcome {
        success: output.status.success(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

pub fn tuner(arguments: &[&str]) -> String {
    let outcome = try_tuner(arguments);
    assert!(outcome.success, "tuner {arguments:?}: {}\n{}", outcome.stderr, outcome.stdout);
    outcome.stdout
}

/// One line of error, and what it says.
pub fn refused(arguments: &[&str]) -> String {
    let outcome = try_tuner(arguments);
    assert!(!outcome.success, "tuner {arguments:?} should fail: {}", outcome.stdout);
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    outcome.stderr
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

    /// A list of games.
    pub fn games(&self, count: u64) -> String {
        let lines: Vec<String> = (0..count).map(|seed| game(seed).list_line()).collect();
        self.with("games.usi", lines.join("\n") + "\n")
    }
}

/// A game of chance, won by the side with more pieces in hand at its end: something to be learnt that nobody set by hand.
fn game(seed: u64) -> Game {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut position = Position::startpos();
    for _ in 0..70 {
        let moves = legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        position.play(moves[random.random_range(0..moves.len())]);
    }
    let [black, white] =
        Color::ALL.map(|color| position.hand(color).iter().map(|(_, count)| u32::from(count)).sum::<u32>());
    let result = match black.cmp(&white) {
        Ordering::Greater => GameResult::BlackWins,
        Ordering::Less => GameResult::WhiteWins,
        Ordering::Equal => GameResult::Draw,
    };
    Game { result, ..Game::before(&position) }
}
