//! Pondering and analysis: no answer before it is requested.

use std::time::Instant;

use super::client::{Client, SLACK, STOP_LIMIT, TIMEOUT, answers, ms};
use super::positions::{
    BUSY, DECLARATION, HOPELESS, MATE_IN_ONE, MATED, ONLY_MOVE, ONLY_MOVE_OF_MIDDLE_GAME, STALEMATED,
};
use super::rules::Board;
use super::thought::{assert_variations_valid, variations};

const BARE_CLOCK: [(&str, &str); 3] = [("NetworkDelay", "0"), ("NetworkDelay2", "0"), ("USI_Ponder", "true")];

/// Searches that would end at once outside of pondering.
const SHORT: [(&str, &str); 9] = [
    (MATED, ""),
    (STALEMATED, ""),
    (DECLARATION, ""),
    (ONLY_MOVE, ""),
    (MATE_IN_ONE, ""),
    (BUSY, "depth 1"),
    (BUSY, "nodes 10"),
    (BUSY, "movetime 20"),
    (BUSY, "btime 0 wtime 0 byoyomi 20"),
];

#[test]
fn p01_no_answer_while_pondering() {
    let mut engine = Client::ready();
    for (root, limits) in SHORT {
        let board = engine.position(root);
        engine.send_unanswered(&format!("go ponder {limits}"), ms(120));
        engine.stop(&board);
        engine.assert_settled();
    }
}

#[test]
fn p01_answer_waits_for_ponderhit() {
    let mut engine = Client::ready_with(&BARE_CLOCK);
    for (root, limits) in SHORT {
        let limits = if limits.is_empty() { "btime 0 wtime 0 byoyomi 100" } else { limits };
        let board = engine.position(root);
        engine.send_unanswered(&format!("go ponder {limits}"), ms(120));
        engine.send("ponderhit");
        engine.bestmove(&board, ms(100) + SLACK);
        engine.assert_settled();
    }
}

#[test]
fn p01_infinite_waits_for_stop() {
    let mut engine = Client::ready_with(&[("DepthLimit", "1"), ("ResignValue", "100")]);
    for root in [MATED, STALEMATED, DECLARATION, ONLY_MOVE, MATE_IN_ONE, HOPELESS, BUSY] {
        let board = engine.position(root);
        engine.send_unanswered("go infinite", ms(120));
        engine.stop(&board);
        engine.assert_settled();
    }
}

/// Early ponder: the clock comes with `ponderhit`.
#[test]
fn p03_ponderhit_clock_is_used() {
    let mut engine = Client::ready_with(&BARE_CLOCK);
    let board = engine.position(BUSY);
    for (ponder, hit, least, most) in [
        ("go ponder", "ponderhit btime 0 wtime 0 byoyomi 1000", 300, 1000),
        ("go ponder btime 600000 wtime 600000 byoyomi 60000", "ponderhit btime 0 wtime 0 byoyomi 300", 0, 300),
        ("go ponder btime 0 wtime 0 byoyomi 50", "ponderhit btime 0 wtime 0 byoyomi 1000", 300, 1000),
        ("go ponder", "ponderhit btime 0 wtime 0 binc 300 winc 300", 0, 300),
        // What cannot be used is left out; if nothing is left, the search is short.
        ("go ponder", "ponderhit btime 0.9 wtime x byoyomi 1000.5 periods 1", 300, 1000),
        ("go ponder btime 0 wtime 0 byoyomi 300", "ponderhit btime None", 0, 300),
        ("go ponder btime None wtime None", "ponderhit", 500, 1000),
        ("go ponder btime None wtime None", "ponderhit btime 0 wtime 0 byoyomi 300", 0, 300),
    ] {
        engine.send_unanswered(ponder, ms(100));
        engine.send(hit);
        let took = engine.bestmove(&board, TIMEOUT).took;
        assert!((ms(least)..ms(most) + SLACK).contains(&took), "{ponder}, {hit}: {took:?}");
    }
    engine.assert_settled();
}

/// The only move needs no time after the hit, whatever iteration is under way.
#[test]
fn p03_ponderhit_with_only_move() {
    let mut engine = Client::ready_with(&BARE_CLOCK);
    engine.position(ONLY_MOVE_OF_MIDDLE_GAME);
    engine.send_unanswered("go ponder btime 0 wtime 0 byoyomi 6000", ms(2000));
    engine.send("ponderhit");
    let lines = engine.wait_for("bestmove 5b5c", STOP_LIMIT);
    assert_eq!(answers(&lines).len(), 1);
    engine.assert_settled();
}

#[test]
fn p03_ponder_without_time() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    engine.send_unanswered("go ponder", ms(300));
    engine.send_bytes(b"ponderhit\nstop\n");
    engine.bestmove(&board, STOP_LIMIT);
    engine.assert_settled();
}

/// `ponderhit` may arrive before the search threads start.
#[test]
fn p03_immediate_ponderhit() {
    let mut engine = Client::ready_with(&BARE_CLOCK);
    let board = engine.position(BUSY);
    for _ in 0..10 {
        engine.send_bytes(b"go ponder btime 0 wtime 0 byoyomi 100\nponderhit\n");
        engine.bestmove(&board, ms(100) + SLACK);
    }
    engine.assert_settled();
}

#[test]
fn p23_finished_search_is_silent() {
    for (root, search) in [(BUSY, "go ponder depth 1"), (MATED, "go infinite"), (ONLY_MOVE, "go ponder nodes 1")] {
        let mut engine = Client::ready();
        let board = engine.position(root);
        engine.send_unanswered(search, ms(200));
        #[cfg(target_os = "linux")]
        let before = engine.processor_time();
        engine.assert_silent(ms(500));
        #[cfg(target_os = "linux")]
        assert!(engine.processor_time() - before < ms(100), "{search}: waits in a busy loop");
        engine.stop(&board);
    }
}

/// The GUI sends the whole game; the engine steps back one move by itself, and forward at
/// `ponderhit`.
#[test]
fn p28_stochastic_ponder() {
    let mut engine = Client::ready_with(&[BARE_CLOCK[0], BARE_CLOCK[1], ("Stochastic_Ponder", "true")]);
    let earlier = Board::at(&format!("{BUSY} moves 7d7e"));
    let board = engine.position(&format!("{BUSY} moves 7d7e 8f8e"));
    engine.send("go ponder btime 0 wtime 0 byoyomi 500");
    let mut lines = engine.wait_for("info depth", TIMEOUT);
    lines.extend(engine.assert_no_answer(ms(300)));
    assert_eq!(answers(&lines), [""; 0]);
    let pondered = variations(&lines);
    assert!(!pondered.is_empty(), "nothing was said about the pondering");
    assert_variations_valid(&pondered, &earlier);

    let asked = Instant::now();
    engine.send("ponderhit");
    let lines = engine.wait_for("bestmove", ms(500) + SLACK);
    assert!(asked.elapsed() < ms(500) + SLACK);
    let best = lines.last().and_then(|line| line.text.split(' ').nth(1)).expect("a move");
    assert!(board.is_legal(best), "{best} belongs to the position that was pondered");
    let last = variations(&lines).pop().expect("a variation of the new search");
    assert_eq!(board.first_illegal(&last.pv), None);
    engine.assert_settled();
}

/// The time spent on the other position does not count.
#[test]
fn p28_stochastic_ponder_leaves_the_clock() {
    let mut engine = Client::ready_with(&[
        BARE_CLOCK[0],
        BARE_CLOCK[1],
        ("MinimumThinkingTime", "1"),
        ("Stochastic_Ponder", "true"),
    ]);
    let board = engine.position(&format!("{BUSY} moves 7d7e 8f8e"));
    engine.send("go ponder btime 60000 wtime 60000 byoyomi 0");
    engine.collect_for(ms(2500));
    engine.send("ponderhit");
    let asked = Instant::now();
    let lines = engine.wait_for("bestmove", TIMEOUT);
    let best = lines.last().and_then(|line| line.text.split(' ').nth(1)).expect("a move");
    assert!(board.is_legal(best));
    assert!(asked.elapsed() > ms(150), "{:?}", asked.elapsed());
}

#[test]
fn p28_stochastic_ponder_without_moves() {
    let mut engine = Client::ready_with(&[("Stochastic_Ponder", "true")]);
    for root in ["startpos", "startpos moves 7g7f"] {
        engine.position(root);
        engine.send_unanswered("go ponder btime 1000 wtime 1000 byoyomi 0", ms(100));
        engine.send("stop");
        engine.wait_for("bestmove", STOP_LIMIT); // for a position the GUI has left behind
        engine.assert_settled();
    }
}

/// Both sides of a game with ponder hits and misses in turn.
#[test]
fn game_with_ponder() {
    let mut engine = Client::ready_with(&BARE_CLOCK);
    const CLOCK: &str = "btime 0 wtime 0 byoyomi 100";
    let mut moves = String::from("startpos moves 7g7f 8c8d");
    let mut board = engine.position(&moves);
    let mut thought = engine.go(&board, CLOCK);
    for turn in 0..6 {
        let best = thought.best().to_owned();
        let Some(expected) = thought.ponder().map(str::to_owned) else {
            break;
        };
        moves = format!("{moves} {best}");
        let reply_root = board.after(&best);
        board = engine.position(&format!("{moves} {expected}"));
        engine.send_unanswered(&format!("go ponder {CLOCK}"), ms(60));
        if turn % 2 == 0 {
            moves = format!("{moves} {expected}");
            engine.send("ponderhit");
            thought = engine.bestmove(&board, ms(100) + SLACK);
        } else {
            engine.stop(&board);
            let other = reply_root.legal_moves().into_iter().find(|mv| *mv != expected).expect("a choice");
            moves = format!("{moves} {other}");
            board = engine.position(&moves);
            thought = engine.go(&board, CLOCK);
        }
    }
    engine.assert_settled();
}

#[test]
fn ponderhit_without_ponder() {
    let mut engine = Client::ready();
    assert!(engine.replies("ponderhit").len() <= 1);
    let board = engine.position(BUSY);
    engine.send_unanswered("go infinite", ms(50));
    engine.send_unanswered("ponderhit", ms(200));
    engine.stop(&board);
}
