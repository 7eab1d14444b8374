//! SFEN: round trip and errors.

use sabi_test_support::{position, rows};
use proptest::prelude::*;
use sabi_shogi::{Position, PositionError, STARTPOS_SFEN, SfenError};
use std::mem::discriminant;

#[test]
fn move_number_0_is_read_as_1() {
    let board = STARTPOS_SFEN.strip_suffix(" 1").unwrap();
    for number in ["", " 0", " 1", " 00"] {
        assert_eq!(Position::from_sfen(&format!("{board}{number}")).unwrap().sfen(), STARTPOS_SFEN);
    }
}

#[test]
fn rejects_too_many_moves() {
    let circle = ["2h3h", "8b7b", "3h2h", "7b8b"];
    let moves = |count: usize| circle.into_iter().cycle().take(count);
    assert_eq!(Position::startpos().with_moves(moves(10_000)).unwrap().ply(), 10_001);
    for count in [10_001, 70_000] {
        assert_eq!(Position::startpos().with_moves(moves(count)).unwrap_err(), PositionError::TooLong);
    }
}

/// Plies since a capture are bounded by the move number.
#[test]
fn games_have_no_length_limit() {
    let mut position = Position::startpos();
    let circle = ["2h3h", "8b7b", "3h2h", "7b8b"].map(|word| word.parse().unwrap());
    circle.into_iter().cycle().take(70_000).for_each(|mv| position.play(mv));
    assert_eq!(position.repetition(), Some(sabi_shogi::Repetition::Draw));
    // Perpetual check, 65,538 times.
    let mut position = Position::from_sfen("4k4/9/9/9/9/9/9/9/K3R4 w - 1").unwrap();
    let circle = ["5a4a", "5i4i", "4a5a", "4i5i"].map(|word| word.parse().unwrap());
    circle.into_iter().cycle().take(131_076).for_each(|mv| position.play(mv));
    assert_eq!(position.repetition(), Some(sabi_shogi::Repetition::Win));
}

#[test]
fn messages_contain_no_control_characters() {
    for text in ["\u{1b}8/9/9/9/9/9/9/9/9 b - 1", "9/9/9/9/9/9/9/9/9 b \u{7} 1", "9/9/9/9/9/9/9/9/9 \u{0} - 1"] {
        let message = Position::from_sfen(text).unwrap_err().to_string();
        assert!(message.contains("'?'") && !message.contains(char::is_control), "{message:?}");
    }
}

const INVALID: &str = include_str!("../../../../tests/fixtures/invalid_sfen.tsv");

/// Error kind of a reason name in the table.
fn expected(reason: &str) -> Vec<SfenError> {
    use sabi_shogi::{Color, Square};
    let square = Square::from_usi("1a").unwrap();
    match reason {
        "empty" | "missing-field" => vec![SfenError::MissingField(""), SfenError::RankCount(0)],
        "few-ranks" | "many-ranks" => vec![SfenError::RankCount(0)],
        "short-rank" | "long-rank" => vec![SfenError::FileCount { rank: 0, squares: 0 }],
        "unknown-piece" | "digit-zero" | "non-ascii" => {
            vec![
                SfenError::UnknownPiece(' '),
                SfenError::HandPiece(' '),
                SfenError::SideLetter(String::new()),
                SfenError::MoveNumber(String::new()),
            ]
        }
        "bad-promotion" | "dangling-plus" => {
            vec![SfenError::CannotPromote(' '), SfenError::DanglingPromotion]
        }
        "bad-side" => vec![SfenError::SideLetter(String::new())],
        "bad-hand" | "hand-king" => vec![SfenError::HandPiece(' '), SfenError::HandDangling],
        // A syntactically valid count is checked against the piece set.
        "hand-count" => vec![SfenError::HandCount(String::new()), SfenError::TooManyPieces(' ')],
        "hand-twice" => vec![SfenError::HandTwice(' ')],
        "too-many" => vec![SfenError::TooManyPieces(' ')],
        "two-kings" => vec![SfenError::TwoKings(Color::Black)],
        "no-king" => vec![SfenError::NoKing],
        "dead-piece" => vec![SfenError::DeadEnd(square)],
        "opponent-in-check" => vec![SfenError::WrongSideInCheck(Color::Black)],
        "bad-ply" => vec![SfenError::MoveNumber(String::new())],
        "trailing" => vec![SfenError::TrailingText(String::new())],
        other => panic!("reason {other} has no error"),
    }
}

#[test]
fn every_error_kind() {
    let mut checked = 0;
    for row in rows(INVALID) {
        let error = Position::from_sfen(row[0]).expect_err(row[0]);
        let kinds: Vec<_> = expected(row[1]).iter().map(discriminant).collect();
        assert!(kinds.contains(&discriminant(&error)), "{:?}: {error} instead of {}", row[0], row[1]);
        assert!(!error.to_string().is_empty() && error.to_string().len() < 200);
        checked += 1;
    }
    assert!(checked >= 60);
}

#[test]
fn optional_move_number_and_any_hand_order() {
    assert_eq!(position("4k4/9/9/9/9/9/9/9/4K4 b -").ply(), 1);
    assert_eq!(position("4k4/9/9/9/9/9/9/9/4K4 b p2GR 7").sfen(), "4k4/9/9/9/9/9/9/9/4K4 b R2Gp 7");
}

#[test]
fn mate_problem_without_attacking_king() {
    assert!(position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1").king(sabi_shogi::Color::Black).is_none());
}

#[test]
fn errors_name_the_illegal_move() {
    let start = position(STARTPOS_SFEN);
    assert!(start.with_moves(["7g7f", "3c3d", "8h2b+"]).is_ok());
    for (moves, number, word) in
        [(["7g7f", "7g7f", "x"], 2, "7g7f"), (["7g7f", "3c3d", "8h2c"], 3, "8h2c"), (["resign", "", ""], 1, "resign")]
    {
        match start.with_moves(moves) {
            Err(PositionError::Move { number: n, word: w, .. }) => assert_eq!((n, w.as_str()), (number, word)),
            other => panic!("{other:?}"),
        }
    }
}

proptest! {
    /// No text panics, and accepted texts round-trip.
    #[test]
    fn random_text_never_panics(text in "\\PC{0,120}") {
        if let Ok(position) = Position::from_sfen(&text) {
            prop_assert!(Position::from_sfen(&position.sfen()).is_ok());
        }
    }

    /// The same for texts similar to SFEN.
    #[test]
    fn random_sfen_like_text_never_panics(
        ranks in prop::collection::vec("(\\+?[plnsbrgkPLNSBRGK]|[1-9]){1,9}", 8..10),
        side in "[bwx]", hand in "-|([1-9]?[0-9]?[plnsbrgkPLNSBRGK]){1,8}", ply in "[0-9]{0,4}",
    ) {
        let text = format!("{} {side} {hand} {ply}", ranks.join("/"));
        if let Ok(position) = Position::from_sfen(&text) {
            prop_assert_eq!(Position::from_sfen(&position.sfen()).unwrap().key(), position.key());
        }
    }
}
