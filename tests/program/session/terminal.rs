//! Ended games: mated, declared, resigned, or drawn by length.

use super::client::{Client, SLACK, TIMEOUT, ms};
use super::grammar::Kind;
use super::info::Score;
use super::multipv::assert_blocks;
use super::positions::{
    DECLARATION, DECLARATION_TOO_FEW_POINTS, HOPELESS, MATE_IN_ONE, MATE_IN_THREE, MATED, ONLY_MOVE, STALEMATED,
};

/// `root` as the position before move number `ply`.
fn at_ply(root: &str, ply: u32) -> String {
    let (rest, _) = root.rsplit_once(' ').expect("an sfen ends with its ply");
    format!("{rest} {ply}")
}

#[test]
fn lost_root_resigns_with_score() {
    let mut engine = Client::ready();
    for root in [MATED, STALEMATED] {
        let board = engine.position(root);
        for limits in ["btime 1000 wtime 1000 byoyomi 0", "depth 5", "nodes 100", "movetime 1000"] {
            let thought = engine.go(&board, limits);
            assert_eq!(thought.best(), "resign", "{root}, {limits}");
            assert!(matches!(thought.score(), Score::Losing(None | Some(1))), "{:?}", thought.score());
            assert!(thought.took < SLACK);
        }
    }
}

#[test]
fn declaration_win() {
    let mut engine = Client::ready();
    let board = engine.position(DECLARATION);
    assert_eq!(engine.go(&board, "btime 1000 wtime 1000 byoyomi 0").best(), "win");
    assert_eq!(engine.go(&board, "depth 2").best(), "win");
    assert_ne!(engine.think(DECLARATION_TOO_FEW_POINTS, "depth 2").best(), "win");
}

#[test]
fn no_declaration_without_rule() {
    let mut engine = Client::ready();
    let options = engine.options();
    let rule = options.iter().find(|option| option.name == "EnteringKingRule").expect("declared");
    let Kind::Combo(vars) = &rule.kind else { panic!("a combo") };
    let none = vars.iter().find(|var| var.starts_with("No")).expect("a way to switch it off");
    engine.set("EnteringKingRule", none);
    assert_ne!(engine.think(DECLARATION, "depth 2").best(), "win");
}

#[test]
fn p24_score_before_resign() {
    for lines in [1, 3] {
        let mut engine = Client::ready_with(&[("ResignValue", "500"), ("MultiPV", &lines.to_string())]);
        let thought = engine.think(HOPELESS, "depth 4");
        assert_eq!(thought.best(), "resign");
        assert!(thought.score().value() < -500, "{:?}", thought.score());
        assert_blocks(&thought.variations(), lines);
        engine.assert_settled();
    }
}

#[test]
fn p24_resign_waits_for_ponderhit() {
    let mut engine = Client::ready_with(&[("ResignValue", "500")]);
    let board = engine.position(HOPELESS);
    engine.send_unanswered("go ponder btime 0 wtime 0 byoyomi 200", ms(400));
    engine.send("ponderhit");
    assert_eq!(engine.bestmove(&board, ms(200) + SLACK).best(), "resign");
    engine.assert_settled();
}

#[test]
fn no_resignation_by_default() {
    let mut engine = Client::ready();
    assert_ne!(engine.think(HOPELESS, "depth 4").best(), "resign");
}

/// In analysis a single move is still evaluated.
#[test]
fn p25_analysis_of_only_move_has_pv() {
    let mut engine = Client::ready();
    let board = engine.position(ONLY_MOVE);
    let lines = engine.send_unanswered("go infinite", ms(400));
    let shown = super::thought::variations(&lines);
    assert!(shown.iter().any(|info| info.pv[0] == "1a2a" && info.depth > Some(1)), "{shown:?}");
    assert_eq!(engine.stop(&board).best(), "1a2a");
}

/// Move number N is still played and may mate; the position after it is a draw otherwise.
#[test]
fn p27_last_move_may_mate() {
    const LIMIT: u32 = 256;
    let drawn = [("MaxMovesToDraw", "256"), ("DrawValueBlack", "0"), ("DrawValueWhite", "0")];
    let mut engine = Client::ready_with(&drawn);

    let thought = engine.think(&at_ply(MATE_IN_ONE, LIMIT), "depth 4");
    assert_eq!((thought.best(), thought.score()), ("G*5b", Score::Winning(Some(1))));

    assert_eq!(engine.think(&at_ply(MATE_IN_THREE, LIMIT - 2), "depth 7").score(), Score::Winning(Some(3)));

    for late in [LIMIT - 1, LIMIT] {
        engine.send("usinewgame");
        let score = engine.think(&at_ply(MATE_IN_THREE, late), "depth 7").score();
        assert!(score.value().abs() < 50, "mate at move {} of {LIMIT}: {score:?}", late + 2);
    }
}

/// A root beyond the limit is drawn, but a client that asks for a move gets one.
#[test]
fn p27_move_beyond_max_moves() {
    let mut engine = Client::ready_with(&[("MaxMovesToDraw", "256")]);
    let board = engine.position(&at_ply(MATE_IN_THREE, 300));
    engine.send("go depth 3");
    assert_ne!(engine.bestmove(&board, TIMEOUT).best(), "resign");
    assert_eq!(engine.think(&at_ply(MATED, 300), "depth 3").best(), "resign");
}
