//! Answers from the book: when it is used, and what is shown.

use sabi_shogi::Score as Value;

use super::*;
use crate::session::client::{STOP_LIMIT, TIMEOUT, ms};
use crate::session::info::Score;
use crate::session::positions::BUSY;

#[test]
fn book_move_is_answered_at_once() {
    let shelf = Shelf::new();
    let path = shelf.text(
        "book.db",
        &[
            (START, 1, &["7g7f 3c3d 50 20 10", "2g2f none 40 18 30", "2h7h none 20 18 90"]),
            ("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b -", 3, &["2g2f none none none 7"]),
        ],
    );
    let mut engine = reader(&path, &[]);
    for _ in 0..2 {
        let thought = from_book(&mut engine, "startpos");
        assert_eq!((thought.best(), thought.ponder()), ("7g7f", Some("3c3d")));
        assert_eq!(thought.strings(), ["book 7g7f weight 10 of 130 score 50 depth 20 from book.db"]);
        let variations = thought.variations();
        assert_eq!(variations[0].pv, ["7g7f", "3c3d", "2g2f"], "the line goes on as the book does");
        let scores: Vec<_> = variations.iter().map(|info| info.score).collect();
        assert_eq!(scores, [50, 40, 20].map(|cp| Some(Score::Cp(cp))));
        // A search in between does not change it.
        assert_unknown(&mut engine, BUSY);
    }
    let thought = from_book(&mut engine, "startpos moves 7g7f 3c3d");
    assert_eq!((thought.best(), thought.ponder()), ("2g2f", None));
    // Nor does any other way to ask for a move.
    for limits in ["", "depth 30", "nodes 100000000", "movetime 60000", "btime 0 wtime 0 byoyomi 0"] {
        let thought = engine.think("startpos", limits);
        assert_from_book(&thought);
        assert_eq!(thought.best(), "7g7f", "{limits}");
    }
    engine.assert_settled();
}

#[test]
fn debug_mode_reports_every_candidate() {
    let shelf = Shelf::new();
    let rows = ["7g7f 3c3d 50 20 10", "2g2f none 40 18 30"];
    let mut engine = reader(&shelf.text("book.db", &[(START, 1, &rows)]), &[]);
    let played = "book 7g7f weight 10 of 40 score 50 depth 20 from book.db";
    let all =
        [played, "book candidate 7g7f weight 10 score 50 depth 20", "book candidate 2g2f weight 30 score 40 depth 18"];
    for (line, expected) in [("debug on", &all[..]), ("debug off", &[played]), ("debug on", &all), ("debug no", &all)] {
        engine.send(line);
        let wrong = ["info string debug: expected 'debug on' or 'debug off'"];
        assert_eq!(engine.reported(), if line == "debug no" { &wrong[..] } else { &[] });
        assert_eq!(engine.think("startpos", "depth 1").strings(), expected, "{line}");
    }
}

#[test]
fn book_prefill_stores_hints() {
    let shelf = Shelf::new();
    let rows = vec![(START, vec![weighted("7g7f", 9)]), (SECOND, vec![weighted("8c8d", 4)])];
    let path = shelf.shob("book.shob", rows.clone());
    let think = |engine: &mut Client, position: &str| {
        let thought = engine.think(position, "depth 6");
        assert_searched(&thought);
        (thought.strings(), thought.nodes())
    };
    let options = [("BookMoves", "0"), ("Threads", "1")];
    let mut engine = reader(&path, &options);
    let (reported, nodes) = think(&mut engine, "startpos");
    assert_eq!(reported, ["all book moves of this position are rejected: 7g7f beyond BookMoves"]);
    let mut engine = reader(&path, &[&options[..], &[("USI_OwnBook", "false"), ("BookPrefill", "true")]].concat());
    assert_eq!(think(&mut engine, "startpos"), (vec![], nodes), "without a book there are no hints");
    let mut engine = reader(&path, &[&options[..], &[("BookPrefill", "true")]].concat());
    let put = |count| format!("book positions stored in the transposition table: {count}");
    let (reported, _) = think(&mut engine, "startpos");
    assert_eq!(reported[1..], [put(2)]);
    let (reported, _) = think(&mut engine, "startpos");
    assert_eq!(reported.len(), 1, "the table knows them by now: {reported:?}");
    assert_eq!(think(&mut engine, BUSY).0, [""; 0]);
    // Out of the book, with a move that leads back.
    let path = shelf.shob("second.shob", rows[1..].to_vec());
    let mut engine = reader(&path, &[&options[..], &[("BookPrefill", "true")]].concat());
    assert_eq!(think(&mut engine, "startpos").0, [put(1)]);
}

#[test]
fn book_pv_length() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &["7g7f 3c3d 0 1 1"]), (SECOND, 2, &["3c3d 2g2f 0 1 1"])]);
    let mut engine = reader(&path, &[]);
    for (most, plies) in [("1", 1), ("2", 2), ("8", 2)] {
        engine.set("BookPvMoves", most);
        let thought = from_book(&mut engine, "startpos");
        assert_eq!((thought.variations()[0].pv.len(), thought.ponder()), (plies, Some("3c3d")), "{most}");
    }
}

#[test]
fn p01_no_book_in_analysis() {
    let shelf = Shelf::new();
    let mut engine = reader(&shelf.one_move("book.db", "1g1f"), &[]);
    let board = engine.position("startpos");
    for search in ["go infinite", "go infinite searchmoves 1g1f"] {
        engine.send_unanswered(search, ms(150));
        assert_searched(&engine.stop(&board));
        engine.assert_settled();
    }
    // The next move is from the book.
    assert_eq!(best_of(&mut engine, "startpos"), "1g1f");
}

#[test]
fn p01_a_book_move_waits_for_the_ponder_hit() {
    let shelf = Shelf::new();
    for stochastic in ["false", "true"] {
        let mut engine = reader(&shelf.one_move("book.db", "1g1f"), &[("Stochastic_Ponder", stochastic)]);
        let board = engine.position("startpos");
        for (search, end) in [
            ("go ponder", "stop"),
            ("go ponder btime 600000 wtime 600000 byoyomi 0", "ponderhit"),
            ("go ponder", "ponderhit btime 600000 wtime 600000 byoyomi 0"),
            ("go ponder depth 1", "ponderhit"),
        ] {
            engine.send_unanswered(search, ms(100));
            engine.send(end);
            let thought = engine.bestmove(&board, SLACK * 5);
            assert_from_book(&thought);
            assert_eq!(thought.best(), "1g1f");
            engine.assert_settled();
        }
        for _ in 0..5 {
            engine.send_bytes(b"go ponder btime 0 wtime 0 byoyomi 50\nponderhit\n");
            assert_from_book(&engine.bestmove(&board, TIMEOUT));
        }
        // The moves of a search are no book moves.
        engine.send_unanswered("go ponder searchmoves 2g2f", ms(50));
        engine.send("ponderhit btime 0 wtime 0 byoyomi 50");
        assert_searched(&engine.bestmove(&board, TIMEOUT));
        engine.assert_settled();
    }
}

#[test]
fn p25_no_book_with_searchmoves() {
    let shelf = Shelf::new();
    let mut engine = reader(&shelf.one_move("book.db", "1g1f"), &[]);
    let board = engine.position("startpos");
    for only in ["9g9f", "1g1f"] {
        let thought = engine.go(&board, &format!("depth 2 searchmoves {only}"));
        assert_searched(&thought);
        assert_eq!(thought.best(), only);
    }
    engine.assert_settled();
}

#[test]
fn one_answer_per_go() {
    let shelf = Shelf::new();
    let mut engine = reader(&shelf.one_move("book.db", "1g1f"), &[]);
    let board = engine.position("startpos");
    engine.send_bytes(&b"go btime 9000 wtime 9000\nstop\nstop\n".repeat(50));
    for _ in 0..50 {
        assert_from_book(&engine.bestmove(&board, STOP_LIMIT));
    }
    engine.assert_settled();
    engine.send_bytes(&b"go infinite\ngo depth 3\n".repeat(10));
    for turn in 0..20 {
        let thought = engine.bestmove(&board, TIMEOUT);
        if turn % 2 == 1 {
            assert_from_book(&thought);
        }
    }
    engine.assert_settled();
}

/// The played move is first, the others keep their order.
#[test]
fn chosen_move_is_shown_first() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(START, 1, &FOUR)]);
    let usual = ["2g2f", "7g7f", "5g5f", "1g1f"];
    let mut engine = reader(&path, &[("BookSelection", "uniform"), ("BookSeed", "1")]);
    let mut seen = Vec::new();
    for _ in 0..40 {
        let thought = from_book(&mut engine, "startpos");
        let shown = candidates(&thought);
        let rest: Vec<_> = usual.into_iter().filter(|mv| *mv != thought.best()).collect();
        assert_eq!(shown[1..], rest[..], "{shown:?}");
        seen.push(thought.best().to_owned());
    }
    assert_eq!(counts(&seen).len(), 4, "{seen:?}");
}

#[test]
fn rotated_positions_match() {
    let shelf = Shelf::new();
    let drop = "4k4/9/9/9/9/9/9/9/4K4 w p";
    let rows: [(&str, u32, &[&str]); 2] = [(drop, 2, &["P*5d 5i5h 7 1 1"]), (SECOND, 2, &["8c8d 2g2f 12 3 5"])];
    let path = shelf.text("book.db", &rows);
    for in_place in ["false", "true"] {
        let mut engine = reader(&path, &[("BookOnTheFly", in_place)]);
        let straight = from_book(&mut engine, &format!("sfen {SECOND} 2"));
        assert_eq!((straight.best(), straight.ponder()), ("8c8d", Some("2g2f")));
        let turned = from_book(&mut engine, &format!("sfen {TURNED} 1"));
        assert_eq!((turned.best(), turned.ponder()), ("2g2f", Some("8c8d")));
        assert_eq!(turned.score(), straight.score(), "each from its own side");
        let dropped = from_book(&mut engine, "sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1");
        assert_eq!((dropped.best(), dropped.ponder()), ("P*5f", Some("5a5b")));
        engine.set("FlippedBook", "false");
        assert_unknown(&mut engine, &format!("sfen {TURNED} 1"));
        assert_eq!(best_of(&mut engine, "startpos moves 7g7f"), "8c8d");
    }
}

/// A direct entry takes precedence over the rotated one.
#[test]
fn direct_entry_takes_precedence_over_rotated() {
    let shelf = Shelf::new();
    let mut engine = reader(&shelf.text("book.db", &[(TURNED, 1, &["9g9f"]), (SECOND, 2, &["8c8d"])]), &[]);
    assert_eq!(candidates(&from_book(&mut engine, &format!("sfen {TURNED} 1"))), ["9g9f"]);
    assert_eq!(candidates(&from_book(&mut engine, &format!("sfen {SECOND} 2"))), ["8c8d"]);
}

#[test]
fn move_numbers_may_matter() {
    let shelf = Shelf::new();
    let path = shelf.text("book.db", &[(SECOND, 8, &["8c8d"]), (START, 1, &["2g2f"]), (START, 5, &["7g7f"])]);
    let at = |number: u32| format!("sfen {START} {number}");
    let second = format!("sfen {SECOND} 2");
    let mut engine = reader(&path, &[("BookOnTheFly", "true"), ("IgnoreBookPly", "false")]);
    assert_eq!(best_of(&mut engine, &at(1)), "2g2f");
    assert_eq!(best_of(&mut engine, &at(5)), "7g7f");
    assert_unknown(&mut engine, &at(3));
    assert_unknown(&mut engine, &second);
    engine.set("IgnoreBookPly", "true");
    for (number, expected) in [(1, "2g2f"), (5, "7g7f"), (3, "2g2f"), (9, "2g2f")] {
        assert_eq!(best_of(&mut engine, &at(number)), expected, "{number}");
    }
    assert_eq!(best_of(&mut engine, &second), "8c8d");
    // In memory the moves of all numbers come together.
    engine.set("BookOnTheFly", "false");
    assert_eq!(best_of(&mut engine, &second), "8c8d");
    assert_eq!(candidates(&from_book(&mut engine, &at(3))), ["2g2f", "7g7f"]);
    engine.set("IgnoreBookPly", "false");
    assert_unknown(&mut engine, &second);
    assert_unknown(&mut engine, &at(3));
    assert_eq!(candidates(&from_book(&mut engine, &at(1))), ["2g2f"]);
    assert_eq!(candidates(&from_book(&mut engine, &at(5))), ["7g7f"]);
    // Other formats have no numbers.
    let other = shelf.shob("book.shob", vec![(START, vec![weighted("2g2f", 1)])]);
    engine.set("BookFile", name(&other));
    assert_eq!(best_of(&mut engine, &at(3)), "2g2f");
}

#[test]
fn book_scores_are_shown() {
    let shelf = Shelf::new();
    let mut engine = Client::ready_with(&OPEN);
    let mut last = None;
    for score in [-99_999, -32_001, -32_000, -31_999, -30_000, -1, 0, 1, 29_999, 30_000, 31_999, 32_000, 32_001, 99_999]
    {
        let path = shelf.text(&format!("{score}.db"), &[(START, 1, &[&format!("1g1f none {score} 9 1")])]);
        engine.set("BookFile", name(&path));
        let shown = from_book(&mut engine, "startpos").score().value();
        assert!(last.is_none_or(|last| last <= shown), "{score}: {shown} after {last:?}");
        last = Some(shown);
    }
    for value in [Value::MATE, Value::raw(-32_000)] {
        let mv = BookMove { score: Some(value), ..weighted("1g1f", 1) };
        engine.set("BookFile", name(&shelf.shob(&format!("{}.shob", value.get()), vec![(START, vec![mv])])));
        from_book(&mut engine, "startpos");
    }
    for win_rate in [0, 1, 5000, 9999, 10_000] {
        engine.set(
            "BookFile",
            name(&shelf.shob(&format!("{win_rate}"), vec![(START, vec![played("1g1f", 9, win_rate)])])),
        );
        let cp = from_book(&mut engine, "startpos").score().value();
        assert_eq!(cp.signum(), i64::from(win_rate).cmp(&5000) as i64, "{win_rate}: {cp}");
    }
}
