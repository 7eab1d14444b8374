//! `go` limits.

use super::client::{Client, SLACK, STOP_LIMIT, TIMEOUT, answers, ms};
use super::multipv::assert_blocks;
use super::positions::{BUSY, ONLY_MOVE};
use super::rules::Board;
#[cfg(target_os = "linux")]
use super::thought::Thought;
use std::time::Duration;
#[cfg(target_os = "linux")]
use std::time::Instant;

/// No network delay, no minimum: the clock of the test is the whole clock.
const BARE_CLOCK: [(&str, &str); 3] = [("NetworkDelay", "0"), ("NetworkDelay2", "0"), ("MinimumThinkingTime", "1")];

/// A whole bench, two million nodes, may take half a minute on a loaded machine.
const BENCH_LIMIT: Duration = Duration::from_secs(180);

/// `BARE_CLOCK` where the engine allows it.
fn bare_clock() -> Client {
    let mut engine = Client::ready();
    for (name, value) in BARE_CLOCK {
        engine.set(name, value);
    }
    engine.sync();
    engine
}

#[test]
fn depth_limit() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    for depth in 1..=4 {
        assert_eq!(engine.go(&board, &format!("depth {depth}")).depth(), depth);
    }
    engine.assert_silent(ms(100));
}

#[test]
fn limits_beyond_32_bits() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    for depth in ["2147483648", "4294967295", "99999999999"] {
        let thought = engine.go(&board, &format!("depth {depth} nodes 3000"));
        assert!(thought.depth() > 1, "depth {depth}");
    }
}

#[test]
fn node_limit() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    for limit in [1, 100, 5000] {
        let nodes = engine.go(&board, &format!("nodes {limit}")).nodes();
        assert!(nodes <= limit + 5000, "{nodes} of {limit}");
    }
}

#[test]
fn movetime_limit() {
    let mut engine = Client::ready();
    let took = engine.think(BUSY, "movetime 400").took;
    assert!((ms(200)..ms(400) + SLACK).contains(&took), "{took:?}");
}

#[test]
fn byoyomi_is_used_and_not_exceeded() {
    let mut engine = bare_clock();
    let took = engine.think(BUSY, "btime 0 wtime 0 byoyomi 1000").took;
    assert!((ms(300)..ms(1000) + SLACK).contains(&took), "{took:?}");
}

/// Default options: one second network delay, two seconds minimum.
#[test]
fn short_clocks_with_default_options() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    for (limits, all) in [
        ("btime 0 wtime 0 byoyomi 1000", 1000),
        ("btime 300 wtime 300 byoyomi 0", 300),
        ("btime 0 wtime 0 binc 500 winc 500", 500),
        ("byoyomi 200", 200),
    ] {
        let took = engine.go(&board, limits).took;
        assert!(took < ms(all) + SLACK, "{limits}: {took:?}");
    }
}

#[test]
fn increment_is_available() {
    let mut engine = bare_clock();
    let took = engine.think(BUSY, "btime 0 wtime 0 binc 600 winc 600").took;
    assert!((ms(60)..ms(600) + SLACK).contains(&took), "{took:?}");
}

#[test]
fn only_move_takes_no_time() {
    let mut engine = bare_clock();
    let board = engine.position(ONLY_MOVE);
    for clock in ["btime 600000 wtime 600000", "btime 600000 wtime 600000 binc 5000 winc 5000"] {
        let thought = engine.go(&board, clock);
        assert!(thought.took < SLACK, "{clock}: {:?}", thought.took);
        assert_eq!(thought.best(), "1a2a");
    }
}

/// A game of a second for all moves, at the settings for a client on the same machine
/// (docs/matches.md). The moves are those of a real game, so that there are enough of them.
///
/// A clock runs while engine or client wait for a processor, but on a busy machine it should not
/// decide the game: the last tenth of the time is only for what the engine does.
#[cfg(target_os = "linux")]
#[test]
fn sudden_death_of_a_second() {
    let games = include_str!("../../fixtures/records/expected.tsv");
    let game = games.lines().find(|line| line.starts_with("sugyan/12.csa\t")).expect("a game");
    let moves: Vec<&str> = game.rsplit_once(" moves ").expect("its moves").1.split(' ').collect();
    assert!(moves.len() > 2 * 60);
    let options = [("NetworkDelay", "0"), ("NetworkDelay2", "0"), ("MinimumThinkingTime", "0")];
    let mut engine = Client::ready_with(&options);
    let mut left = ms(1000);
    for plies in (0..moves.len()).step_by(2) {
        let board = engine.position(&format!("startpos moves {}", moves[..plies].join(" ")));
        let (waited, asked) = (engine.waited(), Instant::now());
        engine.send(&format!("go btime {} wtime 1000", left.as_millis()));
        let thought = Thought::new(asked, engine.wait_for("bestmove", TIMEOUT));
        let waited = engine.waited().saturating_sub(waited);
        thought.assert_valid(&board);
        let own = thought.took.saturating_sub(waited);
        let used = if thought.took + ms(100) < left { thought.took } else { own };
        assert!(used < left, "move {}: {used:?} of {left:?} after waiting for {waited:?}", plies / 2 + 1);
        left -= used;
    }
}

/// USI clocks are by colour, not by side to move.
#[test]
fn each_side_uses_its_clock() {
    let mut engine = bare_clock();
    for (root, poor, rich) in [
        (BUSY.to_owned(), "btime 600000 wtime 200", "btime 0 wtime 600000"),
        (format!("{BUSY} moves N*1g"), "btime 200 wtime 600000", "btime 600000 wtime 0"),
    ] {
        let board = engine.position(&root);
        let took = engine.go(&board, poor).took;
        assert!(took < ms(200) + SLACK, "{poor}: {took:?}");
        engine.send_unanswered(&format!("go {rich}"), ms(100));
        engine.stop(&board);
        engine.assert_settled();
    }
}

#[test]
fn p15_no_time_left() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    for limits in [
        "btime 0 wtime 0 byoyomi 0",
        "btime 0 wtime 0",
        "btime -500 wtime -500 byoyomi 0",
        "btime -1 wtime -1 binc 0 winc 0",
    ] {
        let took = engine.go(&board, limits).took;
        assert!(took < SLACK, "{limits}: {took:?}");
    }
}

#[test]
fn searchmoves_limit_moves() {
    let mut engine = Client::ready();
    let board = engine.position("startpos moves 7g7f");
    let thought = engine.go(&board, "depth 3 searchmoves 1c1d 9c9d");
    assert!(["1c1d", "9c9d"].contains(&thought.best()));
    for info in thought.variations() {
        assert!(["1c1d", "9c9d"].contains(&info.pv[0].as_str()), "{info:?}");
    }
    assert_eq!(engine.go(&board, "depth 2 searchmoves 1c1d").best(), "1c1d");
}

/// Illegal searchmoves are named and left out, never played.
#[test]
fn illegal_searchmoves_are_not_played() {
    let mut engine = Client::ready();
    let board = engine.position("startpos");
    let thought = engine.go(&board, "depth 2 searchmoves 7g7e 5e5d 9g9f");
    assert_eq!(thought.best(), "9g9f");
    assert_eq!(thought.strings(), ["go: left out: 7g7e is illegal here; 5e5d is illegal here"]);
    engine.go(&board, "depth 1 searchmoves 7g7e");
    engine.assert_settled();
}

#[test]
fn perft_has_no_bestmove() {
    let mut engine = Client::ready();
    for (root, depth, nodes) in [("startpos", 1, 30), ("startpos", 3, 25470), (BUSY, 1, 207), (ONLY_MOVE, 1, 1)] {
        let board = engine.position(root);
        engine.send(&format!("go perft {depth}"));
        let lines = engine.wait_for("Nodes searched: ", TIMEOUT);
        let (last, moves) = lines.split_last().expect("the last line at least");
        assert_eq!(last.text, format!("Nodes searched: {nodes}"));
        let counts = moves.iter().filter_map(|line| line.text.split_once(": "));
        let counts: Vec<_> = counts.filter(|(mv, _)| board.is_legal(mv)).collect();
        assert_eq!(counts.len(), board.legal_moves().len());
        assert_eq!(counts.iter().map(|(_, n)| n.parse::<u64>().expect("a count")).sum::<u64>(), nodes);
        assert_eq!(answers(&lines), [""; 0]);
        engine.assert_settled();
    }
}

#[test]
fn bench_equals_subcommand() {
    let shell = super::cli::succeeds(&["bench"]);
    let mut engine = Client::ready_with(&[("MultiPV", "1"), ("USI_Hash", "2")]);
    let board = engine.position(BUSY);
    let first = engine.go(&board, "depth 6").nodes();
    engine.send("usinewgame");
    engine.send("bench");
    let lines = engine.wait_for("Bench: ", BENCH_LIMIT);
    assert_eq!(lines.last().map(|line| line.text.as_str()), shell.lines().last());
    assert_eq!(lines.iter().filter(|line| line.text.starts_with("info string nodes ")).count(), 20);
    // The position is unchanged, and the new game not started.
    assert_eq!(engine.go(&board, "depth 6").nodes(), first);
    engine.send("bench");
    engine.send("stop");
    engine.wait_for("info string the bench was stopped", STOP_LIMIT);
    engine.assert_rejected("bench 12");
    engine.assert_settled();
}

/// `go` is answered by one move whatever it says: what cannot be used is named in one `info string`
/// and left out, and what remains decides. Nothing is left of those without a limit.
#[test]
fn p12_every_go_is_answered() {
    let mut engine = Client::ready();
    let board = engine.position(BUSY);
    let bad = "depth abc nodes 9, depth 1 nodes 1e30, nodes 9 depth ３, nodes 9 movetime, movetime 30 soon, \
               depth 1 byoyomi x, movetime 30 periods 1, btime 100 wtime 100 byoyomi ten, btime x wtime 1000, \
               movestogo 40 btime 100 wtime 100, byoyomi 100 periods 1, btime None wtime None byoyomi 100, \
               btime wtime 100 nodes 9, binc y winc 100, depth 1 perft 3, depth 1 searchmoves, searchmoves 1 depth 1";
    for bad in bad.split(", ") {
        let thought = engine.go(&board, bad);
        assert!(thought.took < ms(100) + SLACK, "{bad}: {:?}", thought.took);
        assert_eq!(thought.strings().len(), 1, "{bad}");
        assert!(thought.strings()[0].starts_with("go: left out: "), "{bad}: {:?}", thought.strings());
        engine.assert_settled();
    }
    for nothing in ["depth", "movetime abc", "btime None wtime None", "fast", "searchmoves 1a1a"] {
        let thought = engine.go(&board, nothing);
        assert!(thought.took < ms(1000) + SLACK, "{nothing}: {:?}", thought.took);
        assert!(matches!(&thought.strings()[..], [said] if said.ends_with("; without a limit this takes 1000 ms")));
        engine.assert_settled();
    }
    for bad in ["x nodes 9", "btime 100 wtime 100 byoyomi 100", "infinite movetime x nodes 9", "x"] {
        engine.send(&format!("go mate {bad}"));
        let lines = engine.wait_for("checkmate ", ms(1000) + SLACK);
        let strings = lines.iter().filter(|line| line.text.starts_with("info string go: left out: "));
        assert_eq!((strings.count(), answers(&lines).len()), (1, 1), "{bad}: {lines:?}");
        engine.assert_settled();
    }
    for bad in ["perft", "perft x", "perft 2 nodes 9"] {
        engine.assert_rejected(&format!("go {bad}"));
    }
    // Analysis goes on.
    engine.send_unanswered("go infinite movetime x", ms(200));
    engine.stop(&board);
    engine.assert_settled();
}

/// As computed by clients with floating point.
#[test]
fn numbers_with_fraction_or_sign() {
    let mut engine = bare_clock();
    let board = engine.position(BUSY);
    for (limits, at_least, at_most) in [
        ("movetime 0.9 btime 56712 wtime 59030 binc 0 winc 0 byoyomi 0", 0, 0),
        ("movetime 400.7", 200, 400),
        ("movetime -5", 0, 0),
        ("btime 60000.0 wtime 0.0 byoyomi 1000.0", 300, 1000),
        ("btime +0 wtime +0 byoyomi +1e3", 300, 1000),
        ("btime -0.5 wtime -7.25 byoyomi 0", 0, 0),
    ] {
        let thought = engine.go(&board, limits);
        assert!((ms(at_least)..ms(at_most) + SLACK).contains(&thought.took), "{limits}: {:?}", thought.took);
        assert_eq!(thought.strings(), [""; 0], "{limits}");
    }
    engine.assert_settled();
}

#[test]
fn p12_go_as_first_command() {
    for preparation in ["", "usi\n", "position startpos\n", "usinewgame\nposition startpos\n"] {
        let mut engine = Client::spawn();
        engine.send_bytes(preparation.as_bytes());
        engine.go(&Board::startpos(), "depth 1");
        engine.assert_settled();
    }
}

#[test]
fn output_fail_lh_pv() {
    let mut engine = Client::ready();
    let thought = engine.think(BUSY, "movetime 500");
    let variations = thought.variations();
    let last = variations.last().expect("a variation");
    assert!(last.nps.is_some() && last.hashfull.is_some(), "{last:?}");
    assert!(last.time.is_some_and(|time| time <= 500 + SLACK.as_millis() as u64), "{last:?}");
    assert_blocks(&variations, 1);
}

/// A GUI on a slow link asks for few lines; the last one always comes.
#[test]
fn pv_interval() {
    let mut engine = Client::ready_with(&[("PvInterval", "0")]);
    let board = engine.position(BUSY);
    let all = engine.go(&board, "depth 4").variations().len();
    engine.send("usinewgame");
    engine.set("PvInterval", "60000");
    engine.sync();
    let few = engine.go(&board, "depth 4").variations().len();
    assert!((1..all).contains(&few), "{all} then {few}");
}
