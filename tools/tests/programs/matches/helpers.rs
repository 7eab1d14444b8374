//! Shared test helpers.

pub use crate::common::{Folder, ProgramRun};
use crate::common::{run, sabi, succeed};
use sabi_records::{Game, read_file};

pub const RUNNER: &str = env!("CARGO_BIN_EXE_match_runner");

/// Options for a small engine.
pub const SMALL: [&str; 8] =
    ["--option-a", "USI_Hash=1", "--option-a", "Threads=1", "--option-b", "USI_Hash=1", "--option-b", "Threads=1"];

pub fn try_match(arguments: &[&str]) -> ProgramRun {
    run(RUNNER, arguments)
}

pub fn run_match(arguments: &[&str]) -> String {
    succeed(RUNNER, arguments)
}

/// Sabi against itself.
pub fn self_match(arguments: &[&str]) -> String {
    run_match(&[&["--engine-a", sabi(), "--engine-b", sabi()], &SMALL[..], arguments].concat())
}

pub fn games_in(path: &str) -> Vec<Game> {
    read_file(path).collect::<Result<_, _>>().expect("games without a fault")
}

/// Game numbers in file order.
pub fn numbers(games: &[Game]) -> Vec<usize> {
    let number = |game: &Game| {
        let event = game.headers.event.as_deref().expect("an event");
        event.split(' ').nth(3).and_then(|number| number.parse().ok()).expect("a number")
    };
    games.iter().map(number).collect()
}
