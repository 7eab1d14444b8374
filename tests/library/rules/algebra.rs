//! Invariants of keys and undo.

use super::fixtures::random_games;
use proptest::prelude::*;
use sabi::movegen::legal_moves;
use sabi::position::Position;
use sabi::types::{Color, PieceKind, Square};
use std::collections::HashMap;

/// Incremental partial keys: pawns, minor pieces, non-pawns of Black and White.
fn partial_keys(position: &Position) -> [u32; 4] {
    let [black, white] = Color::ALL.map(|color| position.non_pawn_key(color));
    [position.pawn_key(), position.minor_key(), black, white]
}

/// The same from scratch.
fn computed_partial_keys(position: &Position) -> [u32; 4] {
    let [black, white] = Color::ALL.map(|color| position.computed_non_pawn_key(color));
    [position.computed_pawn_key(), position.computed_minor_key(), black, white]
}

/// All observable state of a position.
fn state(position: &Position) -> (String, u64, u64, [u32; 4], String) {
    let state = format!("{:?} {:?} {:?}", position.checkers(), position.pinned(), position.captured());
    (position.sfen(), position.board_key(), position.hand_key(), partial_keys(position), state)
}

#[test]
fn undo_restores_state_and_keys_are_incremental() {
    random_games(10, 40, 300, |position, _| {
        assert_eq!(position.computed_keys(), (position.board_key(), position.hand_key()));
        assert_eq!(computed_partial_keys(position), partial_keys(position));
        let before = state(position);
        for &mv in &legal_moves(position) {
            let reported = position.keys_after(mv).position();
            position.play(mv);
            assert_eq!(position.key(), reported, "{position} {mv}");
            assert_eq!(position.computed_keys(), (position.board_key(), position.hand_key()), "{position} {mv}");
            assert_eq!(computed_partial_keys(position), partial_keys(position), "{position} {mv}");
            assert_ne!(position.key(), before.1 ^ before.2);
            position.undo();
            assert_eq!(state(position), before);
        }
        if !position.in_check() {
            position.play_null();
            assert_eq!(position.computed_keys(), (position.board_key(), position.hand_key()));
            assert_eq!(partial_keys(position), before.3);
            position.undo_null();
            assert_eq!(state(position), before);
        }
    });
}

#[test]
fn equal_keys_imply_equal_positions() {
    let mut seen: HashMap<u64, String> = HashMap::new();
    random_games(11, 200, 200, |position, _| {
        let sfen = position.sfen();
        let placed = sfen.rsplit_once(' ').map(|(placed, _)| placed.to_owned()).unwrap();
        assert_eq!(seen.entry(position.key()).or_insert_with(|| placed.clone()), &placed);
    });
    assert!(seen.len() > 10_000);
}

/// The pieces covered by each partial key.
fn covered(position: &Position) -> [String; 4] {
    let placed = |wanted: &dyn Fn(Color, PieceKind) -> bool| {
        let pieces = Square::all().filter_map(|square| {
            let piece = position.piece_at(square).filter(|piece| wanted(piece.color(), piece.kind()))?;
            Some(format!("{piece:?}{square}"))
        });
        pieces.collect::<String>()
    };
    let minor = |_, kind: PieceKind| "LNSG".contains(kind.letter());
    [
        placed(&|_, kind| kind == PieceKind::Pawn),
        placed(&minor),
        placed(&|color, kind| color == Color::Black && kind != PieceKind::Pawn),
        placed(&|color, kind| color == Color::White && kind != PieceKind::Pawn),
    ]
}

#[test]
fn equal_partial_keys_imply_equal_pieces() {
    let mut seen: [HashMap<u32, String>; 4] = Default::default();
    let mut key_of: [HashMap<String, u32>; 4] = Default::default();
    random_games(13, 40, 200, |position, _| {
        for (part, (key, pieces)) in partial_keys(position).into_iter().zip(covered(position)).enumerate() {
            assert_eq!(seen[part].entry(key).or_insert_with(|| pieces.clone()), &pieces, "{position}");
            assert_eq!(*key_of[part].entry(pieces).or_insert(key), key, "{position}");
        }
    });
    assert!(seen.iter().all(|keys| keys.len() > 500));
}

#[test]
fn rotated_position_has_rotated_moves() {
    random_games(12, 30, 250, |position, _| {
        let turned = position.rotated();
        assert_eq!(turned.rotated().sfen(), position.sfen());
        let mut expected: Vec<_> = legal_moves(position).iter().map(|mv| mv.rotated()).collect();
        let mut actual: Vec<_> = legal_moves(&turned).to_vec();
        expected.sort();
        actual.sort();
        assert_eq!(actual, expected, "{position}");
    });
}

#[test]
fn without_history_is_as_read_from_its_sfen() {
    random_games(14, 30, 250, |position, _| {
        let forgetful = position.without_history().unwrap();
        let read = Position::from_sfen(&position.sfen()).unwrap();
        assert_eq!(state(&forgetful), state(&read));
        assert_eq!((forgetful.plies_played(), forgetful.last_move(), forgetful.repetition()), (0, None, None));
    });
    let last = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1000000").unwrap();
    let beyond = last.after("5i5h".parse().unwrap());
    assert!(last.without_history().is_some() && beyond.without_history().is_none());
    assert!(Position::from_sfen(&beyond.sfen()).is_err());
}

proptest! {
    /// Transpositions: the key depends on the position only.
    #[test]
    fn key_is_independent_of_move_order(choices in prop::collection::vec(any::<u16>(), 1..200)) {
        let mut position = Position::startpos();
        for choice in choices {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[usize::from(choice) % moves.len()]);
        }
        let direct = Position::from_sfen(&position.sfen()).unwrap();
        prop_assert_eq!(direct.board_key(), position.board_key());
        prop_assert_eq!(direct.hand_key(), position.hand_key());
        prop_assert_eq!(partial_keys(&direct), partial_keys(&position));
        prop_assert_eq!(direct.checkers(), position.checkers());
        prop_assert_eq!(direct.pinned(), position.pinned());
        prop_assert_eq!(direct.sfen(), position.sfen());
    }
}
