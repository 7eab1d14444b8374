//! Running the programs, and files of games.

pub use crate::common::Folder;
use crate::common::{run, succeed};
use sabi::record::compact::{Block, Writer, read_blocks};
use sabi::record::{EndReason, Game, GameResult};
use sabi::types::Score;

/// Short games.
pub const SHORT: [&str; 8] = ["--nodes", "1", "--option", "USI_Hash=1", "--balance", "3000", "--max-moves", "30"];

pub const SELFPLAY: &str = env!("CARGO_BIN_EXE_selfplay");
pub const TOOLS: &str = env!("CARGO_BIN_EXE_data_tools");
pub const TRAINER: &str = env!("CARGO_BIN_EXE_trainer");

/// Message of a failing command.
pub fn refused(program: &str, arguments: &[&str]) -> String {
    let outcome = run(program, arguments);
    assert!(!outcome.success, "{arguments:?} should fail: {}", outcome.stdout);
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    outcome.stderr
}

/// Plays short games of seeds into a file.
pub fn play(out: &str, seeds: &str, more: &[&str]) -> String {
    play_as_told(out, seeds, &[&SHORT, more].concat())
}

/// Plays games of seeds into a file.
pub fn play_as_told(out: &str, seeds: &str, more: &[&str]) -> String {
    succeed(SELFPLAY, &[&["--out", out, "--seed-range", seeds], more].concat())
}

/// Message when no games can be played.
pub fn play_refused(out: &str, seeds: &str, more: &[&str]) -> String {
    refused(SELFPLAY, &[&["--out", out, "--seed-range", seeds], more].concat())
}

pub fn tools(arguments: &[&str]) -> String {
    succeed(TOOLS, arguments)
}

/// Standard output followed by stderr.
pub fn tools_with_warnings(arguments: &[&str]) -> String {
    let outcome = run(TOOLS, arguments);
    assert!(outcome.success, "{arguments:?}: {}\n{}", outcome.stderr, outcome.stdout);
    outcome.stdout + &outcome.stderr
}

pub fn tools_refused(arguments: &[&str]) -> String {
    refused(TOOLS, arguments)
}

impl Folder {
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("a file")
    }

    /// File names of the folder.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path("")).expect("a folder");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    /// A file of games, numbered from 0.
    pub fn games(&self, name: &str, games: &[Game]) -> String {
        let mut writer = Writer::new(Vec::new(), "").expect("a header");
        (0..).zip(games).for_each(|(number, game)| writer.push(number, game).expect("a game"));
        self.with(name, writer.finish().expect("the rest"))
    }

    /// Games of a file.
    pub fn stored(&self, name: &str) -> Block {
        let mut all = Block::default();
        for block in read_blocks(self.path(name)).expect("a file of games") {
            block.expect("a block").games().for_each(|game| all.push_stored(game).expect("a game"));
        }
        all
    }
}

/// Game numbers.
pub fn numbers(block: &Block) -> Vec<u64> {
    block.games().map(|game| game.number).collect()
}

/// A game of these moves, each with a score.
pub fn game(moves: &str, result: GameResult, end: EndReason) -> Game {
    let position = sabi::position::Position::startpos().with_moves(moves.split_whitespace()).expect("legal moves");
    let game = Game::before(&position);
    let scores = (0..game.moves.len() as i32).map(|at| Some(Score::cp(at * 10))).collect();
    Game { scores, result, end, ..game }
}
