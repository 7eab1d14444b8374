//! The examples of the documentation match the actual output.
//!
//! An example is a block with commands that start with `$ sabi`, each followed by its output; `…`
//! matches any lines, or the rest of a line. Times and speeds are not compared.

use sabi_test_support::at_the_same_time;
use std::process::Command;

const PAGE: &str = include_str!("../../docs/commands.md");

/// Commands with their expected lines.
fn examples() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut examples: Vec<(&str, Vec<&str>)> = Vec::new();
    let blocks = PAGE.split("\n```").skip(1).step_by(2);
    for line in blocks.filter(|block| block.starts_with("\n$ sabi ")).flat_map(str::lines) {
        match (line.strip_prefix("$ sabi "), examples.last_mut()) {
            (Some(command), _) => examples.push((command, Vec::new())),
            (None, Some((_, shown))) if !line.is_empty() => shown.push(line),
            _ => {}
        }
    }
    examples
}

/// Words of a command; quoted ones may contain blanks.
fn words(command: &str) -> Vec<&str> {
    let parts = command.split('"').enumerate();
    parts.flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }).collect()
}

/// Whether a number is a time or a speed; so is the last one of a row below a header that ends with
/// `ms`.
fn is_timing(line: &[&str], at: usize, below_ms: bool) -> bool {
    let before = at.checked_sub(1).map(|at| line[at]);
    let after = line.get(at + 1).map(|word| word.trim_end_matches(','));
    matches!(before, Some("time" | "nps"))
        || matches!(after, Some("ms" | "s" | "million" | "a"))
        || (below_ms && after.is_none())
}

fn is_number(word: &str) -> bool {
    word.trim_end_matches(',').parse::<f64>().is_ok()
}

fn is_same(shown: &str, printed: &str, below_ms: bool) -> bool {
    let (shown, printed): (Vec<_>, Vec<_>) = (shown.split_whitespace().collect(), printed.split_whitespace().collect());
    for (at, word) in shown.iter().enumerate() {
        match printed.get(at) {
            _ if *word == "…" => return true,
            Some(other) if word == other => {}
            Some(other) if is_number(word) && is_number(other) && is_timing(&shown, at, below_ms) => {}
            _ => return false,
        }
    }
    shown.len() == printed.len()
}

fn assert_shown(command: &str, shown: &[&str], printed: &str) {
    let mut printed_lines = printed.lines().filter(|line| !line.is_empty());
    let below_ms = shown.iter().any(|line| line.ends_with(" ms") && line.contains("  "));
    let mut skips = false;
    for line in shown {
        if *line == "…" {
            skips = true;
            continue;
        }
        let found = if skips {
            printed_lines.any(|other| is_same(line, other, below_ms))
        } else {
            printed_lines.next().is_some_and(|other| is_same(line, other, below_ms))
        };
        assert!(found, "sabi {command} does not print '{line}', but:\n{printed}");
        skips = false;
    }
    assert!(skips || printed_lines.next().is_none(), "sabi {command} prints more:\n{printed}");
}

#[test]
fn examples_match_output() {
    let folder = tempfile::tempdir().expect("a folder");
    // Paths are relative to the repository, where nothing is written.
    std::os::unix::fs::symlink(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"), folder.path().join("tests"))
        .expect("a link");
    let examples = examples();
    assert!(examples.len() >= 5, "{} examples", examples.len());
    at_the_same_time(&examples, |(command, shown)| {
        let output = Command::new(env!("CARGO_BIN_EXE_sabi")).args(words(command)).current_dir(folder.path()).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "sabi {command}: {}", String::from_utf8_lossy(&output.stderr));
        assert_shown(command, shown, &String::from_utf8(output.stdout).expect("UTF-8"));
    });
}

#[test]
fn every_help_has_examples() {
    sabi_test_support::assert_helps(env!("CARGO_BIN_EXE_sabi"), env!("CARGO_MANIFEST_DIR").as_ref());
}

#[test]
fn detects_differences() {
    assert!(is_same("time 12 ms", "time 900 ms", false) && is_same("a  1 0.5", "a 1   7.25", true));
    for (shown, printed) in
        [("nodes 12", "nodes 13"), ("time 12 ms", "time x ms"), ("a b", "a"), ("a", "a b"), ("a 1", "a 2")]
    {
        assert!(!is_same(shown, printed, false), "{shown} {printed}");
    }
    assert_eq!(words("eval --sfen \"a b 1\" --x"), ["eval", "--sfen", "a b 1", "--x"]);
}
