//! Weight files: effect, one-line errors, and cleared state.

use std::fs;
use std::path::{Path, PathBuf};

use sabi::eval::{Weight, Weights};
use sabi_test_support::run;

use super::client::{Client, TIMEOUT, ms};
use super::positions::BUSY;
use super::rules::Board;
use super::shelf::{Elsewhere, Shelf, name};

impl Shelf {
    /// The default weights with another tempo value, which is the evaluation of the start position.
    fn tempo(&self, name: &str, tempo: i16) -> PathBuf {
        self.put(name, with_tempo(tempo))
    }
}

fn with_tempo(tempo: i16) -> String {
    let mut weights = Weights::clone(Weights::embedded());
    let index = Weights::index_of("tempo.0.0").expect("a weight");
    *weights.get_mut(index).expect("a weight") = Weight::new(tempo, tempo);
    weights.to_json("made by a test")
}

/// An engine that prints the evaluation terms.
fn hand_crafted() -> Client {
    Client::ready_with(&[("EvalType", "hand")])
}

/// Hand-crafted evaluation of the start position.
fn value(engine: &mut Client) -> String {
    engine.position("startpos");
    engine.send("eval");
    let lines = engine.wait_for("info string phase ", TIMEOUT);
    let last = &lines[lines.len() - 1].text;
    let value = last.split_once("; ").and_then(|(_, rest)| rest.strip_suffix(" cp for Black to move"));
    value.unwrap_or_else(|| panic!("no value in {last:?}")).to_owned()
}

fn usual_value() -> String {
    let index = Weights::index_of("tempo.0.0").expect("a weight");
    Weights::embedded().get(index).expect("a weight").mg.to_string()
}

/// Sets a file, and returns the response to `isready`.
fn take(engine: &mut Client, file: &str) -> Vec<String> {
    engine.set("EvalFile", file);
    engine.reported()
}

/// One line with the error.
fn assert_rejected(reported: &[String], reason: &str) {
    let [line] = reported else { panic!("one line is wanted: {reported:#?}") };
    assert!(line.starts_with("info string the evaluation ") && line.contains(reason), "{line:?} without {reason:?}");
}

#[test]
fn eval_file_changes_weights_and_empty_restores() {
    let shelf = Shelf::new();
    let mut engine = hand_crafted();
    assert_eq!(value(&mut engine), usual_value());
    for (file, expected) in [
        (name(&shelf.tempo("much.json", 777)), "777"),
        ("<empty>", &*usual_value()),
        (name(&shelf.tempo("little.json", -7)), "-7"),
        (name(&shelf.tempo("重み 表.json", 70)), "70"),
        ("", &*usual_value()),
    ] {
        assert_eq!(take(&mut engine, file), [""; 0], "{file}");
        assert_eq!(value(&mut engine), expected, "{file}");
    }
}

#[test]
fn search_uses_the_weights() {
    let shelf = Shelf::new();
    let scores = [-3000, 3000].map(|tempo| {
        let file = shelf.tempo("tempo.json", tempo);
        let mut engine = Client::ready_with(&[("EvalFile", name(&file))]);
        engine.go(&Board::startpos(), "depth 1").score().value()
    });
    assert!(scores[0].abs_diff(scores[1]) > 2000, "{scores:?}");
}

#[test]
fn eval_file_between_moves() {
    let shelf = Shelf::new();
    let mut engine = hand_crafted();
    engine.go(&Board::startpos(), "depth 2");
    engine.set("EvalFile", name(&shelf.tempo("tempo.json", 300)));
    assert_eq!(value(&mut engine), usual_value(), "nothing was to be set up yet");
    assert_eq!(engine.go(&Board::startpos(), "depth 2").strings(), [""; 0]);
    assert_eq!(value(&mut engine), "300");
}

#[test]
fn eval_waits_for_isready() {
    let mut engine = Client::spawn();
    engine.send_bytes(b"usi\nsetoption name EvalType value hand\nisready\neval\n");
    engine.wait_for("info string phase ", TIMEOUT);
}

#[test]
fn eval_file_during_a_search() {
    let shelf = Shelf::new();
    let mut engine = hand_crafted();
    let board = engine.position("startpos");
    engine.send("go infinite");
    engine.set("EvalFile", name(&shelf.tempo("tempo.json", 300)));
    engine.set("EvalFile", name(&shelf.put("bad.json", "{")));
    engine.send("isready");
    engine.wait_for("readyok", TIMEOUT);
    engine.assert_no_answer(ms(100));
    let thought = engine.stop(&board);
    assert_eq!(thought.strings(), [""; 0]);
    let reported = engine.go(&board, "depth 2").strings();
    assert!(matches!(&reported[..], [line] if line.contains("EOF")), "{reported:?}");
    // Already reported, and unchanged since.
    assert_eq!(engine.go(&board, "depth 2").strings(), [""; 0]);
    assert_eq!(value(&mut engine), usual_value());
}

#[test]
fn unusable_file_is_reported_once() {
    let shelf = Shelf::new();
    let good = with_tempo(123);
    let huge = shelf.put("huge.json", "{");
    fs::File::options().write(true).open(&huge).and_then(|file| file.set_len((4 << 20) + 1)).expect("a long file");
    let folder = shelf.path().join("folder");
    fs::create_dir(&folder).expect("a folder");
    let bad = [
        (shelf.path().join("missing.json"), "(os error 2)"),
        (folder, "not a file"),
        (shelf.put("empty.json", ""), "neither a network (nn.bin) nor weights (JSON)"),
        (huge, "longer than 4 MiB"),
        (shelf.put("text.json", "no weights"), "neither a network"),
        (shelf.put("book.shob", [0xff; 100]), "neither a network"),
        (shelf.put("other.json", "{\"format\": \"other\"}"), "not a weight file"),
        (shelf.put("cut.json", &good[..good.len() / 2]), "at line "),
        (shelf.put("term.json", good.replace("\"tempo\"", "\"temper\"")), "there is no term 'temper'"),
        (shelf.put("range.json", good.replace("[[123, 123]]", "[[123, 40000]]")), "'tempo'"),
        (shelf.put("version.json", good.replace("\"version\": 1", "\"version\": 9")), "its version is 9"),
        (shelf.put("rubbish.json", format!("{good}x")), "trailing characters"),
    ];
    let file = shelf.put("good.json", &good);
    let mut engine = Client::ready_with(&[("EvalType", "hand"), ("EvalFile", name(&file))]);
    for (path, reason) in &bad {
        assert_rejected(&take(&mut engine, name(path)), reason);
        assert_eq!(value(&mut engine), "123", "{reason}");
        // A repeated command is reported again; a `go` is not.
        assert_rejected(&engine.reported(), reason);
        assert_eq!(engine.go(&Board::startpos(), "depth 1").strings(), [""; 0]);
    }
    assert_eq!(take(&mut engine, ""), [""; 0]);
    assert_eq!(value(&mut engine), usual_value());
}

#[test]
fn isready_rereads_changed_file() {
    let shelf = Shelf::new();
    let file = shelf.tempo("tempo.json", 111);
    let mut engine = Client::ready_with(&[("EvalFile", name(&file))]);
    // Same length, other content.
    shelf.tempo("tempo.json", 222);
    engine.go(&Board::startpos(), "depth 1");
    assert_eq!(value(&mut engine), "111");
    assert_eq!(engine.reported(), [""; 0]);
    assert_eq!(value(&mut engine), "222");
    fs::remove_file(&file).expect("it was there");
    assert_rejected(&engine.reported(), "(os error 2)");
    assert_eq!(value(&mut engine), "222");
    shelf.tempo("tempo.json", 333);
    assert_eq!(engine.reported(), [""; 0]);
    assert_eq!(value(&mut engine), "333");
}

/// Nodes of a search that depend on remembered state.
fn nodes(engine: &mut Client) -> u64 {
    engine.think(BUSY, "depth 7").nodes()
}

#[test]
fn new_weights_clear_the_tables() {
    let shelf = Shelf::new();
    let (first, second) = (shelf.tempo("first.json", 10), shelf.tempo("second.json", 90));
    let copy = shelf.put("copy.json", fs::read(&second).expect("a file"));
    let options = [("PvInterval", "0"), ("EvalHash", "1")];
    let fresh = |file: &Path| {
        let mut engine = Client::ready_with(&[&options[..], &[("EvalFile", name(file))]].concat());
        nodes(&mut engine)
    };
    let expected = fresh(&second);
    assert_ne!(fresh(&first), expected, "the files do not matter");
    let mut engine = Client::ready_with(&[&options[..], &[("EvalFile", name(&first))]].concat());
    nodes(&mut engine);
    nodes(&mut engine);
    engine.set("EvalFile", name(&second));
    assert_eq!(nodes(&mut engine), expected);
    assert_ne!(nodes(&mut engine), expected, "no effect");
    engine.set("EvalFile", name(&copy));
    engine.sync();
    assert_ne!(nodes(&mut engine), expected, "everything is forgotten for the same weights");
    engine.set("EvalFile", name(&shelf.put("bad.json", "{}")));
    engine.sync();
    assert_ne!(nodes(&mut engine), expected, "everything is forgotten for nothing");
}

#[test]
fn relative_path_resolution() {
    let places = Elsewhere::new();
    places.home.tempo("both.json", 1);
    places.work.tempo("both.json", 2);
    places.work.tempo("only.json", 3);
    let mut engine = places.spawn();
    for (file, expected) in [("both.json", "1"), ("only.json", "3")] {
        assert_eq!(take(&mut engine, file), [""; 0], "{file}");
        assert_eq!(value(&mut engine), expected, "{file}");
    }
}

/// Output of a subcommand: stdout on success, else the error.
fn sabi(arguments: &[&str]) -> Result<String, String> {
    let outcome = run(env!("CARGO_BIN_EXE_sabi"), arguments);
    if outcome.success { Ok(outcome.stdout) } else { Err(outcome.stderr) }
}

#[test]
fn subcommands_use_eval_file() {
    let shelf = Shelf::new();
    let option = |path: &Path| format!("EvalFile={}", name(path));
    let (good, bad) = (option(&shelf.tempo("good.json", 555)), option(&shelf.put("bad.json", "[]")));
    let reported = sabi(&["eval", "--option", &good]).expect("an explanation");
    assert!(reported.ends_with("; 555 cp for Black to move\n"), "{reported}");
    let bench = |option: &str| sabi(&["bench", "--depth", "3", "--hash", "1", "--option", option]);
    let signature = |reported: Result<String, String>| reported.expect("a bench").lines().last().map(str::to_owned);
    assert_ne!(signature(bench(&good)), signature(bench("EvalFile=")));
    for reported in [sabi(&["eval", "--option", &bad]), bench(&bad)] {
        let reported = reported.expect_err("a failure");
        assert!(
            reported.contains("bad.json") && reported.contains("does not begin") && reported.lines().count() == 1,
            "{reported}"
        );
    }
}
