//! Shared test helpers.

pub use sabi_test_support::Folder;
use sabi_test_support::{ProgramRun, run, succeed};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

pub const SABI: &str = env!("CARGO_BIN_EXE_sabi");

/// A game of floodgate.
pub const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/records/rinsai/floodgate.csa");
pub const RECORDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/records");

/// A lance handicap game, in which White begins.
pub const HANDICAP: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/records/shogi_kifu_converter/piyo-shogi_KY.kif");

/// Black misses a mate, White does not.
pub const MATES: &str = "sfen 4k4/9/4+P4/9/9/9/4p4/9/4K4 b Gg 1 moves 5c4c G*5h";

pub fn try_analyze(arguments: &[&str]) -> ProgramRun {
    run(SABI, &[&["analyze"], arguments].concat())
}

pub fn analyze(arguments: &[&str]) -> String {
    succeed(SABI, &[&["analyze"], arguments].concat())
}

/// Output for games from standard input.
pub fn analyze_input(input: &[u8], arguments: &[&str]) -> String {
    let mut child = Command::new(SABI)
        .args([&["analyze", "-"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("piped").write_all(input).expect("the program listens");
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The only game of a JSON analysis.
pub fn only_game(text: &str) -> Value {
    let document: Value = serde_json::from_str(text).unwrap_or_else(|fault| panic!("{fault} in:\n{text}"));
    assert_eq!(document["schema"], 1);
    let games = document["games"].as_array().expect("games");
    assert_eq!(games.len(), 1);
    games[0].clone()
}
