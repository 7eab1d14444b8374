//! Resuming a match.

use super::helpers::{Folder, RUNNER, SMALL, games_in, numbers, run_match, try_match};
use crate::common::{begin, kill, sabi, wait_for};

fn arguments<'a>(file: &'a str, games: &'a str) -> Vec<&'a str> {
    let plain = ["--engine-a", sabi(), "--engine-b", sabi(), "--nodes", "300", "--concurrency", "2"];
    [&plain[..], &SMALL, &["--games", games, "--out", file]].concat()
}

/// Games of a file by number, each of which occurs once.
fn sorted(file: &str, count: usize) -> Vec<String> {
    let games = games_in(file);
    let mut lines: Vec<(usize, String)> =
        numbers(&games).into_iter().zip(games.iter().map(|game| game.usi())).collect();
    lines.sort();
    assert_eq!(lines.iter().map(|line| line.0).collect::<Vec<_>>(), (1..=count).collect::<Vec<_>>());
    lines.into_iter().map(|line| line.1).collect()
}

#[test]
fn killed_match_resumes() {
    for extension in ["csa", "kif", "usi"] {
        let folder = Folder::new();
        let (file, whole) = (folder.name(&format!("games.{extension}")), folder.name(&format!("whole.{extension}")));
        let runner = begin(RUNNER, arguments(&file, "12"));
        let begun = || std::fs::read_to_string(&file).map_or(0, |text| text.matches("match ").count());
        wait_for("the third game", || begun() >= 3);
        kill(runner);
        let saved = games_in(&file).len();
        assert!((3..12).contains(&saved), "{saved} games before the end");
        // The last game is truncated.
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() - 7]).unwrap();
        let text = run_match(&arguments(&file, "12"));
        let there = format!("{} games in the file, {} to play\n", saved - 1, 13 - saved);
        assert!(text.starts_with(&there), "{text}");
        assert!(text.contains("  12 games, "), "{text}");
        run_match(&arguments(&whole, "12"));
        assert_eq!(sorted(&file, 12), sorted(&whole, 12));
    }
}

#[test]
fn finished_match_can_be_extended() {
    let folder = Folder::new();
    let file = folder.name("games.csa");
    let report =
        |text: &str| text[text.find("Sabi 0.2.0 (A) against").unwrap()..text.find("this run:").unwrap()].to_owned();
    let first = run_match(&arguments(&file, "4"));
    let bytes = std::fs::read(&file).unwrap();
    let again = run_match(&arguments(&file, "4"));
    assert_eq!(report(&first), report(&again));
    assert!(again.starts_with("4 games in the file, 0 to play\n"), "{again}");
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    let longer = run_match(&arguments(&file, "6"));
    assert!(longer.starts_with("4 games in the file, 2 to play\n"), "{longer}");
    sorted(&file, 6);
}

#[test]
fn other_arguments_are_rejected() {
    let folder = Folder::new();
    let file = folder.name("games.usi");
    run_match(&arguments(&file, "2"));
    let bytes = std::fs::read(&file).unwrap();
    for change in [
        &["--option-a", "MultiPV=2"][..],
        &["--seed", "2"],
        &["--max-moves", "100"],
        &["--random-plies", "9"],
        &["--engine-b", sabi()],
    ] {
        let outcome = try_match(&[&arguments(&file, "2")[..], change].concat());
        assert!(
            !outcome.success && outcome.stderr.contains("games of another match"),
            "{change:?}: {}",
            outcome.stderr
        );
    }
    for change in [&["--slack", "900"][..], &["--timeout", "9"], &["--patience", "9"], &["--sprt", "elo0=0,elo1=9"]] {
        run_match(&[&arguments(&file, "2")[..], change].concat());
    }
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

/// A program under the same name may be another one.
#[cfg(unix)]
#[test]
fn other_programs_are_rejected() {
    let folder = Folder::new();
    let (file, engine) = (folder.name("games.usi"), folder.name("engine"));
    std::fs::copy(sabi(), &engine).unwrap();
    let arguments = [&arguments(&file, "2")[..], &["--engine-b", &engine]].concat();
    let arguments: Vec<&str> = arguments.into_iter().skip_while(|&word| word != "--nodes").collect();
    let arguments = [&["--engine-a", sabi()], &arguments[..]].concat();
    run_match(&arguments);
    assert!(run_match(&arguments).starts_with("2 games in the file, 0 to play\n"));
    // Bytes after the end of a program change nothing but its identity.
    let longer = [std::fs::read(&engine).unwrap(), vec![0]].concat();
    std::fs::write(&engine, longer).unwrap();
    let outcome = try_match(&arguments);
    assert!(!outcome.success && outcome.stderr.contains("games of another match"), "{}", outcome.stderr);
}

/// The engine itself changes its log.
#[test]
fn match_with_a_log_resumes() {
    let folder = Folder::new();
    let (file, option) = (folder.name("games.usi"), format!("DebugLogFile={}", folder.name("a.log")));
    let run = |games: &str| run_match(&[&arguments(&file, games)[..], &["--option-a", &option]].concat());
    run("2");
    assert!(!folder.read("a.log").is_empty());
    let text = run("4");
    assert!(text.starts_with("2 games in the file, 2 to play\n"), "{text}");
}

/// Files written by two processes at once, before locking existed.
#[test]
fn duplicate_games_count_once() {
    let folder = Folder::new();
    let file = folder.name("games.usi");
    run_match(&arguments(&file, "2"));
    let twice = std::fs::read(&file).unwrap().repeat(2);
    std::fs::write(&file, &twice).unwrap();
    let outcome = try_match(&arguments(&file, "2"));
    assert!(outcome.success && outcome.stderr.contains("2 duplicate game numbers"), "{}", outcome.stderr);
    assert!(outcome.stdout.starts_with("2 games in the file, 0 to play\n"), "{}", outcome.stdout);
    assert_eq!(std::fs::read(&file).unwrap(), twice);
}

#[test]
fn file_is_locked_exclusively() {
    let folder = Folder::new();
    let file = folder.name("games.usi");
    let first = begin(RUNNER, arguments(&file, "2000"));
    wait_for("a game", || std::fs::read(&file).is_ok_and(|text| !text.is_empty()));
    let second = try_match(&arguments(&file, "2000"));
    assert!(!second.success && second.stderr.contains("another process is writing it"), "{}", second.stderr);
    assert_eq!(second.stderr.lines().count(), 1, "{}", second.stderr);
    kill(first);
    // The lock of a killed process is released.
    let (there, text) = (games_in(&file).len(), run_match(&arguments(&file, "2")));
    assert!(there > 0 && text.contains(" games in the file, "), "{text}");
    let left: Vec<_> = std::fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["games.usi"]);
}

/// A full disk, simulated by a file size limit, leaves whole games only.
#[cfg(unix)]
#[test]
fn failed_game_leaves_no_part() {
    let folder = Folder::new();
    let file = folder.name("games.usi");
    let words = [&arguments(&file, "40")[..], &["--max-moves", "40"]].concat();
    let limited = ["-c", "ulimit -f 4; exec \"$0\" \"$@\"", RUNNER];
    let message = crate::common::fail("sh", &[&limited[..], &words].concat());
    assert!(message.contains("cannot save a game"), "{message}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.ends_with('\n'), "{text}");
    let again = run_match(&words);
    let there = text.lines().count();
    assert!(there > 1 && again.starts_with(&format!("{there} games in the file, {} to play", 40 - there)), "{again}");
    sorted(&file, 40);
}
