//! Invariants of keys and undo.

use sabi_test_support::random_games;
use sabi_shogi::{Bitboard, Color, PieceKind, Position, Square, legal_moves};
use std::collections::HashMap;

/// Partial keys: pawns, minor pieces, non-pawns of Black and White.
fn partial_keys(position: &Position) -> [u32; 4] {
    let [black, white] = Color::ALL.map(|color| position.non_pawn_key(color));
    [position.pawn_key(), position.minor_key(), black, white]
}

/// Keys of board and hands, and the partial keys.
type AllKeys = (u64, u64, [u32; 4]);

/// Incremental keys.
fn keys(position: &Position) -> AllKeys {
    (position.board_key(), position.hand_key(), partial_keys(position))
}

/// The same from scratch.
fn computed_keys(position: &Position) -> AllKeys {
    keys(&position.without_history().unwrap())
}

/// All observable state of a position that does not depend on its last move.
fn state(position: &Position) -> (String, AllKeys, [Bitboard; 2]) {
    (position.sfen(), keys(position), [position.checkers(), position.pinned()])
}

#[test]
fn undo_restores_state_and_keys_are_incremental() {
    random_games(10, 40, 300, |position, _| {
        assert_eq!(computed_keys(position), keys(position));
        let (before, key, captured) = (state(position), position.key(), position.captured());
        for &mv in &legal_moves(position) {
            let reported = position.keys_after(mv).position();
            position.play(mv);
            assert_eq!(position.key(), reported, "{position} {mv}");
            assert_eq!(computed_keys(position), keys(position), "{position} {mv}");
            assert_ne!(position.key(), key);
            position.undo();
            assert_eq!(state(position), before);
            assert_eq!(position.captured(), captured);
        }
        if !position.in_check() {
            position.play_null();
            assert_eq!(computed_keys(position), keys(position));
            assert_eq!(partial_keys(position), before.1.2);
            position.undo_null();
            assert_eq!(state(position), before);
            assert_eq!(position.captured(), captured);
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
        assert_eq!(state(position), state(&read));
        assert_eq!((forgetful.plies_played(), forgetful.repetition()), (0, None));
        assert_eq!((forgetful.last_move(), forgetful.captured()), (None, None));
    });
    let last = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1000000").unwrap();
    let beyond = last.after("5i5h".parse().unwrap());
    assert!(last.without_history().is_some() && beyond.without_history().is_none());
    assert!(Position::from_sfen(&beyond.sfen()).is_err());
}
