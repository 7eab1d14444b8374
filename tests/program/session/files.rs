//! User-named files: any name, any folder, and no harm from unusable ones.

use std::fs;
use std::path::Path;

use super::client::Client;
use super::grammar::Kind;
use super::rules::Board;
use super::shelf::{Elsewhere, Shelf, name};

fn log_to(engine: &mut Client, path: &Path) {
    engine.set("DebugLogFile", name(path));
}

/// The log line that ends with `text`, and its prefix.
fn entry<'a>(log: &'a str, text: &str) -> &'a str {
    let mut found = log.lines().filter_map(|line| line.strip_suffix(text));
    found.next().unwrap_or_else(|| panic!("no {text:?} in the log:\n{log}"))
}

#[test]
fn log_has_both_directions_with_times() {
    let folder = Shelf::new();
    let path = folder.path().join("io.log");
    let mut engine = Client::ready();
    log_to(&mut engine, &path);
    engine.sync();
    let best = engine.think("startpos moves 7g7f", "depth 2").best().to_owned();
    drop(engine);

    let log = fs::read_to_string(&path).expect("the log");
    let sent = entry(&log, "isready");
    let received = entry(&log, "readyok");
    entry(&log, "position startpos moves 7g7f");
    entry(&log, "go depth 2");
    assert!(log.lines().any(|line| line.contains(&format!("bestmove {best}"))));
    entry(&log, "quit");
    for stamp in [sent, received] {
        assert!(stamp.chars().any(|c| c.is_ascii_digit()), "no time in {stamp:?}");
    }
    let marks = |stamp: &str| stamp.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    assert_ne!(marks(sent), marks(received), "the directions look alike");
    let remarks = log.lines().filter(|line| line.contains(" # ")).count();
    assert!(remarks >= 2, "a search begins and ends with a remark:\n{log}");
}

#[test]
fn empty_name_closes_the_log() {
    let folder = Shelf::new();
    let path = folder.path().join("io.log");
    let mut engine = Client::ready();
    log_to(&mut engine, &path);
    engine.send("usinewgame");
    assert_eq!(engine.replies("setoption name DebugLogFile value "), [""; 0]);
    let length = fs::metadata(&path).expect("the log").len();
    assert!(length > 0, "nothing was written while the engine ran");
    engine.go(&Board::startpos(), "depth 1");
    assert_eq!(fs::metadata(&path).expect("the log").len(), length, "it goes on");
}

/// The same name again, after the file was removed.
#[cfg(unix)]
#[test]
fn removed_log_begins_again() {
    let folder = Shelf::new();
    let path = folder.path().join("io.log");
    let mut engine = Client::ready();
    log_to(&mut engine, &path);
    engine.sync();
    fs::remove_file(&path).expect("the log");
    log_to(&mut engine, &path);
    engine.sync();
    drop(engine);
    entry(&fs::read_to_string(&path).expect("a new log"), "quit");
}

/// A GUI on Japanese Windows may send its own code page.
#[test]
fn p16_paths_in_cp932() {
    let folder = Shelf::new();
    let path = folder.path().join("評価 表.txt");
    let mut engine = Client::ready();
    let mut line = b"setoption name DebugLogFile value ".to_vec();
    line.extend(name(folder.path()).as_bytes());
    line.extend(b"/\x95\x5d\x89\xbf \x95\x5c.txt\n"); // two of these end in the ASCII `]` and `\`
    engine.send_bytes(&line);
    engine.sync();
    drop(engine);
    let names: Vec<_> = fs::read_dir(folder.path()).expect("a folder").flatten().map(|file| file.file_name()).collect();
    assert!(path.exists(), "{names:?}");
}

#[test]
fn p17_paths_relative_to_executable() {
    let places = Elsewhere::new();
    for place in [&places.home, &places.work] {
        fs::create_dir(place.path().join("logs")).expect("a folder");
    }
    let mut engine = places.spawn();
    engine.set("DebugLogFile", "logs/io.txt");
    engine.sync();
    drop(engine);
    assert!(places.home.path().join("logs/io.txt").exists());
    assert!(!places.work.path().join("logs/io.txt").exists());
}

#[test]
fn p17_paths_relative_to_working_folder() {
    let places = Elsewhere::new();
    fs::create_dir(places.work.path().join("logs")).expect("a folder");
    let mut engine = places.spawn();
    engine.set("DebugLogFile", "logs/io.txt");
    engine.sync();
    drop(engine);
    assert!(places.work.path().join("logs/io.txt").exists());
}

/// The engine needs no other file.
#[test]
fn binary_needs_no_other_file() {
    let places = Elsewhere::new();
    let mut engine = places.spawn();
    engine.handshake();
    engine.sync();
    engine.go(&Board::startpos(), "depth 2");
    drop(engine);
    let written = fs::read_dir(places.work.path()).expect("a folder").count();
    assert_eq!(written, 0, "files that were not asked for");
}

/// Missing weights, book or log: reported once, and the game continues.
#[test]
fn p18_unusable_files_are_not_fatal() {
    let folder = Shelf::new();
    let impossible = folder.put("plain", "no weights, no book").join("inside");
    let mut engine = Client::ready();
    for option in engine.options().into_iter().filter(|option| option.kind == Kind::Filename) {
        engine.assert_rejected(&format!("setoption name {} value {}", option.name, impossible.display()));
        engine.go(&Board::startpos(), "depth 1");
        // A book that cannot be used is named by every `isready`.
        engine.set(&option.name, "");
    }
}

/// Nothing is appended to a file that is not a log, and a folder is none.
#[test]
fn p18_other_file_as_log() {
    let folder = Shelf::new();
    let mut engine = Client::ready();
    engine.assert_rejected(&format!("setoption name DebugLogFile value {}", folder.path().display()));
    for (file, text) in [("notes.txt", "0.5 is a half\n"), ("data.bin", "\0\u{1}\u{2}"), ("one.txt", "1")] {
        let path = folder.put(file, text);
        engine.assert_rejected(&format!("setoption name DebugLogFile value {}", path.display()));
        engine.go(&Board::startpos(), "depth 1");
        assert_eq!(fs::read_to_string(&path).expect("the file"), text);
    }
    // An empty file and an older log are logs.
    for text in ["", "0.001 > usi\n", "12.345 # a remark\n"] {
        let path = folder.put("io.log", text);
        log_to(&mut engine, &path);
        engine.go(&Board::startpos(), "depth 1");
        let log = fs::read_to_string(&path).expect("the log");
        assert!(log.starts_with(text) && log.len() > text.len(), "{log}");
        engine.set("DebugLogFile", "");
    }
}
