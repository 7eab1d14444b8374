//! From start to `readyok`.

use std::collections::HashSet;

use super::client::{Client, TIMEOUT, answers, ms};
use super::positions::BUSY;

#[test]
fn no_greeting_on_a_pipe() {
    let mut engine = Client::spawn();
    engine.assert_silent(ms(200));
}

#[test]
fn p08_usiok_comes_at_once() {
    let mut engine = Client::spawn();
    engine.send("usi");
    engine.wait_for("usiok", ms(2000)); // the shortest timeout among GUIs, Shogidokoro's
}

#[test]
fn id_and_options() {
    let mut engine = Client::spawn();
    let lines = engine.handshake();
    let texts: Vec<_> = lines.iter().map(|line| line.text.as_str()).collect();
    let version = env!("CARGO_PKG_VERSION");
    assert!(texts[0].starts_with(&format!("id name Sabi {version}")), "{}", texts[0]);
    assert!(texts[1].starts_with("id author "), "{}", texts[1]);
    let options = &texts[2..texts.len() - 1];
    assert!(options.iter().all(|text| text.starts_with("option name ")), "{options:#?}");
    let names: HashSet<_> = options.iter().map(|text| text.split(' ').nth(2).map(str::to_lowercase)).collect();
    assert_eq!(names.len(), options.len(), "an option is declared twice");
}

#[test]
fn usi_and_isready_are_repeatable() {
    let mut engine = Client::small();
    let text = |engine: &mut Client| engine.handshake().into_iter().map(|line| line.text).collect::<Vec<_>>();
    let first = text(&mut engine);
    engine.sync();
    engine.sync();
    assert_eq!(text(&mut engine), first);
    engine.send_bytes(b"isready\nusinewgame\nisready\n");
    for _ in 0..2 {
        engine.wait_for("readyok", TIMEOUT);
    }
    engine.assert_silent(ms(100));
}

/// The second `readyok` comes after the preparation, too, and the search goes on until `stop`.
#[test]
fn isready_behind_a_queued_search() {
    let mut engine = Client::small();
    engine.send_bytes(b"isready\ngo infinite\nisready\n");
    for _ in 0..2 {
        let lines = engine.wait_for("readyok", TIMEOUT);
        assert_eq!(answers(&lines), [""; 0], "{lines:?}");
    }
    engine.assert_no_answer(ms(100));
    engine.send("stop");
    engine.wait_for("bestmove", TIMEOUT);
    engine.assert_settled();
}

#[test]
fn p09_lines_are_flushed_one_by_one() {
    let mut engine = Client::ready();
    let thought = engine.think(BUSY, "movetime 800");
    assert!(thought.lead() > ms(300), "info came {:?} before bestmove: held in a buffer", thought.lead());
}

#[test]
fn p09_writers_do_not_interleave() {
    let mut engine = Client::ready_with(&[("Threads", "4"), ("MultiPV", "8"), ("PvInterval", "0")]);
    let board = engine.position(BUSY);
    engine.send("go infinite");
    for n in 0..200 {
        engine.send(&format!("flood{n}"));
    }
    engine.send("stop");
    let mut lines = engine.wait_for("bestmove", TIMEOUT);
    lines.extend(engine.sync());
    // Torn lines fail on arrival; lost ones show here.
    let rejections = lines.iter().filter(|line| line.text.to_lowercase().contains("unknown"));
    assert_eq!(rejections.count(), 200);
    assert!(
        board
            .is_legal(lines.iter().find(|line| line.is_answer()).expect("one").text.split(' ').nth(1).expect("a move"))
    );
}

/// cshogi decodes everything before `readyok` as Shift-JIS and fails on Japanese in UTF-8.
#[test]
fn p11_only_ascii_before_readyok() {
    let mut engine = Client::small();
    let mut lines = engine.handshake();
    engine.set("DebugLogFile", "/存在しない/フォルダ/ログ.txt");
    engine.set("評価関数", "水匠");
    engine.send("こんにちは");
    lines.extend(engine.sync());
    let foreign = lines.iter().find(|line| !line.text.is_ascii());
    assert_eq!(foreign.map(|line| &line.text), None);
    // What could not be said in the handshake comes whole behind it, each mistake once.
    let told: Vec<String> = engine.reported();
    for (line, name) in told.iter().zip(["/存在しない/フォルダ/ログ.txt", "評価関数", "こんにちは"])
    {
        assert!(line.starts_with("info string ") && line.contains(name), "{line}");
    }
    assert_eq!(told.len(), 3, "{told:#?}");
    // The same at a later `isready`.
    engine.set("BookFile", "/存在しない/定跡.db");
    let before = engine.sync();
    assert!(before.iter().all(|line| line.text.is_ascii()), "{before:#?}");
    let after = engine.reported();
    assert!(after.iter().any(|line| line.contains("定跡.db")), "{after:#?}");
}

#[test]
fn help_prints_info_only() {
    let mut engine = Client::ready();
    let lines = engine.replies("help");
    assert!(!lines.is_empty());
    assert!(lines.iter().all(|line| line.starts_with("info string ")), "{lines:#?}");
}
