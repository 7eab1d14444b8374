//! `position` is applied completely or not at all.

use super::client::{Client, TIMEOUT, ms};
use super::positions::{BUSY, KINGLESS_MATE_IN_THREE, MATED};
use super::rules::Board;

const KINGS: &str = "4k4/9/9/9/9/9/9/9/4K4";

#[test]
fn common_forms() {
    let mut engine = Client::ready();
    for text in [
        "startpos",
        "startpos moves",
        "startpos moves 7g7f",
        "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 12 moves 3c3d 7g7f",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - moves 7g7f",
        BUSY,
        MATED,
        KINGLESS_MATE_IN_THREE,
        "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
    ] {
        let board = engine.position(text);
        assert_eq!(engine.sfen(), board.sfen(), "{text}");
    }
}

#[test]
fn initial_position_is_startpos() {
    let mut engine = Client::ready();
    assert_eq!(engine.sfen(), Board::startpos().sfen());
    engine.go(&Board::startpos(), "depth 1");
}

#[test]
fn p12_bad_position_changes_nothing() {
    let mut engine = Client::ready();
    let board = engine.position("startpos moves 2g2f 8c8d");
    let rows = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    for bad in [
        "",
        "nonsense",
        "sfen",
        "startpos 7g7f",
        "startpos move 7g7f",
        "sfen 玉 b - 1",
        "sfen lnsgkgsnl b - 1",
        "sfen 9/9/9/9/9/9/9/4K4 b - 1",
        "sfen 4k4/9/9/9/9/9/9/9/9/4K4 b - 1",
        "sfen 4k5/9/9/9/9/9/9/9/4K4 b - 1",
        "sfen 4k3/9/9/9/9/9/9/9/4K4 b - 1",
        "sfen 4k4/9/9/9/0/9/9/9/4K4 b - 1",
        "sfen 4k4/9/9/9/4x4/9/9/9/4K4 b - 1",
        "sfen 4k4/9/9/9/4+4/9/9/9/4K4 b - 1",
        "sfen 4k4/9/9/9/8+/9/9/9/4K4 b - 1",
        "sfen 4k4/9/9/9/4+G4/9/9/9/4K4 b - 1",
        "sfen 4k4/9/9/9/9/9/9/9/4+K4 b - 1",
        "sfen 4k4/9/9/9/4++P4/9/9/9/4K4 b - 1",
        "sfen 4k4/9/9/9/4K4/9/9/9/4K4 b - 1",
    ] {
        engine.assert_rejected(&format!("position {bad}"));
        assert_eq!(engine.sfen(), board.sfen(), "after position {bad}");
    }
    for tail in ["x - 1", "b X 1", "b 2 1", "b 19P 1", "b K 1", "b - abc", "b - -1", "b - 1 7g7f", "b - 1 moves 5e5d"] {
        engine.assert_rejected(&format!("position sfen {rows} {tail}"));
        assert_eq!(engine.sfen(), board.sfen(), "after {tail}");
    }
    engine.go(&board, "depth 1");
}

#[test]
fn illegal_move_rejects_the_whole_line() {
    let mut engine = Client::ready();
    let board = engine.position("startpos moves 2g2f");
    for moves in ["7g7f 3c3d 7g7f 8c8d", "7g7f 7f7e", "7g7f 3c3d 8h2b+ 3a2b 8h2b", "7g7f foo", "7g7f 3c3d resign"] {
        engine.assert_rejected(&format!("position startpos moves {moves}"));
        assert_eq!(engine.sfen(), board.sfen(), "after {moves}");
    }
    engine.go(&board, "depth 1");
}

#[test]
fn rejects_illegal_moves() {
    let fouls = [
        // two pawns on a file
        ("sfen 4k4/9/9/9/4P4/9/9/9/4K4 b P 1", "P*5d P*5f"),
        // mate by a dropped pawn
        ("sfen 7nk/9/6PB1/6NP1/9/9/9/9/4K4 b P 1", "P*1b"),
        // nowhere to go from there
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b LNP 1", "P*1a L*1a N*1a N*1b"),
        ("sfen 4k4/P8/8N/9/9/9/9/9/4K4 b - 1", "9b9a 1c2a"),
        // into check, off a pin, past a check
        ("sfen 4r3k/9/9/9/9/9/9/9/3K5 b - 1", "6i5i"),
        ("sfen 4r3k/9/9/9/9/9/9/4G4/4K4 b - 1", "5h4h"),
        ("sfen 4r3k/9/9/9/9/9/9/9/4K4 b P 1", "P*1g 5i5h"),
        // no promotion there, or of this piece
        ("sfen 4k4/9/9/G8/9/9/9/9/4K4 b - 1", "9d9c+ 5i5h+"),
        // not mine, not there, not like this
        ("startpos", "3c3d 5e5d 8h7g 8h2b 7g7f+ P*5e p*5e K*5e 7g7 7G7F 0g0f 7g7f++ ７六歩 7776FU"),
    ];
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    for (root, moves) in fouls {
        for mv in moves.split(' ') {
            assert!(!Board::at(root).is_legal(mv), "{mv} is legal in {root}");
            engine.assert_rejected(&format!("position {root} moves {mv}"));
            assert_eq!(engine.sfen(), board.sfen(), "after {mv}");
        }
    }
}

/// The search may omit such moves, but opponents play them.
#[test]
fn p20_non_promotions_are_accepted() {
    let mut engine = Client::ready();
    for text in [
        "startpos moves 7g7f 3c3d 8h2b 3a2b",
        "startpos moves 2g2f 1c1d 2f2e 1d1e 2e2d 1e1f 2d2c",
        "sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1 moves 9i9c 5a4a 9c9a",
        "sfen 4k4/9/9/L8/9/9/9/9/4K4 b - 1 moves 9d9b",
        "sfen 4k4/9/9/9/9/9/p7b/9/4K4 w - 1 moves 9g9h 5i4h 1g3i 4h3i",
        "sfen 4k4/P8/9/9/9/9/9/9/4K4 b - 1 moves 9b9a+",
    ] {
        let board = engine.position(text);
        assert_eq!(engine.sfen(), board.sfen(), "{text}");
        engine.go(&board, "depth 1");
    }
}

/// A new position is for the next `go`; the running search is unaffected.
#[test]
fn position_during_a_search() {
    let mut engine = Client::ready();
    let black = engine.position("startpos");
    engine.send_unanswered("go infinite", ms(100));
    let white = engine.position("startpos moves 7g7f");
    engine.assert_no_answer(ms(50));
    engine.stop(&black);
    engine.send("go depth 2");
    engine.bestmove(&white, TIMEOUT);
}

#[test]
fn bare_kings() {
    let mut engine = Client::ready();
    engine.think(&format!("sfen {KINGS} b - 1"), "depth 3");
}

/// After a rejected `position` the intended board is unknown. The client waits for an answer, and a
/// move for the previous board could be legal by chance.
#[test]
fn resigns_after_rejected_position() {
    let mut engine = Client::ready();
    engine.position("startpos");
    for bad in ["startpos moves 7g7e", "sfen 9/9/9 b - 1", "nowhere", ""] {
        engine.assert_rejected(&format!("position {bad}"));
        for limits in ["btime 60000 wtime 60000", "depth 3", "movetime 100", "movetime x", "searchmoves 7g7e"] {
            engine.send(&format!("go {limits}"));
            let lines = engine.wait_for("bestmove resign", TIMEOUT);
            assert_eq!(lines.len(), 2, "{bad}: {lines:?}");
            let said = &lines[0].text;
            assert!(said.starts_with("info string go: the last position was rejected (position: "), "{said}");
        }
        engine.send("go mate 100");
        engine.wait_for("checkmate timeout", TIMEOUT);
        engine.assert_rejected("go perft 1");
    }
    // Analysis and pondering are answered on request, and the reason is told at once.
    engine.assert_rejected("position startpos moves 7g7e");
    for (order, end) in [
        ("go infinite", "stop"),
        ("go infinite depth x", "stop"),
        ("go ponder btime 1000 wtime 1000", "ponderhit"),
        ("go ponder btime 1000.5 wtime None periods 1", "ponderhit btime 999.5 wtime None periods 1"),
        ("go ponder", "ponderhit btime 1000 wtime 1000 byoyomi 0"),
        ("go ponder searchmoves 7g7e", "stop"),
    ] {
        let lines = engine.send_unanswered(order, ms(100));
        assert!(matches!(&lines[..], [said] if said.text.contains("move 1 '7g7e' is illegal here")), "{lines:?}");
        engine.send(end);
        engine.wait_for("bestmove resign", TIMEOUT);
        engine.assert_settled();
    }
    engine.think("startpos moves 7g7f", "depth 2");
}

/// The same when the line is not even text.
#[test]
fn resigns_after_unreadable_position() {
    let mut engine = Client::ready();
    for bad in [&b"position startpos moves 7g7f\0\n"[..], b" position startpos \xff\xfe\xfd\n"] {
        engine.position("startpos moves 7g7f 3c3d");
        engine.assert_bytes_rejected(bad);
        engine.send("go depth 1");
        engine.wait_for("bestmove resign", TIMEOUT);
    }
    engine.position("startpos");
    engine.assert_bytes_rejected(b"\xff\xfe\xfd\n");
    engine.think("startpos", "depth 1");
}

#[test]
fn sfen_keyword_is_optional() {
    let mut engine = Client::ready();
    engine.send("position lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f");
    assert_eq!(engine.sfen(), Board::at("startpos moves 7g7f").sfen());
}
