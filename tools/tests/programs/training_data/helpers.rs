//! Running the programs, and files of games.

pub use crate::common::Folder;
pub use crate::common::fail as rejected;
use crate::common::{run, succeed};
use sabi_records::{
    EndReason, Game, GameResult,
    sabg::{Block, Writer, read_blocks},
};
use sabi_shogi::Score;

/// Short games.
pub const SHORT: [&str; 8] = ["--nodes", "1", "--option", "USI_Hash=1", "--balance", "3000", "--max-moves", "30"];

pub const SELFPLAY: &str = env!("CARGO_BIN_EXE_selfplay");
pub const TOOLS: &str = env!("CARGO_BIN_EXE_data_tools");
pub const TRAINER: &str = env!("CARGO_BIN_EXE_trainer");

/// Plays short games of seeds into a file.
pub fn play(out: &str, seeds: &str, more: &[&str]) -> String {
    play_games(out, seeds, &[&SHORT, more].concat())
}

/// Plays games of seeds into a file.
pub fn play_games(out: &str, seeds: &str, more: &[&str]) -> String {
    succeed(SELFPLAY, &[&["--out", out, "--seed-range", seeds], more].concat())
}

/// Message when no games can be played.
pub fn play_rejected(out: &str, seeds: &str, more: &[&str]) -> String {
    rejected(SELFPLAY, &[&["--out", out, "--seed-range", seeds], more].concat())
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

pub fn tools_rejected(arguments: &[&str]) -> String {
    rejected(TOOLS, arguments)
}

/// A file of games, numbered from 0.
pub fn write_games(folder: &Folder, name: &str, games: &[Game]) -> String {
    let mut writer = Writer::new(Vec::new(), "").expect("a header");
    (0..).zip(games).for_each(|(number, game)| writer.push(number, game).expect("a game"));
    folder.with(name, writer.finish().expect("the rest"))
}

/// Games of a file.
pub fn read_games(folder: &Folder, name: &str) -> Block {
    let mut all = Block::default();
    for block in read_blocks(folder.path(name)).expect("a file of games") {
        block.expect("a block").games().for_each(|game| all.push_stored(game).expect("a game"));
    }
    all
}

/// Game numbers.
pub fn numbers(block: &Block) -> Vec<u64> {
    block.games().map(|game| game.number).collect()
}

/// A game of these moves, each with a score.
pub fn game(moves: &str, result: GameResult, end: EndReason) -> Game {
    let position = sabi_shogi::Position::startpos().with_moves(moves.split_whitespace()).expect("legal moves");
    let game = Game::before(&position);
    let scores = (0..game.moves.len() as i32).map(|at| Some(Score::cp(at * 10))).collect();
    Game { scores, result, end, ..game }
}
