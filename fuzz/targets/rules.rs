//! Positions and moves.

use sabi::eval::{Evaluation, Evaluator, Weights};
use sabi_shogi::{Color, HuffmanCodedPos, Move, PackedSfen, Position, legal_moves};

/// Maximum moves of a line.
const MAX_LINE: usize = 100;

/// An accepted SFEN round-trips.
pub fn sfen(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(position) = super::accepted(Position::from_sfen(text)) else { return };
    let again = Position::from_sfen(&position.sfen()).expect("what is written is read");
    assert_same(&position, &again);
    assert_valid(&position);
}

/// Two bytes select a move; every eighth time on average a move is undone, and sometimes a null
/// move is made.
pub fn moves(bytes: &[u8]) {
    let Some((&start, choices)) = bytes.split_first() else { return };
    let mut position = Position::from_sfen(STARTS[usize::from(start) % STARTS.len()]).expect("a position");
    let evaluation = Evaluation::from(Weights::clone(Weights::embedded()));
    let mut evaluator = Evaluator::new(&evaluation);
    evaluator.reset(&position);
    let mut line: Vec<(String, u64, bool)> = Vec::new();
    for choice in choices.as_chunks::<2>().0.iter().take(MAX_LINE) {
        let choice = u16::from_le_bytes(*choice);
        let before = (position.sfen(), position.key());
        match choice & 0xE000 {
            0 => {
                let Some((sfen, key, is_null)) = line.pop() else { continue };
                if is_null {
                    position.undo_null()
                } else {
                    position.undo()
                }
                evaluator.pop();
                assert_eq!((position.sfen(), position.key()), (sfen, key));
            }
            0x2000 if !position.in_check() => {
                position.play_null();
                evaluator.push();
                line.push((before.0, before.1, true));
            }
            _ => {
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    assert_valid(&position);
                    continue;
                }
                let mv = moves[usize::from(choice) % moves.len()];
                evaluator.push();
                position.play_observed(mv, &mut evaluator);
                line.push((before.0, before.1, false));
            }
        }
        assert_eq!(evaluator.evaluate(&position), evaluation.evaluate(&position), "{position}");
    }
    assert_valid(&position);
    while let Some((sfen, key, is_null)) = line.pop() {
        if is_null {
            position.undo_null()
        } else {
            position.undo()
        }
        assert_eq!((position.sfen(), position.key()), (sfen, key));
    }
}

const STARTS: [&str; 6] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    "+R5+B1k/+P+P+P6/9/9/9/9/9/6+p+p+p/K1+b5+r b 4G4S4N4L12P 1",
];

/// Whether two positions are equal, except for history.
fn assert_same(left: &Position, right: &Position) {
    let keys = |position: &Position| {
        let non_pawns = Color::ALL.map(|color| position.non_pawn_key(color));
        (position.board_key(), position.hand_key(), position.pawn_key(), position.minor_key(), non_pawns)
    };
    assert_eq!((left.sfen(), keys(left)), (right.sfen(), keys(right)));
    assert_eq!((left.checkers(), left.pinned()), (right.checkers(), right.pinned()));
}

/// Invariants of every position.
pub fn assert_valid(position: &Position) {
    assert_same(&position.rotated().rotated(), position);
    if let Some(packed) = PackedSfen::of(position) {
        assert_same(&packed.position(position.ply()).expect("a position"), position);
    }
    if let Some(packed) = HuffmanCodedPos::of(position) {
        assert_same(&packed.position(position.ply()).expect("a position"), position);
    }
    let legal = legal_moves(position);
    let mut next = position.clone();
    for &mv in &legal {
        assert!(position.is_legal(mv), "{position} {mv}");
        assert_eq!(mv.to_string().parse(), Ok(mv));
        next.play(mv);
        assert_same(&next.rotated().rotated(), &next);
        next.undo();
        assert_same(&next, position);
    }
    // All encodable moves: those not generated are illegal.
    for mv in (0..=u16::MAX).step_by(7).filter_map(Move::from_bits) {
        assert_eq!(position.is_legal(mv), legal.contains(&mv), "{position} {mv}");
    }
}
