//! All end reasons and engine failures.

use super::helpers::{Folder, RUNNER, games_in, run_match};
use crate::common::{at_the_same_time, engine, kill, sabi};
use sabi_records::{EndReason, GameResult};
use sabi_shogi::Score;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The engine of `engine.sh`.
fn script() -> &'static str {
    static SCRIPT: OnceLock<(Folder, String)> = OnceLock::new();
    let (_, name) = SCRIPT.get_or_init(|| {
        let folder = Folder::new();
        let name = engine::script(&folder);
        (folder, name)
    });
    name
}

/// The script with this behaviour as engine B, against one that moves its rook.
fn against(behaviour: &str, time: &[&str], file: &str) -> String {
    let behaviour = format!("Behaviour={behaviour}");
    let plain = ["--engine-a", script(), "--engine-b", script(), "--option-b", &behaviour, "--random-plies", "0"];
    let rest = ["--games", "2", "--concurrency", "2", "--slack", "100", "--timeout", "2", "--out", file];
    run_match(&[&plain[..], time, &rest].concat())
}

#[test]
fn late_answer_loses() {
    let (nodes, clock) = (["--nodes", "9"], ["--movetime", "100"]);
    let cases = [
        ("silent", nodes, "time: no answer, no output"),
        ("silent", clock, "time: no answer, no output"),
        ("info", clock, "time: no answer, only other lines"),
        ("lines", clock, "time: no answer, only other lines"),
        ("slow", clock, " ms ("),
        ("on_stop", clock, " ms ("),
    ];
    at_the_same_time(&cases, |(behaviour, time, reported)| check(behaviour, time, reported, EndReason::Timeout));
}

#[test]
fn engine_failures_lose() {
    for (behaviour, reported, reason) in [
        ("exit", "engine failure: it exited: exit status: 3", EndReason::Aborted),
        ("close", "engine failure: it closed its output", EndReason::Aborted),
        ("long_line", "engine failure: it wrote a line of more than", EndReason::Aborted),
        ("illegal", "illegal move: '5e5d'", EndReason::Illegal),
        ("none", "illegal move: '(none)': not a move", EndReason::Illegal),
        ("empty", "illegal move: '': not a move", EndReason::Illegal),
        ("win", "invalid declaration", EndReason::Illegal),
        ("resign", "resignation (", EndReason::Resign),
    ] {
        check(behaviour, &["--nodes", "9"], reported, reason);
    }
}

/// Engine B has this behaviour, and loses both games.
fn check(behaviour: &str, time: &[&str], reported: &str, reason: EndReason) {
    let folder = Folder::new();
    let file = folder.name("games.csa");
    let text = against(behaviour, time, &file);
    assert_eq!(text.matches(reported).count(), 2, "{behaviour}: {text}");
    assert!(text.contains("2 games, 2-0-0 (W-D-L)"), "{behaviour}: {text}");
    let losses = if reason == EndReason::Timeout { 2 } else { 0 };
    assert!(text.contains(&format!("time losses: A 0, B {losses}")), "{behaviour}: {text}");
    let games = games_in(&file);
    assert!(games.iter().all(|game| game.end == reason), "{behaviour}: {text}");
    for game in games {
        let a_is_black = game.headers.names[0].as_deref() == Some("Script (A)");
        assert_eq!(game.result, if a_is_black { GameResult::BlackWins } else { GameResult::WhiteWins });
    }
}

#[test]
fn repetition_draw_with_scores() {
    let folder = Folder::new();
    let file = folder.name("games.csa");
    let text = against("default", &["--nodes", "9"], &file);
    assert!(text.contains("1/2 repetition (12 moves)") && text.contains("draws: repetition 2"), "{text}");
    assert!(text.contains("A: 1000 nodes a second, depth 3.0"), "{text}");
    let saved = std::fs::read_to_string(&file).unwrap();
    let white_is_mated = -Score::mated_in(4);
    assert!(saved.contains("'** 40\n-8272HI\n"), "{saved}");
    assert!(saved.contains(&format!("'** {}\n+3828HI\n", white_is_mated.get())), "{saved}");
}

/// It cannot become ready again, so it is restarted.
#[test]
fn unready_engine_is_restarted() {
    let plain =
        ["--engine-a", script(), "--engine-b", script(), "--option-b", "Behaviour=unready", "--random-plies", "0"];
    let text = run_match(&[&plain[..], &["--nodes", "9", "--games", "4", "--timeout", "2"]].concat());
    assert!(text.contains("draws: repetition 4"), "{text}");
}

/// Engine B resigns, or, `swapped`, engine A.
fn against_resigning_engine(swapped: bool) -> Vec<&'static str> {
    let (a, b, options) = match swapped {
        false => (sabi(), script(), "--option-a USI_Hash=1 --option-a Threads=1 --option-b Behaviour=resign"),
        true => (script(), sabi(), "--option-b USI_Hash=1 --option-b Threads=1 --option-a Behaviour=resign"),
    };
    ["--engine-a", a, "--engine-b", b].into_iter().chain(options.split(' ')).collect()
}

#[test]
fn sprt_stops_the_match() {
    let plain = against_resigning_engine(false);
    let folder = Folder::new();
    let file = folder.name("games.usi");
    let rest = ["--nodes", "50", "--games", "1000", "--concurrency", "2", "--sprt", "elo0=0,elo1=200", "--out", &file];
    let text = run_match(&[&plain[..], &rest].concat());
    assert!(text.contains("H1 accepted") && text.contains("LLR "), "{text}");
    let count = games_in(&file).len();
    assert!((2..200).contains(&count), "{count} games");
    // A decided SPRT needs no more games.
    let again = run_match(&[&plain[..], &rest].concat());
    assert!(again.contains("H1 accepted") && games_in(&file).len() == count, "{again}");
    let text = run_match(&[&against_resigning_engine(true)[..], &rest[..8]].concat());
    assert!(text.contains("H0 accepted"), "{text}");
}

/// With one game at a time none begins before the last one is counted.
#[test]
fn decided_sprt_starts_no_game() {
    let folder = Folder::new();
    let file = folder.name("games.usi");
    let rest = ["--nodes", "50", "--games", "400", "--concurrency", "1", "--sprt", "elo0=0,elo1=400", "--out", &file];
    let text = run_match(&[&against_resigning_engine(false)[..], &rest].concat());
    let count = games_in(&file).len();
    assert!(text.contains(&format!("H1 accepted after {count} games")), "{count}: {text}");
}

#[test]
fn sprt_decision_is_final() {
    let folder = Folder::new();
    let file = folder.name("games.usi");
    let plain = against_resigning_engine(false);
    let rest = ["--nodes", "50", "--games", "60", "--out", &file];
    run_match(&[&plain[..], &rest].concat());
    // The second half of the games is lost instead of won.
    let games = std::fs::read_to_string(&file).unwrap();
    let flip = |(number, line): (usize, &str)| match line.split_once('\t') {
        Some((winner, rest)) if number >= 30 => {
            format!("{}\t{rest}\n", if winner == "white" { "black" } else { "white" })
        }
        _ => format!("{line}\n"),
    };
    std::fs::write(&file, games.lines().enumerate().map(flip).collect::<String>()).unwrap();
    let text = run_match(&[&plain[..], &rest, &["--sprt", "elo0=0,elo1=200"]].concat());
    assert!(text.contains("30-0-30") && text.contains("H1 accepted after "), "{text}");
}

/// No engine remains when the runner is killed.
#[test]
fn engines_exit_with_the_runner() {
    let mut runner = Command::new(RUNNER)
        .args(["--engine-a", script(), "--engine-b", sabi(), "--option-b", "USI_Hash=1", "--option-b", "Threads=1"])
        .args(["--depth", "4", "--games", "100000", "--random-plies", "2", "--max-moves", "4"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(runner.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    assert!(line.starts_with("game 1 "), "{line}");
    let children = Command::new("ps").args(["-o", "pid=", "--ppid", &runner.id().to_string()]).output().unwrap();
    let children = String::from_utf8(children.stdout).unwrap();
    assert!(!children.trim().is_empty(), "the runner has engines");
    kill(runner);
    let start = Instant::now();
    for child in children.split_whitespace() {
        while Command::new("kill").args(["-0", child]).stderr(Stdio::null()).status().unwrap().success() {
            assert!(start.elapsed() < Duration::from_secs(5), "engine {child} is still there");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn failed_restart_ends_the_match() {
    let folder = Folder::new();
    let copy = folder.name("copy");
    assert!(Command::new("cp").args(["-p", script(), &copy]).status().unwrap().success());
    let mut runner = Command::new(RUNNER)
        .args(["--engine-a", script(), "--engine-b", &copy, "--option-b", "Behaviour=illegal"])
        .args(["--nodes", "9", "--games", "100000", "--random-plies", "2"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(runner.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("game 1 "));
    std::fs::remove_file(&copy).unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    let output = runner.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && stderr.starts_with("error: engine B: it "), "{stderr}");
    assert!(rest.iter().any(|line| line.contains("lost by B: illegal move")), "{rest:?}");
}
