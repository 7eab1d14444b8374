//! Invalid lines: none may end the engine, each is reported once.

use super::client::{Client, SLACK, TIMEOUT, ms};
use super::positions::BUSY;
use super::rules::Board;

const TWO_MEGABYTES: usize = 2 << 20;

#[test]
fn p12_unknown_commands_are_reported() {
    let mut engine = Client::ready();
    for line in
        ["foo", "xyzzy 1 2 3", "uci", "ucinewgame", "goo depth 1", "GO depth 1", "{\"a\": 1}", "評価", "-", "quit_"]
    {
        let replies = engine.replies(line);
        assert_eq!(replies.len(), 1, "{line}: {replies:?}");
        assert!(replies[0].starts_with("info string ") && replies[0].to_lowercase().contains("unknown"), "{replies:?}");
    }
}

#[test]
fn p14_crlf() {
    let mut engine = Client::spawn();
    engine.send_bytes(b"usi\r\n");
    engine.wait_for("usiok", TIMEOUT);
    engine.send_bytes(b"setoption name MultiPV value 2\r\nsetoption name DebugLogFile value \r\n");
    engine.send_bytes(b"setoption name USI_Hash value 16\r\nsetoption name Threads value 1\r\n");
    engine.send_bytes(b"setoption name BookFile value no_book\r\nisready\r\n");
    let lines = engine.wait_for("readyok", TIMEOUT);
    assert!(!lines.iter().any(|line| line.text.starts_with("info string") && line.text.contains("MultiPV")));
    engine.send_bytes(b"usinewgame\r\nposition startpos moves 7g7f\r\ngo depth 2\r\n");
    let thought = engine.bestmove(&Board::at("startpos moves 7g7f"), TIMEOUT);
    super::multipv::assert_blocks(&thought.variations(), 2);
}

#[test]
fn p14_repeated_blanks() {
    let mut engine = Client::ready();
    let board = Board::at("startpos moves 7g7f 3c3d");
    for line in [
        "position startpos moves 7g7f 3c3d ",
        "  position startpos moves 7g7f 3c3d",
        "position   startpos   moves  7g7f   3c3d",
        "\tposition\tstartpos\tmoves\t7g7f\t3c3d\t",
        " \t position \t startpos moves 7g7f 3c3d \t \r",
    ] {
        engine.position("startpos");
        engine.send(line);
        assert_eq!(engine.sfen(), board.sfen(), "{line:?}");
    }
    engine.send("  go   depth  1  ");
    engine.bestmove(&board, TIMEOUT);
    engine.send("\tisready\t");
    engine.wait_for("readyok", TIMEOUT);
}

#[test]
fn p14_empty_lines_are_ignored() {
    let mut engine = Client::ready();
    for blank in ["", " ", "\t", "\r", " \t \r", "\n\n\n"] {
        assert_eq!(engine.replies(blank), [""; 0], "{blank:?}");
    }
}

#[test]
fn rejects_invalid_utf8() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    for bytes in [
        &b"\x00\n"[..],
        b"\x00\x00\x00\x00\x00\x00\n",
        b"go\x00 depth 1\n",
        b"position startpos\x00\n",
        b"position sfen \x00\n",
        b"\xff\xfe\xfd\n",
        b"position startpos moves \xff\xff\xff\xff\n",
        b"setoption name \x8e\x97 value \x8e\x97\n",
        b"setoption name MultiPV value \x82\x50\n",
        b"\xed\xa0\x80\n",
        b"\x1b[31mred\x1b[0m\n",
        b"foo\rbar\n",
    ] {
        engine.assert_bytes_rejected(bytes);
        assert_eq!(engine.sfen(), board.sfen());
    }
    // A `go` is answered, whatever follows.
    engine.position(BUSY);
    for bytes in [
        &b"go depth 1 \xff\xfe\xfd\n"[..],
        b"go depth 1\x00 nodes 9\n",
        b"go nodes 9\rgo depth 1\n",
        b"go depth \xef\xbc\x93\n",
        b"\tgo\x20\x00\n",
    ] {
        engine.send_bytes(bytes);
        let thought = engine.bestmove(&board, ms(1000) + SLACK);
        assert!(matches!(&thought.strings()[..], [said] if said.starts_with("go: left out: ")), "{bytes:?}");
        engine.assert_settled();
    }
    engine.go(&board, "depth 1");
}

#[test]
fn rejects_overlong_line() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    let fill = |head: &str, part: &str| format!("{head}{}", part.repeat(TWO_MEGABYTES / part.len()));
    for line in [
        fill("", "x"),
        fill("", "x "),
        fill("position startpos moves", " 7g7f"),
        fill("position sfen ", "9/"),
        fill("position sfen ", "1"),
        fill("setoption name ", "n "),
        fill("setoption name MultiPV value ", "1"),
        fill("setoption name DebugLogFile value /", "a"),
        fill("", "\u{0}"),
    ] {
        let replies = engine.replies(&line);
        assert_eq!(replies.len(), 1, "{}", &line[..40]);
        assert!(
            replies[0].starts_with("info string ") && replies[0].len() < 1000,
            "an echo of {} bytes",
            replies[0].len()
        );
        assert_eq!(engine.sfen(), board.sfen());
    }
    for line in
        [fill("go depth ", "9"), fill("go depth", " x"), fill("go nodes 9", " depth 9 x") + &"x".repeat(3 << 20)]
    {
        engine.send(&line);
        let thought = engine.bestmove(&board, TIMEOUT);
        assert!(matches!(&thought.strings()[..], [said] if said.len() < 1000), "{}", &line[..40]);
        engine.assert_settled();
    }
    engine.go(&board, "depth 1");
}

/// Longer than any game, but valid: every move is legal.
#[test]
fn accepts_8000_plies() {
    let mut engine = Client::ready();
    const PLIES: usize = 8000;
    let text = format!("startpos moves{}", " 2h3h 8b7b 3h2h 7b8b".repeat(PLIES / 4));
    engine.send(&format!("position {text}"));
    let sfen = engine.sfen();
    assert!(sfen.starts_with(Board::startpos().sfen().trim_end_matches('1')), "{sfen}");
    engine.send("go depth 1");
    engine.bestmove(&Board::startpos(), TIMEOUT);
}

#[test]
fn bad_lines_do_not_affect_a_search() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    engine.send("go infinite");
    for bad in
        ["foo", "position sfen x", "position startpos moves 7g7e", "setoption name Threads value x", "go perft x", ""]
    {
        engine.send(bad);
    }
    engine.send_bytes(b"\xff\xff\n\x00\n");
    engine.assert_no_answer(ms(200));
    engine.stop(&board);
    engine.assert_settled();
    assert_eq!(engine.sfen(), board.sfen());
}
