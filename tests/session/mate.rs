//! `go mate`: the one `go` that ends in `checkmate`.

use std::time::{Duration, Instant};

use crate::client::{Client, PATIENCE, SLACK, STOP_LIMIT, answers, ms};
use crate::info::Score;
use crate::positions::{
    BUSY, KINGLESS_MATE_IN_ELEVEN, KINGLESS_MATE_IN_ONE, KINGLESS_MATE_IN_THREE, KINGLESS_MAZE, MATE_IN_ONE,
    MATE_IN_THREE, MATED,
};
use crate::rules::Board;

/// What follows `checkmate`, when nothing else was said in its place.
fn verdict(engine: &mut Client, timeout: Duration) -> String {
    let lines = engine.wait_for("checkmate ", timeout);
    let said = answers(&lines);
    assert_eq!(said.len(), 1, "go mate ends in checkmate alone: {said:?}");
    said[0]["checkmate ".len()..].to_owned()
}

/// Checks and answers in turn, to the mate.
fn assert_mates(board: &Board, moves: &str) {
    let mut board = board.clone();
    for (at, word) in moves.split(' ').enumerate() {
        assert!(board.play(word), "{word} of {moves} is illegal");
        assert!(at % 2 == 1 || board.is_check(), "{word} of {moves} is no check");
    }
    assert!(board.is_lost() && board.is_check(), "{moves} is no mate");
}

#[test]
fn p22_a_mate_is_said_move_by_move() {
    let mut engine = Client::ready();
    for root in [MATE_IN_ONE, KINGLESS_MATE_IN_ONE, KINGLESS_MATE_IN_THREE, MATE_IN_THREE, KINGLESS_MATE_IN_ELEVEN] {
        let board = engine.position(root);
        engine.send("go mate 10000");
        let moves = verdict(&mut engine, PATIENCE);
        assert_mates(&board, &moves);
        engine.assert_settled();
    }
    engine.quit();
}

#[test]
fn p22_no_mate_is_said_too() {
    let mut engine = Client::ready();
    for root in ["startpos", MATED, "sfen 4k4/9/9/9/9/9/9/9/9 b P 1"] {
        engine.position(root);
        engine.send("go mate 10000");
        assert_eq!(verdict(&mut engine, PATIENCE), "nomate", "{root}");
    }
    engine.assert_settled();
    engine.quit();
}

#[test]
fn p21_every_form_ends() {
    let mut engine = Client::ready();
    let board = engine.position(KINGLESS_MATE_IN_THREE);
    for form in ["mate", "mate infinite", "mate 5000", "mate nodes 1000000", "nodes 1000000 mate infinite"] {
        engine.send(&format!("go {form}"));
        let moves = verdict(&mut engine, PATIENCE);
        assert_mates(&board, &moves);
    }
    engine.assert_settled();
    engine.quit();
}

#[test]
fn p21_the_limit_is_in_milliseconds() {
    let mut engine = Client::ready();
    engine.position(KINGLESS_MAZE);
    let asked = Instant::now();
    engine.send("go mate 300");
    verdict(&mut engine, PATIENCE);
    assert!(asked.elapsed() < ms(300) + SLACK, "{:?}", asked.elapsed());
    engine.send("go mate nodes 1000");
    verdict(&mut engine, PATIENCE);
    engine.assert_settled();
    engine.quit();
}

#[test]
fn p02_stop_ends_a_mate_search() {
    let mut engine = Client::ready();
    engine.position(KINGLESS_MAZE);
    for search in ["go mate infinite", "go mate", "go mate 60000"] {
        engine.send(search);
        let early = engine.collect_for(ms(100));
        engine.send("stop");
        if answers(&early).is_empty() {
            verdict(&mut engine, STOP_LIMIT);
        }
        engine.assert_settled();
    }
    engine.quit();
}

#[test]
fn a_mate_search_and_a_game_take_turns() {
    let mut engine = Client::ready();
    let board = engine.position(MATE_IN_THREE);
    engine.send("go infinite");
    engine.assert_no_answer(ms(50));
    engine.send("go mate 5000");
    let lines = engine.wait_for("checkmate", PATIENCE);
    assert_eq!(answers(&lines).len(), 2, "one bestmove, then one checkmate");
    engine.go(&board, "depth 3");
    engine.assert_settled();
    engine.quit();
}

/// A problem has no king for the side that mates; it can still be played and solved.
#[test]
fn p19_a_problem_can_be_played() {
    let mut engine = Client::ready();
    for root in [KINGLESS_MATE_IN_ONE, KINGLESS_MATE_IN_THREE, KINGLESS_MAZE] {
        let board = engine.position(root);
        assert_eq!(engine.sfen(), board.sfen());
        engine.go(&board, "movetime 200");
    }
    let board = engine.position(KINGLESS_MATE_IN_ONE);
    let thought = engine.go(&board, "depth 3");
    assert_eq!(thought.best(), "G*5b");
    assert_eq!(thought.score(), Score::Winning(Some(1)));
    engine.quit();
}

/// The mated side moves next, then neither side has a king, then the defender is the one without.
#[test]
fn p19_kings_may_be_missing_on_any_side() {
    let mut engine = Client::ready();
    for root in [
        "sfen 4k4/9/4P4/9/9/9/9/9/9 w G2r2b3g4s4n4l17p 1",
        "sfen 9/9/9/9/9/9/9/9/4K4 b R 1",
        "sfen 9/9/4p4/9/9/9/4P4/9/9 b R 1",
    ] {
        engine.send(&format!("position {root}"));
        let board = if engine.sfen() == Board::at(root).sfen() { Board::at(root) } else { Board::startpos() };
        engine.go(&board, "depth 2");
        engine.position("startpos");
    }
    engine.quit();
}

#[test]
fn a_win_by_mate_is_played_and_said() {
    let mut engine = Client::ready();
    let board = engine.position(MATE_IN_ONE);
    let thought = engine.go(&board, "depth 4");
    assert_eq!((thought.best(), thought.score()), ("G*5b", Score::Winning(Some(1))));
    let board = engine.position(MATE_IN_THREE);
    let thought = engine.go(&board, "depth 7");
    assert_eq!(thought.score(), Score::Winning(Some(3)));
    let board = engine.position(BUSY);
    engine.go(&board, "depth 2");
    engine.quit();
}
