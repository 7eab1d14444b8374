//! Games of hundreds of moves, sent in full before every move.

use super::client::Client;
use super::fuzz::Random;
use super::positions::WINNING;
use super::rules::Board;

/// A legal game of `plies` without mate.
fn wandering_game(seed: u64, plies: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut board = Board::startpos();
    let mut moves = Vec::with_capacity(plies);
    while moves.len() < plies {
        let legal = board.legal_moves();
        let mv = random.pick(&legal);
        let next = board.after(mv);
        if !next.is_lost() {
            moves.push(mv.clone());
            board = next;
        }
    }
    moves
}

#[test]
fn p26_game_of_600_plies() {
    let mut engine = Client::ready();
    let text = format!("startpos moves {}", wandering_game(26, 600).join(" "));
    let board = engine.position(&text);
    assert!(board.sfen().ends_with(" 601"));
    assert_eq!(engine.sfen(), board.sfen());
    engine.go(&board, "depth 1");
}

#[test]
fn p26_game_of_repetitions() {
    let mut engine = Client::ready();
    let text = format!("startpos moves{}", " 2h3h 8b7b 3h2h 7b8b".repeat(150));
    let board = engine.position(&text);
    assert_eq!(engine.sfen(), board.sfen());
    engine.go(&board, "depth 2");
}

/// A whole game as a GUI sends it.
#[test]
fn p26_every_prefix_of_a_long_game() {
    let mut engine = Client::ready();
    let moves = wandering_game(7, 300);
    for plies in (0..=moves.len()).step_by(10) {
        let board = engine.position(&format!("startpos moves {}", moves[..plies].join(" ")));
        assert_eq!(engine.sfen(), board.sfen(), "after {plies} plies");
    }
}

/// Fourfold repetition is a draw, whatever the score; a bare SFEN has no history.
#[test]
fn p26_repetitions_in_history_count() {
    // An army against a bare king: decided only in a material evaluation.
    let options = [("DrawValueBlack", "0"), ("DrawValueWhite", "0"), ("EvalType", "hand")];
    let mut engine = Client::ready_with(&options);
    // The gold moves to 4h for the first time, three rounds bring it back to 4i, and 4i4h is the
    // fourth occurrence.
    let rounds = "5a4a 4h4i 4a5a 4i4h ".repeat(3);
    let text = format!("{WINNING} moves 3h4h {}", rounds.trim_end().trim_end_matches(" 4i4h"));
    let board = engine.position(&text);
    let repeated = engine.go(&board, "depth 4 searchmoves 4i4h").score().value();
    assert!(repeated.abs() < 50, "a fourth occurrence is worth {repeated}");

    engine.send("usinewgame");
    let fresh = engine.think(&board.as_root(), "depth 4 searchmoves 4i4h").score().value();
    assert!(fresh > 1000, "without its past the move is worth {fresh}");
}
