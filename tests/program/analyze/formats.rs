//! Output formats.

use super::helpers::{Folder, GAME, HANDICAP, MATES, analyze, analyze_input, only_game};
use sabi_records::{Game, read_file};
use sabi_shogi::Position;
use serde_json::Value;
use std::fs;

fn read(path: &str) -> Game {
    let mut games = read_file(path).collect::<Result<Vec<_>, _>>().expect("a game without a fault");
    assert_eq!(games.len(), 1);
    games.remove(0)
}

#[test]
fn output_does_not_depend_on_threads() {
    let folder = Folder::new();
    for (extension, limit) in [
        ("html", ["--nodes", "300"]),
        ("kif", ["--nodes", "300"]),
        ("kifu", ["--nodes", "300"]),
        ("csa", ["--nodes", "300"]),
        ("usi", ["--nodes", "300"]),
        ("json", ["--depth", "4"]),
    ] {
        let written = ["1", "3"].map(|threads| {
            let path = folder.name(&format!("{threads}.{extension}"));
            let wanted = [GAME, "--multipv", "2", "--threads", threads, "--out", &path];
            analyze(&[&wanted[..], &limit].concat());
            fs::read(path).expect("the file that was asked for")
        });
        assert!(written[0].len() > 1000 && written[0] == written[1], "{extension}");
    }
}

#[test]
fn records_have_scores_and_branches() {
    let folder = Folder::new();
    let original = read(GAME);
    for name in ["a.kif", "a.kifu", "a.csa"] {
        let path = folder.name(name);
        analyze(&[GAME, "--nodes", "1000", "--out", &path]);
        let game = read(&path);
        assert_eq!(
            (&game.moves, game.end, &game.headers.names),
            (&original.moves, original.end, &original.headers.names),
            "{name}"
        );
        // An analysis in ShogiHome's form is none of the players' scores.
        let scores = game.scores[..game.moves.len() - 1].iter();
        assert!(
            if name == "a.csa" { scores.clone().all(Option::is_some) } else { game.scores == original.scores },
            "{name}"
        );
    }
    let text = fs::read_to_string(folder.path("a.kifu")).expect("UTF-8");
    assert!(text.contains("\n変化：") && text.contains("\n*#評価値=") && text.contains("\n*#読み筋=▲"), "{text}");
    let old = fs::read(folder.path("a.kif")).expect("a file");
    assert!(old.starts_with(b"#KIF version=2.0 encoding=Shift_JIS\n") && String::from_utf8(old).is_err());
    let csa = fs::read_to_string(folder.path("a.csa")).expect("UTF-8");
    let first_move = csa.find("\n+").expect("a turn");
    let searched = csa.match_indices("\n'** ").map(|(at, _)| at).collect::<Vec<_>>();
    // The server extension applies to moves; before them it makes readers crash.
    assert!(searched.len() + 1 >= original.moves.len() && searched[0] > csa[first_move + 2..].find("\n+").unwrap());
    assert!(!csa.trim_end().ends_with('/'), "no empty game after the only one");
}

#[test]
fn json_is_consistent() {
    for path in [GAME, HANDICAP] {
        check_data(path);
    }
}

fn check_data(path: &str) {
    let game = only_game(&analyze(&[path, "--nodes", "300", "--format", "json", "--lang", "en"]));
    let original = read(path);
    let [positions, moves] = ["positions", "moves"].map(|name| game[name].as_array().expect("a list").clone());
    assert_eq!((positions.len(), moves.len()), (original.moves.len() + 1, original.moves.len()));
    let mut position = original.start.clone();
    let mut counts = [0; 2];
    for (at, (reported, mv)) in moves.iter().zip(&original.moves).enumerate() {
        assert_eq!(
            (reported["move"].as_str(), reported["number"].as_u64()),
            (Some(&*mv.to_string()), Some(at as u64 + 1))
        );
        for line in positions[at]["lines"].as_array().expect("lines") {
            let words = line["moves"].as_array().expect("moves").iter().map(|mv| mv.as_str().expect("a move"));
            position.with_moves(words).expect("a line that can be played");
        }
        let judgement = &reported["judgement"];
        let side = usize::from(reported["side"] == "white");
        counts[side] += 1;
        let [before, after] = ["before", "after"].map(|name| judgement[name]["win_rate"].as_f64().expect("a win rate"));
        let loss = judgement["loss"].as_f64().expect("a loss");
        let is_best = judgement["best"] == reported["move"];
        let expected = if is_best { 0.0 } else { (before - after).max(0.0) };
        assert!((loss - expected).abs() < 2e-4, "{reported}");
        let for_black = positions[at + 1]["evaluation"]["win_rate"].as_f64().expect("a win rate");
        assert!((if side == 0 { for_black } else { 1.0 - for_black } - after).abs() < 2e-4, "{reported}");
        position.play(*mv);
    }
    for (side, count) in ["black", "white"].into_iter().zip(counts) {
        let summary = &game[side]["summary"];
        assert_eq!(summary["moves"], count);
        let classes = ["great", "best", "good", "inaccuracy", "mistake", "blunder", "major_blunder"];
        assert_eq!(classes.map(|class| summary[class].as_u64().expect("a count")).iter().sum::<u64>(), count);
        let accuracy = summary["accuracy"].as_f64().expect("an accuracy");
        assert!((0.0..=1.0).contains(&accuracy));
    }
    let in_book = game["book"]["moves"].as_u64().expect("a count");
    assert!(in_book >= u64::from(path == GAME), "{}", game["book"]);
    let reported = moves.iter().take_while(|reported| reported["book"] == true).count();
    assert_eq!(reported as u64, in_book);
}

/// A table of one's own adds names, and the analysis is another one.
#[test]
fn own_patterns() {
    let folder = Folder::new();
    let patterns = folder.with("own.txt", "opening 角道 = Open diagonal\n  own: P76 -P66\n");
    let game = folder.with("a.usi", "startpos moves 7g7f 3c3d 2g2f\n");
    let page = folder.name("a.html");
    let analyze = |more: &[&str]| analyze(&[&[&*game, "--nodes", "200", "--lang", "en", "--to", "1"], more].concat());
    let openings = only_game(&analyze(&["--format", "json", "--patterns", &patterns]))["white"]["openings"].clone();
    assert_eq!((&openings[0]["en"], &openings[0]["ply"]), (&"Open diagonal".into(), &2.into()));
    analyze(&["--out", &page]);
    assert!(!fs::read_to_string(&page).expect("UTF-8").contains("Open diagonal"));
    analyze(&["--out", &page, "--patterns", &patterns]);
    assert!(fs::read_to_string(&page).expect("UTF-8").contains(">opening: Open diagonal (1)</span></p>"));
}

#[test]
fn mates_have_lines() {
    let game = only_game(&analyze_input(MATES.as_bytes(), &["--nodes", "500", "--format", "json"]));
    let [first, second] = [0, 1].map(|at| game["moves"][at]["judgement"].clone());
    assert_eq!(first["missed_mate"], serde_json::json!(["G*5b"]), "{first:#}");
    assert_eq!(first["allowed_mate"], serde_json::json!(["G*5h"]), "{first:#}");
    assert_eq!((&second["missed_mate"], &second["class"]), (&Value::Null, &"best".into()), "{second:#}");
}

#[test]
fn move_range() {
    let wanted = ["--nodes", "100", "--format", "json", "--from", "11", "--to", "20", "--side", "white"];
    let game = only_game(&analyze(&[&[GAME], &wanted[..]].concat()));
    let moves = game["moves"].as_array().expect("moves");
    let judged: Vec<_> = moves.iter().filter(|mv| !mv["judgement"].is_null()).map(|mv| mv["number"].clone()).collect();
    assert_eq!(judged, [12, 14, 16, 18, 20]);
    assert_eq!((&game["black"]["summary"], &game["white"]["summary"]["moves"]), (&Value::Null, &5.into()));
}

#[test]
fn log_is_valid_usi() {
    let log = analyze(&[GAME, "--nodes", "100", "--to", "4", "--multipv", "2", "--format", "usi"]);
    assert_eq!(log.lines().filter(|line| line.starts_with("position ")).count(), 5, "{log}");
    let infos: Vec<_> = log.lines().filter(|line| line.starts_with("info ")).collect();
    assert_eq!(infos.len(), 10, "{log}");
    let mut position = Position::startpos();
    for line in log.lines() {
        if let Some(words) = line.strip_prefix("position startpos") {
            position = Position::startpos().with_moves(words.split_whitespace().skip(1)).expect("legal moves");
        } else if let Some((_, line)) = line.split_once(" pv ") {
            position.with_moves(line.split(' ')).expect("a line that can be played");
        }
    }
}

#[test]
fn entering_king_points() {
    let lone = "sfen +R+B+P+P+PK+P2/+P+P+P6/9/9/8k/9/9/9/9 b RB 1";
    let game = only_game(&analyze_input(lone.as_bytes(), &["--nodes", "100", "--format", "json"]));
    let standing = &game["positions"][0]["entering_king"]["black"];
    assert_eq!((&standing["points"], &standing["pieces_in_camp"]), (&27.into(), &9.into()), "{game:#}");
    assert_eq!(standing["king_in_camp"], true);
}
