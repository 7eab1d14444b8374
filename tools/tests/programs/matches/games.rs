//! Matches between correct engines.

use super::helpers::{Folder, SMALL, games_in, numbers, run_match, self_match};
use crate::common::sabi;
use sabi_records::GameResult;
use std::time::Duration;

#[test]
fn every_notation_keeps_games() {
    let mut spelled = Vec::new();
    for extension in ["csa", "kif", "usi"] {
        let folder = Folder::new();
        let file = folder.name(&format!("games.{extension}"));
        let text = self_match(&["--nodes", "200", "--games", "4", "--concurrency", "2", "--out", &file]);
        let games = games_in(&file);
        let mut found = numbers(&games);
        found.sort_unstable();
        assert_eq!(found, [1, 2, 3, 4]);
        assert!(games.iter().all(|game| game.result != GameResult::Unknown));
        for number in found {
            assert_eq!(text.lines().filter(|line| line.starts_with(&format!("game {number} "))).count(), 1, "{text}");
        }
        let mut lines: Vec<_> = numbers(&games).into_iter().zip(games.iter().map(|game| game.usi())).collect();
        lines.sort();
        // Both games of a pair have the same opening.
        for pair in lines.chunks(2) {
            let start = |at: usize| pair[at].1.split(' ').take(10).collect::<Vec<_>>();
            assert_eq!(start(0), start(1));
        }
        spelled.push(lines);
        if extension != "usi" {
            for (game, number) in games.iter().zip(numbers(&games)) {
                let black = game.headers.names[0].as_deref().unwrap();
                assert!(black.ends_with(if number % 2 == 1 { "(A)" } else { "(B)" }), "{black}");
                assert!(game.times[8..].iter().all(Option::is_some));
            }
        }
    }
    // Equal seeds give equal games.
    assert!(spelled.iter().all(|games| *games == spelled[0]));
}

#[test]
fn final_report() {
    // The end does not depend on the evaluation.
    let text = self_match(&["--nodes", "200", "--games", "2", "--max-moves", "24"]);
    for part in [
        "Sabi 0.2.0 (A) against Sabi 0.2.0 (B)\n  2 games, 0-2-0 (W-D-L), score 0.500\n",
        "  Elo +0.0 [-375.7, +375.7] (95 %), likelihood of superiority 50.0 %\n",
        "  pairs by points 0 to 2: 0-0-1-0-0\n",
        "  draws: maximum moves 2\n",
        "  time losses: A 0, B 0\n",
        "nodes a second, depth ",
    ] {
        assert!(text.contains(part), "'{part}' is not in {text}");
    }
}

#[test]
fn time_controls() {
    for (time, clock) in [
        (&["--movetime", "5"][..], None),
        (&["--byoyomi", "10"], Some([0, 0, 10])),
        (&["--tc", "0.3+0.01"], Some([300, 10, 0])),
        (&["--tc", "0.2", "--byoyomi", "10"], Some([200, 0, 10])),
        (&["--depth", "2"], None),
    ] {
        let quick =
            ["--option-a", "NetworkDelay=0", "--option-a", "NetworkDelay2=0", "--option-a", "MinimumThinkingTime=0"];
        let folder = Folder::new();
        let file = folder.name("games.csa");
        let rest = ["--games", "2", "--max-moves", "24", "--slack", "5000", "--concurrency", "2", "--out", &file];
        let text = self_match(&[time, &quick, &rest].concat());
        assert!(text.contains("draws: maximum moves 2"), "{time:?}: {text}");
        // The file has the time control, if any.
        let clocks = games_in(&file)[0]
            .headers
            .clocks
            .map(|clock| clock.map(|clock| (clock.main, clock.increment, clock.byoyomi)));
        assert_eq!(clocks, [clock.map(|clock| clock.map(Duration::from_millis).into()); 2], "{time:?}");
    }
}

#[test]
fn openings_from_files() {
    let folder = Folder::new();
    let list = folder.with(
        "openings.sfen",
        "startpos moves 7g7f 3c3d 2g2f\nsfen 4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1\n",
    );
    let file = folder.name("games.usi");
    let rest = ["--openings", &list, "--opening-plies", "2", "--out", &file];
    let text = self_match(&[&["--nodes", "100", "--games", "6", "--max-moves", "10"], &rest[..]].concat());
    assert!(text.contains("different openings: 2, for 3 pairs of games; they are repeated"), "{text}");
    let games = games_in(&file);
    let handicap = games.iter().filter(|game| game.usi().starts_with("sfen 4k4/9/p")).count();
    let cut = games.iter().filter(|game| game.usi().starts_with("startpos moves 7g7f 3c3d")).count();
    assert_eq!(handicap + cut, 6);
    assert!(handicap == 2 || handicap == 4);
    // Games of a match serve as openings.
    self_match(&["--nodes", "100", "--games", "2", "--max-moves", "10", "--openings", &file, "--opening-plies", "4"]);
}

#[test]
fn gauntlet() {
    let folder = Folder::new();
    let file = folder.name("games.csa");
    let engines = ["--engine-a", sabi(), "--engine-b", sabi(), "--engine-b", sabi()];
    let rest = ["--nodes", "100", "--games", "4", "--max-moves", "30", "--out", &file];
    let text = run_match(&[&engines[..], &SMALL, &rest].concat());
    for part in ["against Sabi 0.2.0 (B1)\n  4 games", "against Sabi 0.2.0 (B2)\n  4 games"] {
        assert!(text.contains(part), "{text}");
    }
    let games = games_in(&file);
    let of = |name: &str| games.iter().filter(|game| game.headers.names[0].as_deref() == Some(name)).count();
    assert_eq!(["Sabi 0.2.0 (A)", "Sabi 0.2.0 (B1)", "Sabi 0.2.0 (B2)"].map(of), [4, 2, 2]);
}
