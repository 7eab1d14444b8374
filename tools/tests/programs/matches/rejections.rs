//! Errors before the first game, without any change.

use super::helpers::{Folder, RUNNER, SMALL, try_match};
#[cfg(unix)]
use crate::common::at_the_same_time;
use crate::common::sabi;

fn rejected(arguments: &[&str]) -> String {
    let outcome = try_match(arguments);
    assert!(!outcome.success, "{arguments:?}: {}", outcome.stdout);
    assert!(!outcome.stdout.contains("game 1 "), "{}", outcome.stdout);
    outcome.stderr
}

#[test]
fn rejects_bad_arguments() {
    let folder = Folder::new();
    let bad_openings = folder.with("bad.sfen", "startpos moves 7g7f 7g7f\n");
    let no_openings = folder.with("none.sfen", "");
    let plain = ["--engine-a", sabi(), "--engine-b", sabi()];
    for (arguments, message) in [
        (&[][..], "required"),
        (&["--nodes", "0"], "0 is not in"),
        (&["--nodes", "10", "--movetime", "10"], "cannot be used with"),
        (&["--tc", "x"], "expected seconds: 10 or 10+0.1"),
        (&["--tc", "0.0004"], "expected seconds: 10 or 10+0.1"),
        (&["--tc", "1+1", "--byoyomi", "10"], "no increment with byoyomi"),
        (&["--nodes", "10", "--random-plies", "8", "--max-moves", "8"], "--max-moves 8 leaves no move after"),
        (&["--nodes", "10", "--games", "3"], "--games must be even"),
        (&["--nodes", "10", "--games", "0"], "--games must be even"),
        (&["--nodes", "10", "--games", "18446744073709551614"], "too large"),
        (&["--nodes", "10", "--concurrency", "0"], "invalid value"),
        (&["--nodes", "10", "--option-a", "Hash"], "NAME=VALUE"),
        (&["--nodes", "10", "--option-a", "Hash=1\nquit"], "one line"),
        (&["--nodes", "10", "--sprt", "elo0=5"], "elo0 must be below elo1"),
        (&["--nodes", "10", "--sprt", "elo=5"], "'elo=5' is not elo0="),
        (&["--nodes", "10", "--sprt", "elo0=0", "--engine-b", sabi()], "against one engine B"),
        (&["--nodes", "10", "--openings", &bad_openings], "bad.sfen:1: move 2"),
        (&["--nodes", "10", "--openings", &no_openings], "has no opening"),
        (&["--nodes", "10", "--openings", "/no/such.sfen"], "/no/such.sfen"),
        (&["--nodes", "10", "--out", "games.pgn"], ".csa, .kif or .usi"),
        (&["--nodes", "10", "--out", "/no/such/folder/games.csa"], "cannot use '/no/such/folder/games.csa'"),
        (&["--nodes", "10", "--engine-b", "/no/such/engine"], "cannot find the engine '/no/such/engine'"),
    ] {
        let stderr = try_match(&[&plain, arguments].concat());
        assert!(!stderr.success && stderr.stderr.contains(message), "{arguments:?}: {}", stderr.stderr);
    }
}

#[cfg(unix)]
#[test]
fn reports_program_that_is_not_an_engine() {
    let folder = Folder::new();
    let text = folder.with("text", "this is no program");
    let mut cases = Vec::new();
    for (program, message) in [
        ("/bin/true", "it exited: exit status: 0"),
        ("/bin/cat", "no 'usiok', only other lines"),
        (text.as_str(), "it cannot be started"),
    ] {
        cases.extend([(program, sabi(), "engine A", message), (sabi(), program, "engine B", message)]);
    }
    at_the_same_time(&cases, |&(a, b, label, message)| {
        // A separate file, because of the lock.
        let name = format!("{label} {message}").replace(|c: char| !c.is_alphanumeric(), "-") + ".csa";
        let file = folder.name(&name);
        let rest = ["--nodes", "10", "--timeout", "2", "--out", &file];
        let stderr = rejected(&[&["--engine-a", a, "--engine-b", b], &SMALL[..], &rest].concat());
        assert!(stderr.contains(message) && stderr.contains(label), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(!folder.path(&name).exists());
    });
}

#[test]
fn other_files_are_unchanged() {
    let folder = Folder::new();
    for (name, content, message) in [
        ("notes.usi", "buy rice\n", "notes.usi:1"),
        ("half.usi", "buy rice", "not of a match"),
        ("own.usi", "startpos moves 7g7f\n", "not of a match"),
        ("own.csa", "PI\n+\n+7776FU\n%TORYO\n/\n", "not of a match"),
        ("other.usi", "black\t-\t-\tmatch 00000000 game 1 A-B1\tresign\tstartpos\n", "another match"),
    ] {
        let file = folder.with(name, content);
        let stderr = rejected(&["--engine-a", sabi(), "--engine-b", sabi(), "--nodes", "10", "--out", &file]);
        assert!(stderr.contains(message), "{name}: {stderr}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), content);
    }
}

#[test]
fn faults_of_options_are_reported_once() {
    let wrong = ["--option-b", "Wings=2", "--option-a", "MultiPV=many", "--option-b", "EvalFile=missing.bin"];
    let options = [&SMALL[..], &wrong].concat();
    let plain = ["--engine-a", sabi(), "--engine-b", sabi(), "--nodes", "50", "--games", "4", "--max-moves", "12"];
    let outcome = try_match(&[&plain[..], &options, &["--concurrency", "2"]].concat());
    assert!(outcome.success);
    assert_eq!(outcome.stderr.matches("declares no option 'Wings'").count(), 1, "{}", outcome.stderr);
    assert_eq!(outcome.stderr.matches("takes 1 to 600 for MultiPV, not 'many'").count(), 1, "{}", outcome.stderr);
    // Also in the engine's own words, and the network in these alone.
    assert_eq!(outcome.stderr.lines().count(), 5, "{}", outcome.stderr);
    assert_eq!(outcome.stderr.matches("the evaluation missing.bin cannot be used").count(), 1, "{}", outcome.stderr);
}

#[test]
fn engine_from_path() {
    let folder = std::path::Path::new(sabi()).parent().unwrap();
    // On Windows without its extension.
    let name = std::path::Path::new(sabi()).file_stem().unwrap().to_str().unwrap();
    let path = std::env::join_paths(std::env::split_paths(&std::env::var_os("PATH").unwrap()).chain([folder.into()]));
    let elsewhere = Folder::new();
    let arguments = [&["--engine-a", name, "--engine-b", name], &SMALL[..], &["--depth", "1", "--games", "2"]].concat();
    let run = |path: std::ffi::OsString| {
        let mut command = std::process::Command::new(RUNNER);
        command.args(&arguments).args(["--max-moves", "12"]).current_dir(elsewhere.path("")).env("PATH", path);
        command.output().unwrap()
    };
    let found = run(path.unwrap());
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    let missed = run("/nowhere".into());
    let told = String::from_utf8_lossy(&missed.stderr);
    assert!(told.contains(&format!("cannot find the engine '{name}'")), "{told}");
}

/// What follows the last dot of a name is part of it.
#[cfg(unix)]
#[test]
fn engine_from_path_with_dot() {
    let folder = Folder::new();
    let engine = crate::common::engine::script(&folder);
    let run = || {
        let mut command = std::process::Command::new(RUNNER);
        command.args(["--engine-a", &engine, "--engine-b", "engine.old", "--nodes", "10", "--games", "2"]);
        command.args(["--max-moves", "12"]).env("PATH", folder.path("")).output().unwrap()
    };
    let missed = run();
    assert!(String::from_utf8_lossy(&missed.stderr).contains("cannot find the engine 'engine.old'"), "{missed:?}");
    std::fs::hard_link(&engine, folder.path("engine.old")).unwrap();
    let found = run();
    assert!(found.status.success(), "{found:?}");
}
