//! Inputs.

use super::helpers::{Folder, GAME, RECORDS, analyze, analyze_input, try_analyze};
use serde_json::Value;
use std::fs;

#[test]
fn folder_gives_pages_with_index() {
    let folder = Folder::new();
    let out = folder.name("pages/");
    let report = analyze(&[&format!("{RECORDS}/shogi_kifu_converter"), "--nodes", "50", "--out", &out]);
    let pages = folder.files_in("pages");
    assert_eq!(pages.len(), 7, "{pages:?}");
    let index = fs::read_to_string(folder.path("pages/index.html")).expect("an index");
    for page in pages.iter().filter(|page| *page != "index.html") {
        assert!(index.contains(&format!("href=\"{page}\"")), "{page} in {index}");
        let html = fs::read_to_string(folder.path("pages").join(page)).expect("a page");
        assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"), "{page}");
    }
    assert!(report.contains("simple: 先手 正確さ ") && report.trim_end().ends_with("index.html"), "{report}");
}

/// Games of an analysis without names, which come from the files.
fn unnamed(text: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(text).expect("data");
    let mut games = document["games"].as_array().expect("games").clone();
    games.iter_mut().for_each(|game| game["name"] = Value::Null);
    games
}

#[test]
fn text_formats_from_file_and_stdin() {
    for name in [
        "rinsai/floodgate.csa",
        "shogi_kifu_converter/forks.kif",
        "shogi_kifu_converter/everyday_20220604.kifu",
        "shogi_kifu_converter/simple.ki2",
        "cshogi/games.pgn",
    ] {
        let path = format!("{RECORDS}/{name}");
        let wanted = ["--nodes", "50", "--to", "3", "--format", "json"];
        let from_file = unnamed(&analyze(&[&[&*path], &wanted[..]].concat()));
        let from_input = unnamed(&analyze_input(&fs::read(&path).expect("a record"), &wanted));
        assert!(!from_file.is_empty() && from_file == from_input, "{name}");
    }
}

#[test]
fn packed_games() {
    for name in ["games.hcpe", "games.psv"] {
        let path = format!("{RECORDS}/cshogi/{name}");
        assert!(!unnamed(&analyze(&[&path, "--nodes", "20", "--to", "1", "--format", "json"])).is_empty(), "{name}");
    }
}

#[test]
fn equal_names_get_distinct_files() {
    let folder = Folder::new();
    for name in ["a/game.usi", "b/game.usi"] {
        folder.with(name, "startpos moves 7g7f\n");
    }
    let many = folder.with("index.usi", "startpos moves 2g2f\nstartpos moves 2g2f 8c8d\n");
    let lone = folder.with("index.sfen", "startpos moves 2g2f\n");
    let (a, b) = (folder.name("a"), folder.name("b"));
    let inputs = [&*a, &b, &many, &lone];
    analyze(&[&inputs[..], &["--nodes", "50", "--format", "csa", "--out", &folder.name("out/")]].concat());
    assert_eq!(folder.files_in("out"), ["game-2.csa", "game.csa", "index-1.csa", "index-2.csa", "index-3.csa"]);
}

#[test]
fn bad_game_is_reported_and_skipped() {
    let folder = Folder::new();
    let list = folder.with("list.usi", "startpos moves 7g7f\nstartpos moves 7g7e\nstartpos moves 2g2f\n");
    let outcome = try_analyze(&[&list, "--nodes", "50", "--format", "json"]);
    assert!(!outcome.success);
    let lines: Vec<_> = outcome.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("list.usi:2: move 1 '7g7e' is illegal"), "{lines:?}");
    assert_eq!(lines[1], "error: 1 game could not be read");
    let document: Value = serde_json::from_str(&outcome.stdout).expect("data");
    assert_eq!(document["games"].as_array().map(Vec::len), Some(2));
}

/// Once a file, and the game is analysed all the same.
#[test]
fn lines_left_out_are_reported() {
    let folder = Folder::new();
    let kif = folder.with("a.kif", "手合割：平手\nhello\n   1 ７六歩(77)\nbye\n");
    let outcome = try_analyze(&[&kif, "--nodes", "50", "--format", "json"]);
    assert!(outcome.success, "{}", outcome.stderr);
    let expected = "a.kif: 2 lines are not understood and were left out: 2 'hello', 4 'bye'";
    assert_eq!(outcome.stderr.matches("warning:").count(), 1, "{}", outcome.stderr);
    assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
}

#[test]
fn default_output_replaces_nothing() {
    let folder = Folder::new();
    let run = |more: &[&str]| {
        let mut command = std::process::Command::new(super::helpers::SABI);
        command.args(["analyze", GAME, "--nodes", "20", "--to", "2"]).args(more).current_dir(folder.path(""));
        let output = command.output().expect("the program runs");
        let [text, message] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        (output.status.success(), text, message)
    };
    assert!(run(&[]).0);
    let read = || fs::read_to_string(folder.path("floodgate.html")).expect("a page");
    let page = read();
    // The same command once more has nothing to do.
    let done = "nothing to do: floodgate.html has this analysis\n";
    assert_eq!(run(&["--threads", "1"]), (true, done.to_owned(), String::new()));
    let refused = "error: 'floodgate.html' exists, and is not the page of this analysis; --out replaces it\n";
    for other in [&["--multipv", "2"][..], &["--lang", "en"], &["--from", "2"], &["--option", "MaxMovesToDraw=100"]] {
        assert_eq!(run(other), (false, String::new(), refused.to_owned()), "{other:?}");
    }
    assert_eq!(read(), page);
    // A page that was not written to its end, or that another program wrote, is not it.
    for other in [&page[..page.floor_char_boundary(page.len() / 2)], "my page\n"] {
        fs::write(folder.path("floodgate.html"), other).expect("a page");
        assert_eq!(run(&[]), (false, String::new(), refused.to_owned()));
        assert_eq!(read(), other);
    }
    assert!(run(&["--out", "other.html"]).0);
    assert!(fs::read_to_string(folder.path("other.html")).expect("a page") == page);
}
