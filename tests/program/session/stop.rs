//! `stop`, `gameover`, and `go` during `go`: one answer each, in order, at once.

use super::client::{Client, STOP_LIMIT, TIMEOUT, answers, ms};
use super::positions::{BUSY, HOPELESS, MATED, ONLY_MOVE};
use super::rules::Board;

/// The next `bestmove` is a legal move.
fn expect_legal_best(engine: &mut Client, board: &Board) {
    let lines = engine.wait_for("bestmove", TIMEOUT);
    let best = lines.last().and_then(|line| line.text.split(' ').nth(1)).expect("a move");
    assert!(board.is_legal(best));
}

#[test]
fn p02_stop_is_answered_at_once() {
    let mut engine = Client::ready();
    for (n, root) in [BUSY, "startpos", MATED, ONLY_MOVE, HOPELESS, BUSY, "startpos", BUSY].into_iter().enumerate() {
        let board = engine.position(root);
        engine.send(if n % 2 == 0 { "go infinite" } else { "go btime 600000 wtime 600000 byoyomi 10000" });
        // Immediately, and after longer and longer searches.
        let mut early = engine.collect_for(ms(n as u64 * 20));
        early.retain(super::client::Line::is_answer);
        if early.is_empty() {
            engine.stop(&board);
        } else {
            assert!(n % 2 == 1, "infinite ended by itself");
            engine.send("stop"); // too late, and not to be answered again
        }
        engine.assert_settled();
    }
}

#[test]
fn p02_stop_with_many_threads() {
    let mut engine = Client::ready_with(&[("Threads", "4")]);
    let board = engine.position(BUSY);
    for _ in 0..5 {
        engine.send_unanswered("go infinite", ms(20));
        engine.stop(&board);
    }
    engine.assert_settled();
}

#[test]
fn p02_repeated_stop() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    for _ in 0..5 {
        engine.send_bytes(b"go infinite\nstop\nstop\n");
        engine.bestmove(&board, STOP_LIMIT);
        engine.assert_settled();
    }
}

#[test]
fn stop_when_idle_is_silent() {
    let mut engine = Client::ready();
    assert_eq!(engine.replies("stop"), [""; 0]);
    engine.think(BUSY, "depth 1");
    assert_eq!(engine.replies("stop"), [""; 0]);
}

#[test]
fn p05_second_go_ends_the_first() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    for (first, second) in [
        ("infinite", "depth 1"),
        ("ponder btime 1000 wtime 1000 byoyomi 0", "movetime 50"),
        ("btime 600000 wtime 600000 byoyomi 10000", "nodes 100"),
        ("depth 1", "depth 1"),
    ] {
        engine.send_bytes(format!("go {first}\ngo {second}\n").as_bytes());
        for _ in 0..2 {
            expect_legal_best(&mut engine, &board);
        }
        engine.assert_settled();
    }
}

#[test]
fn p05_ten_searches_in_one_burst() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    engine.send_bytes("go infinite\n".repeat(10).as_bytes());
    engine.send("stop");
    for _ in 0..10 {
        expect_legal_best(&mut engine, &board);
    }
    engine.assert_settled();
}

/// ShogiHome ignores one late `bestmove` after `gameover`, up to `readyok`.
#[test]
fn p07_bestmove_before_readyok() {
    let mut engine = Client::ready();
    for search in ["go infinite", "go ponder btime 60000 wtime 60000 byoyomi 0", "go btime 600000 wtime 600000"] {
        engine.position(BUSY);
        engine.send_unanswered(search, ms(60));
        engine.send_bytes(b"stop\ngameover win\nisready\n");
        let lines = engine.wait_for("readyok", TIMEOUT);
        assert_eq!(answers(&lines).len(), 1, "{search}");
        engine.assert_silent(ms(100));
    }
}

/// The next game starts in the same burst, without a wait.
#[test]
fn p07_next_game_at_once() {
    let mut engine = Client::ready();
    engine.position(BUSY);
    engine.send_unanswered("go infinite", ms(60));
    engine.send_bytes(b"stop\ngameover lose\nisready\n");
    assert_eq!(answers(&engine.wait_for("readyok", TIMEOUT)).len(), 1);
    engine.send("usinewgame");
    engine.think("startpos", "depth 2");
    engine.assert_settled();
}

#[test]
fn p06_gameover_ends_any_search() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    for search in [
        "go infinite",
        "go btime 600000 wtime 600000 byoyomi 10000",
        "go movetime 60000",
        "go ponder btime 60000 wtime 60000 byoyomi 0",
    ] {
        for result in ["win", "lose", "draw"] {
            engine.send_unanswered(search, ms(60));
            engine.send(&format!("gameover {result}"));
            assert!(answers(&engine.sync()).len() <= 1, "{search}, {result}");
            engine.assert_silent(ms(100)); // an engine that still searches would talk
        }
    }
    engine.go(&board, "depth 1");
}

#[test]
fn no_output_after_bestmove() {
    let mut engine = Client::ready();
    engine.think(BUSY, "movetime 100");
    engine.assert_silent(ms(200));
}
