//! Complete and interrupted tuning runs.

use super::helpers::{Folder, SPSA, arguments, rejected, tune};
use crate::common::{begin, kill, succeed, wait_for};

#[test]
fn final_report() {
    let folder = Folder::new();
    let file = folder.name("tuning");
    let text = tune(&file, "8", &["--concurrency", "2", "--gain", "0.5"]);
    assert_eq!(text.lines().filter(|line| line.starts_with("game ")).count(), 4, "{text}");
    let shown = succeed(SPSA, &["show", &file]);
    assert!(shown.starts_with("8 of 8 games, ") && text.ends_with(&shown), "{text}{shown}");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 6, "{shown}");
    assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["name", "start", "now", "steps", "step", "range"]);
    for (row, setting, name, start, range) in
        [(2, 4, "ResignValue", 99999.0, "1..99999"), (3, 5, "MultiPV", 1.0, "1..600")]
    {
        let words: Vec<&str> = lines[row].split_whitespace().collect();
        let number = |at: usize| words[at].parse::<f64>().unwrap();
        assert_eq!((words[0], number(1), words[5]), (name, start, range));
        assert!(((number(2) - start) / number(4) - number(3)).abs() < 0.01, "{shown}");
        let value: i64 = lines[setting].strip_prefix(&format!("{name}=")).unwrap().parse().unwrap();
        assert!((value as f64 - number(2)).abs() < 0.51, "{shown}");
    }
}

/// The values move, deterministically for a seed.
#[test]
fn deterministic_for_arguments() {
    let folder = Folder::new();
    let [one, same, other] = ["one", "same", "other"].map(|name| folder.name(name));
    tune(&one, "12", &[]);
    tune(&same, "12", &[]);
    tune(&other, "12", &["--seed", "2"]);
    let shown = |file: &str| succeed(SPSA, &["show", file]);
    assert_eq!(shown(&one), shown(&same));
    assert_ne!(shown(&one), shown(&other));
    assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(&same).unwrap());
}

#[test]
fn killed_tuning_resumes_exactly() {
    let folder = Folder::new();
    let (file, whole) = (folder.name("tuning"), folder.name("whole"));
    let runner = begin(SPSA, arguments(&file, "40"));
    let done = |file: &str| {
        let shown = succeed(SPSA, &["show", file]);
        shown.split(' ').next().unwrap().parse::<usize>().unwrap()
    };
    wait_for("the third pair", || folder.path("tuning").exists() && done(&file) >= 6);
    kill(runner);
    let saved = done(&file);
    assert!((6..40).contains(&saved), "{saved} games before the end");
    let text = tune(&file, "40", &[]);
    assert!(text.starts_with(&format!("{saved} games in the file, {} to play\n", 40 - saved)), "{text}");
    tune(&whole, "40", &[]);
    assert_eq!(std::fs::read(&file).unwrap(), std::fs::read(&whole).unwrap());
    // A finished run is only reported.
    let again = tune(&file, "40", &["--concurrency", "2"]);
    assert!(again.starts_with("40 games in the file, 0 to play\n40 of 40 games, "), "{again}");
    assert_eq!(std::fs::read(&file).unwrap(), std::fs::read(&whole).unwrap());
}

#[test]
fn state_is_locked_exclusively() {
    let folder = Folder::new();
    let file = folder.name("tuning");
    let first = begin(SPSA, arguments(&file, "6000"));
    wait_for("a state", || folder.path("tuning").exists());
    let reported = rejected(&arguments(&file, "6000"));
    assert!(reported.contains("another process is writing it") && reported.lines().count() == 1, "{reported}");
    kill(first);
    // The lock of a killed process is released.
    let other = rejected(&arguments(&file, "8000"));
    assert!(other.contains("tuning': it holds another tuning"), "{other}");
}
