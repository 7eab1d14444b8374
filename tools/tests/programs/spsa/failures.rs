//! Failing engines.

use super::helpers::{Folder, SPSA, rejected};
use crate::common::engine::script;
use crate::common::succeed;

fn arguments<'a>(engine: &'a str, file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let plain = ["--engine", engine, "--out", file, "--games", "8", "--nodes", "9", "--random-plies", "0"];
    [&plain[..], &["--timeout", "2"], more].concat()
}

#[test]
fn rejects_untunable_options() {
    let folder = Folder::new();
    let engine = script(&folder);
    let file = folder.name("tuning");
    for (params, message) in
        [("Torn", "without a valid default"), ("Stuck", "has only one value"), ("Style", "is of type 'combo'")]
    {
        let reported = rejected(&arguments(&engine, &file, &["--params", params]));
        assert!(reported.contains(message) && reported.contains(params) && reported.lines().count() == 1, "{reported}");
    }
    assert!(!folder.path("tuning").exists());
}

/// The saved state excludes the pair in which the engine failed.
#[test]
fn broken_engine_ends_the_tuning() {
    for (behaviour, message) in [
        ("Behaviour=exit", "engine failure: it exited: exit status: 3, in pair 1 with number="),
        ("Behaviour=illegal", "illegal move: '5e5d'"),
        ("Behaviour=silent", "time: no answer, no output, in pair 1"),
    ] {
        let folder = Folder::new();
        let engine = script(&folder);
        let file = folder.name("tuning");
        let reported = rejected(&arguments(&engine, &file, &["--params", "number", "--option", behaviour]));
        assert!(reported.contains(message) && reported.lines().count() == 1, "{behaviour}: {reported}");
        assert!(succeed(SPSA, &["show", &file]).starts_with("0 of 8 games, 0-0-0 (W-D-L)\n"));
    }
}

/// Both sides receive their values before every game, on both sides of the current value.
#[test]
fn engine_receives_values() {
    let folder = Folder::new();
    let engine = script(&folder);
    let file = folder.name("tuning");
    let text = succeed(SPSA, &arguments(&engine, &file, &["--params", "all", "--concurrency", "2"]));
    assert!(text.contains("8 of 8 games, 0-8-0 (W-D-L)") && text.ends_with("number=5\n"), "{text}");
    let received: Vec<i64> =
        std::fs::read_to_string(folder.path("numbers")).unwrap().lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(received.len(), 16, "{received:?}");
    assert!(received.iter().all(|number| (3..=7).contains(number)), "{received:?}");
    // Higher and lower values belong together.
    let above = received.iter().filter(|&&number| number > 5).count();
    assert_eq!(above, 8, "{received:?}");
    assert!((72..=88).contains(&received.iter().sum::<i64>()), "{received:?}");
}
