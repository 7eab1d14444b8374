//! Errors: a message, a failure status, and no partial file.

use super::helpers::{
    BUILDER, Folder, TOOLS, book, builder, fails, fixture, played, save, tools, try_builder, try_tools,
};
#[cfg(unix)]
use crate::common::{ProgramRun, sabi};
use sabi_books::{BookMove, ShobOptions, write};
#[cfg(unix)]
use sabi_test_support::run_within;
use sabi_tools::book::load;
use std::fs;
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::Duration;

#[test]
fn detects_damaged_book() {
    let folder = Folder::new();
    let path = folder.path("book.shob");
    let sample = book(&[("", &[played("7g7f", 3, 5000)]), ("7g7f", &[played("3c3d", 3, 5000)])]);
    for compress in [true, false] {
        write(&sample, ShobOptions { compress, positions: true }, &path).unwrap();
        let whole = fs::read(&path).unwrap();
        for at in [0, 5, 40, 70, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            fails(&try_tools(&["validate", &folder.with("bad.shob", damaged)]), "error: ");
        }
        let name = folder.with("bad.shob", &whole[..whole.len() - 1]);
        fails(&try_tools(&["validate", &name]), "bytes instead of");
        fails(&try_tools(&["export", &name, "--output", &folder.name("out.json")]), "cannot read the book");
    }
    assert_eq!(folder.files(), ["bad.shob", "book.shob"]);
}

#[test]
fn detects_illegal_move() {
    let folder = Folder::new();
    let path = folder.path("book.shob");
    for options in [(true, true), (false, true), (true, false)] {
        let (compress, positions) = options;
        write(&book(&[("", &[played("7g7e", 3, 5000)])]), ShobOptions { compress, positions }, &path).unwrap();
        let outcome = try_tools(&["validate", &folder.name("book.shob")]);
        fails(&outcome, "has 1 faults");
        assert_eq!(outcome.stdout.matches("7g7e is illegal in lnsg").count(), 1, "{}", outcome.stdout);
    }
    let db = "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
              7g7f none 0 0 1\n7g7e none 0 0 1\n";
    fails(&try_tools(&["validate", &folder.with("book.db", db)]), "1 faults");
}

#[test]
fn rejects_wrong_arguments() {
    let folder = Folder::new();
    let (records, output) = (fixture("records"), folder.name("book.shob"));
    fails(&try_builder(&[]), "required");
    fails(&try_builder(&["--games", &records]), "--output");
    fails(&try_builder(&["--games", &records, "--input", &records, "--output", &output]), "cannot be used with");
    fails(&try_builder(&["--games", &records, "--output", &folder.name("book.txt")]), ".shob, .json, .db or .ybb");
    fails(&try_builder(&["--games", &folder.name("nothing"), "--output", &output]), "cannot read games from");
    fails(&try_builder(&["--games", &records, "--output", &output, "--max-ply", "0"]), "--max-ply");
    fails(&try_builder(&["--games", &records, "--output", &output, "--min-rating", "high"]), "not a number");
    fails(&try_builder(&["--games", &records, "--output", &output, "--compress", "zip"]), "--compress");
    let input = fixture("books/samebook.db");
    fails(&try_builder(&["--input", &input, "--output", &output, "--max-ply", "9"]), "need --games");
    fails(&try_builder(&["--input", &input, "--output", &output, "--strategy", "sum"]), "needs --merge");
    fails(&try_builder(&["--merge", &output, "--output", &output, "--strategy", "best"]), "--strategy");
    fails(&try_builder(&["--analyze", &folder.name("nothing")]), "cannot read the book");
    for ignored in [["--min-games", "5"], ["--compress", "none"]] {
        let outcome = try_builder(&[&["--analyze", &input][..], &ignored[..]].concat());
        fails(&outcome, "cannot be used with");
        assert!(outcome.stderr.contains(ignored[0]), "{}", outcome.stderr);
    }
    for name in ["book.db", "book.json"].map(|name| folder.name(name)) {
        fails(&try_builder(&["--input", &input, "--output", &name, "--compress", "lz4"]), "--compress is for .shob");
        fails(&try_tools(&["export", &input, "--output", &name, "--compress", "none"]), "--compress is for .shob");
        let learning = ["learn", &input, "--games", &records, "--output", &name, "--compress", "lz4"];
        let outcome = try_tools(&learning);
        fails(&outcome, "--compress is for .shob");
        assert!(!outcome.stderr.contains("games from"), "reported after the games were read: {}", outcome.stderr);
    }
    fails(&try_tools(&["lookup", &fixture("books/samebook.db")]), "a position is missing");
    fails(&try_tools(&["lookup", &fixture("books/samebook.db"), "--sfen", "nonsense"]), "cannot read the position");
    fails(&try_tools(&["lookup", &fixture("books/samebook.db"), "--moves", "7g7e"]), "7g7e");
    fails(&try_tools(&["stats", &fixture("records/README.md")]), "unknown book format");
    assert_eq!(folder.files(), [""; 0]);
}

#[test]
fn rejects_empty_books() {
    let folder = Folder::new();
    let empty = folder.with("empty.db", "#YANEURAOU-DB2016 1.00\n");
    fails(&try_tools(&["stats", &empty]), "empty.db' has no positions");
    fails(&try_tools(&["validate", &empty]), "empty.db' has no positions");
    fails(&try_tools(&["lookup", &empty, "--moves", ""]), "empty.db': it has no positions");
    let invalid = folder.with("invalid.db", "#YANEURAOU-DB2016 1.00\nsfen x\n");
    let outcome = try_builder(&["--input", &invalid, "--output", &folder.name("book.shob")]);
    fails(&outcome, "1 invalid positions");
    fails(&outcome, "invalid.db' has no positions");
}

#[test]
fn no_usable_games_write_nothing() {
    let folder = Folder::new();
    let (records, output) = (fixture("records"), folder.name("book.shob"));
    let often = ["--games", &records, "--output", &output, "--min-games", "1000"];
    fails(&try_builder(&often), "no position is left");
    let good = ["--games", &records, "--output", &output, "--min-rating", "9999", "--rated-only"];
    fails(&try_builder(&good), "no usable games");
    assert_eq!(folder.files(), [""; 0]);
}

#[test]
fn failure_keeps_old_book() {
    let folder = Folder::new();
    let (records, output) = (fixture("records"), folder.name("book.shob"));
    builder(&["--games", &records, "--output", &output, "--min-games", "1"]);
    let old = fs::read(&output).unwrap();
    fails(&try_builder(&["--games", &records, "--output", &output, "--min-games", "1000"]), "no position is left");
    let missing = folder.name("missing/book.shob");
    fails(&try_builder(&["--games", &records, "--output", &missing, "--min-games", "1"]), "there is no folder");
    fails(&try_tools(&["trim", &output, "--output", &output, "--min-weight", "9999"]), "no position is left");
    assert_eq!(fs::read(&output).unwrap(), old);
    assert_eq!(folder.files(), ["book.shob"]);
    // A book may replace its input.
    tools(&["trim", &output, "--output", &output, "--max-ply", "5"]);
    assert!(fs::read(&output).unwrap().len() < old.len());
    assert_eq!(folder.files(), ["book.shob"]);
}

/// Text books cannot store positions without moves.
#[test]
fn reports_positions_left_out() {
    let folder = Folder::new();
    let unplayed = |mv| BookMove::new(mv, 0);
    let [first, second] = ["7g7f", "2g2f"].map(|word| unplayed(word.parse().unwrap()));
    let sample = book(&[("", &[first.clone(), second]), ("7g7f", &[played("3c3d", 3, 5000)])]);
    let (input, output) = (save(&folder, "book.shob", &sample), folder.name("book.db"));
    for reported in
        [tools(&["export", &input, "--output", &output]), builder(&["--input", &input, "--output", &output])]
    {
        assert!(reported.contains("book.db: 1 positions, 1 moves"), "{reported}");
        assert!(reported.contains("left out: 1 positions, 2 moves"), "{reported}");
    }
    assert_eq!(load(output.as_ref()).unwrap().book.len(), 1);
    assert!(!tools(&["export", &input, "--output", &folder.name("book.json")]).contains("left out"));
    // An empty file is no book, and does not replace one.
    save(&folder, "book.shob", &book(&[("", &[first])]));
    fails(&try_tools(&["export", &input, "--output", &output]), "no position is left");
    assert_eq!(load(output.as_ref()).unwrap().book.len(), 1);
}

#[test]
fn rejects_folder_as_output() {
    let folder = Folder::new();
    fs::create_dir(folder.path("book.json")).unwrap();
    let output = folder.name("book.json");
    fails(&try_tools(&["export", &fixture("books/samebook.db"), "--output", &output]), "cannot write the book");
    assert_eq!(folder.files(), ["book.json"]);
}

#[test]
fn closed_stdout_does_not_prevent_writing() {
    let folder = Folder::new();
    let (records, output) = (fixture("records"), folder.name("book.shob"));
    let arguments = ["--games", &records, "--output", &output, "--min-games", "1"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_book_builder"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop((child.stdout.take(), child.stderr.take()));
    assert!(child.wait().expect("a child of ours").success());
    assert!(tools(&["validate", &output]).contains("the book is valid"));
}

#[test]
fn inputs_are_not_overwritten() {
    let folder = Folder::new();
    let games = folder.with("games.usi", "startpos moves 7g7f 3c3d 2g2f\n");
    let output = folder.name("book.shob");
    builder(&["--games", &games, "--output", &output, "--min-games", "1"]);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    folder.keeps("book.shob", BUILDER, |report| words(&["--analyze", &output, "--report", report]));
    folder.keeps("book.shob", BUILDER, |other| words(&["--input", &output, "--output", other]));
    folder.keeps("book.shob", TOOLS, |other| words(&["export", &output, "--output", other]));
    let folder = Folder::new();
    let game =
        r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"color":0,"piece":"FU"}}]}"#;
    let games = folder.with("game.json", game);
    folder.keeps("game.json", BUILDER, |output| words(&["--games", &games, "--output", output, "--min-games", "1"]));
}

#[test]
fn other_files_are_not_replaced() {
    let folder = Folder::new();
    let input = fixture("books/samebook.db");
    for (name, other) in [
        ("book.shob", "a letter"),
        ("book.db", "a letter"),
        ("book.json", "{\"format\": \"sabi weights\"}"),
        ("book.json", "{\"my\": \"openings\"}"),
    ] {
        let output = folder.with(name, other);
        fails(&try_tools(&["export", &input, "--output", &output]), "of another kind");
        fails(&try_builder(&["--input", &input, "--output", &output]), "of another kind");
        assert_eq!(fs::read(&output).unwrap(), other.as_bytes());
        fs::write(&output, "").unwrap();
        for _ in 0..2 {
            tools(&["export", &input, "--output", &output]);
        }
    }
}

/// Opening a named pipe would block.
#[cfg(unix)]
#[test]
fn rejects_named_pipe() {
    let folder = Folder::new();
    let (pipe, output) = (folder.name("pipe.csa"), folder.name("out.shob"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for command in ["stats", "validate", "dump"] {
        fails(&ends(TOOLS, &[command, &pipe]), "not a file");
    }
    fails(&ends(TOOLS, &["export", &pipe, "--output", &output]), "not a file");
    fails(&ends(BUILDER, &["--games", &pipe, "--output", &output]), "not a file");
    fails(&ends(BUILDER, &["--games", &folder.name(""), "--output", &output]), "not a file");
    fails(&ends(env!("CARGO_BIN_EXE_data_tools"), &["count", &pipe]), "not a file");
    fails(
        &ends(env!("CARGO_BIN_EXE_data_tools"), &["convert", &pipe, "--output", &folder.name("o.sabg")]),
        "not a file",
    );
    fails(&ends(sabi(), &["mate", "--file", &pipe]), "not a file");
    fails(&ends(env!("CARGO_BIN_EXE_tuner"), &["fit", &pipe, "--output", &folder.name("w.json")]), "not a file");
    fails(&ends(env!("CARGO_BIN_EXE_trainer"), &["fit", &pipe, "--output", &folder.name("n.bin")]), "not a file");
    // Nor as an output.
    let db = fixture("books/samebook.db");
    fails(&ends(TOOLS, &["export", &db, "--output", &folder.name("pipe.csa")]), "a book is written as");
    assert!(Command::new("mkfifo").arg(&output).status().unwrap().success());
    fails(&ends(TOOLS, &["export", &db, "--output", &output]), "not a file");
}

/// A run that must end although it is given a pipe.
#[cfg(unix)]
fn ends(program: &str, words: &[&str]) -> ProgramRun {
    run_within(program, words, Duration::from_secs(20))
}

#[test]
fn games_from_stdin() {
    let folder = Folder::new();
    let output = folder.name("book.shob");
    let mut command = Command::new(BUILDER);
    command.args(["--games", "-", "--output", &output, "--min-games", "1"]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"startpos moves 7g7f 3c3d\n").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(load(output.as_ref()).unwrap().book.len(), 2);
}
