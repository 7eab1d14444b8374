//! `go mate` and `checkmate`.

use std::time::{Duration, Instant};

use super::client::{Client, SLACK, STOP_LIMIT, TIMEOUT, answers, ms};
use super::info::Score;
use super::positions::{
    KINGLESS_MATE_IN_ELEVEN, KINGLESS_MATE_IN_ONE, KINGLESS_MATE_IN_THREE, KINGLESS_MAZE, MATE_IN_ONE, MATE_IN_THREE,
    MATED,
};
use super::rules::Board;
use super::thought::variations;

/// Arguments of `checkmate`, without other output.
fn result(engine: &mut Client, timeout: Duration) -> String {
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
fn p22_nomate() {
    let mut engine = Client::ready();
    for root in ["startpos", MATED, "sfen 4k4/9/9/9/9/9/9/9/9 b P 1"] {
        engine.position(root);
        engine.send("go mate 10000");
        assert_eq!(result(&mut engine, TIMEOUT), "nomate", "{root}");
    }
    engine.assert_settled();
}

#[test]
fn p21_all_forms() {
    let mut engine = Client::ready();
    let board = engine.position(KINGLESS_MATE_IN_THREE);
    for form in ["mate", "mate infinite", "mate 5000", "mate nodes 1000000", "nodes 1000000 mate infinite"] {
        engine.send(&format!("go {form}"));
        let moves = result(&mut engine, TIMEOUT);
        assert_mates(&board, &moves);
    }
    engine.assert_settled();
}

#[test]
fn p21_limit_in_milliseconds() {
    let mut engine = Client::ready();
    engine.position(KINGLESS_MAZE);
    let asked = Instant::now();
    engine.send("go mate 300");
    result(&mut engine, TIMEOUT);
    assert!(asked.elapsed() < ms(300) + SLACK, "{:?}", asked.elapsed());
    engine.send("go mate nodes 1000");
    result(&mut engine, TIMEOUT);
    engine.assert_settled();
}

#[test]
fn mate_search_with_movetime() {
    let mut engine = Client::ready();
    engine.position(KINGLESS_MAZE);
    engine.send("go mate movetime 200");
    assert_eq!(result(&mut engine, ms(200) + SLACK), "timeout");
    // Without the clock nothing is left.
    let asked = Instant::now();
    engine.send("go mate btime 0 wtime 0 byoyomi 60000");
    assert_eq!(result(&mut engine, ms(1000) + SLACK), "timeout");
    assert!(asked.elapsed() > ms(900), "{:?}", asked.elapsed());
    engine.assert_settled();
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
            result(&mut engine, STOP_LIMIT);
        }
        engine.assert_settled();
    }
}

#[test]
fn mate_search_during_a_game() {
    let mut engine = Client::ready();
    let board = engine.position(MATE_IN_THREE);
    engine.send_unanswered("go infinite", ms(50));
    engine.send("go mate 5000");
    let lines = engine.wait_for("checkmate", TIMEOUT);
    assert_eq!(answers(&lines).len(), 2, "one bestmove, then one checkmate");
    engine.go(&board, "depth 3");
    engine.assert_settled();
}

/// A problem without an attacking king can be played and solved.
#[test]
fn p19_playing_a_problem() {
    let mut engine = Client::ready();
    for root in [KINGLESS_MATE_IN_ONE, KINGLESS_MATE_IN_THREE, KINGLESS_MAZE] {
        let board = engine.position(root);
        assert_eq!(engine.sfen(), board.sfen());
        engine.go(&board, "movetime 200");
    }
    let thought = engine.think(KINGLESS_MATE_IN_ONE, "depth 3");
    assert_eq!(thought.best(), "G*5b");
    assert_eq!(thought.score(), Score::Winning(Some(1)));
}

/// Mated side to move, no kings, and a defender without a king.
#[test]
fn p19_missing_kings() {
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
}

/// The distant check could be answered by useless interpositions: not counted, but the line
/// includes them.
const USELESS_DROPS: &str = "sfen 7k1/9/7B1/9/7R1/9/9/9/9 b Grb3g4s4n4l18p 1";

#[test]
fn p22_shortest_mate_with_pv() {
    let mut engine = Client::ready();
    for (root, plies, line_plies) in [
        (KINGLESS_MATE_IN_ONE, 1, 1),
        (KINGLESS_MATE_IN_THREE, 3, 3),
        (KINGLESS_MATE_IN_ELEVEN, 11, 11),
        (MATE_IN_ONE, 1, 1),
        (MATE_IN_THREE, 3, 3),
        (USELESS_DROPS, 3, 5),
    ] {
        let board = engine.position(root);
        engine.send("go mate infinite");
        let lines = engine.wait_for("checkmate ", TIMEOUT);
        let found = variations(&lines);
        found.iter().for_each(|info| assert_mates(&board, &info.pv.join(" ")));
        let last = found.last().expect("a mate is reported before the answer");
        assert_eq!((last.score, last.depth), (Some(Score::Winning(Some(plies))), Some(plies)), "{root}");
        assert!(last.nodes.is_some() && last.nps.is_some() && last.time.is_some() && last.hashfull.is_some());
        let [answer] = answers(&lines)[..] else { panic!("go mate ends in checkmate alone: {lines:?}") };
        let moves = &answer["checkmate ".len()..];
        assert_mates(&board, moves);
        assert_eq!(moves.split(' ').count(), line_plies, "{root}");
    }
    engine.assert_settled();
}

#[test]
fn any_mate_option() {
    let mut engine = Client::ready_with(&[("MateShortest", "false"), ("MateHash", "1")]);
    for root in [KINGLESS_MATE_IN_ELEVEN, KINGLESS_MATE_IN_THREE, MATE_IN_ONE] {
        let board = engine.position(root);
        engine.send("go mate");
        let lines = engine.wait_for("checkmate ", TIMEOUT);
        let answer = &answers(&lines)[0]["checkmate ".len()..];
        assert_mates(&board, answer);
        let found = variations(&lines);
        let last = found.last().expect("the mate is reported before the answer");
        assert_eq!(last.pv.join(" "), answer, "{root}");
        assert_eq!(last.score, Some(Score::Winning(Some(last.pv.len() as u64))), "{root}");
    }
}

#[test]
fn mate_search_progress() {
    let mut engine = Client::ready();
    engine.position(KINGLESS_MAZE);
    engine.send("go mate 2500");
    let lines = engine.wait_for("checkmate ", TIMEOUT);
    let news = super::thought::infos(&lines);
    let nodes: Vec<u64> = news.iter().filter_map(|info| info.nodes).collect();
    assert!(nodes.len() >= 2 && nodes.is_sorted(), "{nodes:?}");
}

#[test]
fn mate_hash_beyond_memory_falls_back() {
    let mut engine = Client::ready_with(&[("MateHash", "1048576")]);
    let board = engine.position(KINGLESS_MATE_IN_THREE);
    engine.send("go mate 5000");
    let lines = engine.wait_for("checkmate ", TIMEOUT);
    assert!(lines.iter().any(|line| line.text.starts_with("info string MateHash: ")), "{lines:?}");
    assert_mates(&board, &answers(&lines)[0]["checkmate ".len()..]);
}

/// In play `mate N` is exact: N plies to mate for either side.
#[test]
fn mate_scores_are_exact_in_play() {
    let mut engine = Client::ready();
    let mut reported = [0, 0];
    let mates = include_str!("../../fixtures/nshogi_mate_1_ply.txt").lines();
    let others = include_str!("../../fixtures/nshogi_no_mate_1_ply.txt").lines();
    for sfen in mates.skip(1).take(12).chain(others.skip(1).take(50)) {
        let board = engine.position(&format!("sfen {sfen}"));
        let thought = engine.go(&board, "nodes 8000");
        for info in thought.variations() {
            let (plies, at) = match info.score {
                Some(Score::Winning(plies)) => (plies, 0),
                Some(Score::Losing(plies)) => (plies, 1),
                _ => continue,
            };
            assert_eq!(plies, Some(info.pv.len() as u64), "{sfen}: {info:?}");
            let mut end = board.clone();
            assert!(info.pv.iter().all(|word| end.play(word)) && end.is_lost() && end.is_check(), "{sfen}: {info:?}");
            reported[at] += 1;
        }
    }
    assert!(reported[0] >= 12 && reported[1] >= 1, "{reported:?}");
}

/// Black is lost either way; one way is longer.
#[test]
fn chooses_longest_resistance() {
    let mut engine = Client::ready();
    for root in [KINGLESS_MATE_IN_THREE, KINGLESS_MATE_IN_ELEVEN] {
        let board = engine.position(root);
        engine.send("go mate");
        let line = result(&mut engine, TIMEOUT);
        let (first, rest) = line.split_once(' ').expect("more than one move");
        let thought = engine.think(&format!("{} moves {first}", board.as_root()), "nodes 200000");
        let left = rest.split(' ').count() as u64;
        assert_eq!(thought.score(), Score::Losing(Some(left)), "{root}");
    }
}
