//! Entering-king points shown to the client once per `go`.

use super::client::{Client, TIMEOUT, answers, ms};
use super::info::Score;
use super::positions::{BUSY, DECLARATION, DECLARATION_TOO_FEW_POINTS, KINGLESS_MATE_IN_ONE, MATED};

/// White's king is one rank before Black's camp, with a rook and a pawn in it and a bishop in hand.
const NEAR: &str = "sfen 9/9/9/9/9/4k4/9/+p7r/4K4 w b 1";
/// The same, one rank further away.
const FAR: &str = "sfen 9/9/9/9/4k4/9/9/+p7r/4K4 w b 1";

const BY_POINTS: [&str; 4] = ["CSARule24", "CSARule24H", "CSARule27", "CSARule27H"];

/// Entering-king lines, and the number of search lines before them.
fn reported(engine: &mut Client, root: &str, limits: &str) -> Vec<(usize, String)> {
    let thought = engine.think(root, limits);
    let infos = thought.infos();
    let before = |at: usize| infos[..at].iter().filter(|info| info.string.is_none()).count();
    let lines = infos.iter().enumerate().filter_map(|(at, info)| Some((before(at), info.string.clone()?)));
    lines.filter(|(_, text)| text.contains("entering king")).collect()
}

#[test]
fn points_are_shown_before_search() {
    let mut engine = Client::ready();
    for (root, points) in [
        (
            DECLARATION,
            "Black 29 of 28 points, 11 of 10 pieces in camp, king in camp; \
             White 0 of 27 points, 0 of 10 pieces in camp, king in camp",
        ),
        (
            DECLARATION_TOO_FEW_POINTS,
            "Black 19 of 28 points, 11 of 10 pieces in camp, king in camp; \
             White 0 of 27 points, 0 of 10 pieces in camp, king in camp",
        ),
        (
            NEAR,
            "Black 0 of 28 points, 0 of 10 pieces in camp, king not in camp; \
             White 11 of 27 points, 2 of 10 pieces in camp, king not in camp",
        ),
    ] {
        for _ in 0..2 {
            assert_eq!(reported(&mut engine, root, "depth 2"), [(0, format!("entering king: {points}"))], "{root}");
        }
    }
}

#[test]
fn no_points_while_kings_are_far() {
    let mut engine = Client::ready();
    for root in ["startpos", BUSY, FAR, MATED] {
        assert_eq!(reported(&mut engine, root, "depth 2"), [], "{root}");
    }
}

#[test]
fn points_by_rule() {
    let mut engine = Client::ready();
    for rule in BY_POINTS {
        engine.set("EnteringKingRule", rule);
        let [(_, line)] = &reported(&mut engine, NEAR, "depth 2")[..] else { panic!("{rule}: one line") };
        // With a handicap the missing pieces are White's: all but 11 points.
        let points = if rule.ends_with('H') { 54 } else { 11 };
        let needed = if rule.contains("24") { 31 } else { 27 };
        assert!(line.contains(&format!("White {points} of {needed} points")), "{rule}: {line}");
    }
    for rule in ["NoEnteringKing", "TryRule"] {
        engine.set("EnteringKingRule", rule);
        assert_eq!(reported(&mut engine, NEAR, "depth 2"), [], "{rule}");
    }
}

#[test]
fn no_points_for_other_commands() {
    let mut engine = Client::ready();
    for (root, order, end) in [
        (NEAR, "go perft 1", "Nodes searched"),
        (NEAR, "go mate 1000", "checkmate"),
        (KINGLESS_MATE_IN_ONE, "go mate 1000", "checkmate"),
    ] {
        engine.position(root);
        engine.send(order);
        let lines = engine.wait_for(end, TIMEOUT);
        assert!(lines.iter().all(|line| !line.text.contains("entering king")), "{order}");
    }
}

#[test]
fn declaration_in_infinite_search() {
    let mut engine = Client::ready();
    for order in ["go infinite", "go ponder btime 60000 wtime 60000"] {
        let board = engine.position(NEAR);
        let lines = engine.send_unanswered(order, ms(100));
        let reported = lines.iter().filter(|line| line.text.starts_with("info string entering king: ")).count();
        assert_eq!(reported, 1, "{order}");
        engine.send("stop");
        let thought = engine.bestmove(&board, TIMEOUT);
        thought.assert_valid(&board);
        let rest = engine.sync();
        assert_eq!(answers(&rest), [""; 0], "{order}");
    }
}

/// 5h5i answers the check B*3f, and the king is on its goal square.
#[test]
fn no_mate_of_a_king_that_reaches_its_goal() {
    const TRY: &str = "sfen 8K/9/9/9/9/9/3ln4/3pkp3/3g1g3 b BG 1";
    for level in ["0", "10"] {
        for (rule, mates) in [("TryRule", false), ("CSARule27", true)] {
            let mut engine = Client::ready_with(&[("EnteringKingRule", rule), ("Level", level)]);
            let board = engine.position(TRY);
            let thought = engine.go(&board, "nodes 5000");
            let is_mate = matches!(thought.score(), Score::Winning(Some(3)));
            assert_eq!(is_mate, mates, "{rule} at level {level}: {:?}", thought.variations());
        }
    }
}
