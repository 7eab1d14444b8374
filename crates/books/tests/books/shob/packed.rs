//! Positions packed in 32 bytes, compared with cshogi (`Board.to_psfen`).

use super::support::{Random, playout};
use proptest::prelude::*;
use sabi_shogi::{PackedSfen, PackedSfenError, Position, STARTPOS_SFEN};
use sabi_test_support::rows;

const PACKED: &str = include_str!("../../../../../tests/fixtures/psfen.tsv");

fn bytes_of(hex: &str) -> PackedSfen {
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    PackedSfen(std::array::from_fn(|number| byte(2 * number)))
}

#[test]
fn bytes_match_other_programs() {
    assert_eq!(rows(PACKED).count(), 16);
    for row in rows(PACKED) {
        let (sfen, bytes) = (row[0], bytes_of(row[1]));
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(PackedSfen::of(&position), Some(bytes), "{sfen}");
        assert_eq!(bytes.position(position.ply()).unwrap().sfen(), sfen);
    }
}

#[test]
fn packing_round_trips() {
    let starts: Vec<&str> = rows(PACKED).map(|row| row[0]).collect();
    for (seed, start) in (0..).zip(starts.iter().cycle().take(32)) {
        for position in playout(start, 200, &mut Random(seed)) {
            let Some(packed) = PackedSfen::of(&position) else {
                assert!(position.king(sabi_shogi::Color::Black).is_none());
                continue;
            };
            let again = packed.position(position.ply()).unwrap();
            assert_eq!(again.sfen(), position.sfen());
            assert_eq!((again.key(), again.checkers()), (position.key(), position.checkers()));
        }
    }
}

/// Without a king one more bit may be needed.
#[test]
fn rejects_unpackable_position() {
    let all_held_by_white = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1").unwrap();
    assert_eq!(PackedSfen::of(&all_held_by_white), None);
    let all_held_by_black = Position::from_sfen("4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1").unwrap();
    let packed = PackedSfen::of(&all_held_by_black).unwrap();
    assert_eq!(packed.position(1).unwrap().sfen(), all_held_by_black.sfen());
}

#[test]
fn rejects_invalid_positions() {
    let start = PackedSfen::of(&Position::startpos()).unwrap().0;
    let changed = |change: fn(&mut [u8; 32])| {
        let mut bytes = start;
        change(&mut bytes);
        PackedSfen(bytes).position(1).unwrap_err()
    };
    assert_eq!(changed(|bytes| bytes[0] |= 0xfe), PackedSfenError::KingSquare(127));
    assert!(matches!(
        changed(|bytes| bytes[1] = bytes[0] >> 1),
        PackedSfenError::SharedSquare(_) | PackedSfenError::KingSquare(_)
    ));
    assert_eq!(PackedSfen([0; 32]).position(1).unwrap_err().to_string(), "both kings on 1a");
    for bytes in [[0xff; 32], [0xaa; 32], [0x55; 32]] {
        assert!(PackedSfen(bytes).position(1).is_err());
    }
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes: [u8; 32]) {
        if let Ok(position) = PackedSfen(bytes).position(1) {
            prop_assert!(Position::from_sfen(&position.sfen()).is_ok());
        }
    }

    #[test]
    fn flipped_bits_never_give_the_same_position(seed: u64, bits in prop::collection::vec(0usize..256, 1..4)) {
        let positions = playout(STARTPOS_SFEN, 60, &mut Random(seed));
        let mut packed = PackedSfen::of(positions.last().unwrap()).unwrap();
        for bit in bits {
            packed.0[bit / 8] ^= 1 << (bit % 8);
        }
        if let Ok(position) = packed.position(1) {
            prop_assert!(Position::from_sfen(&position.sfen()).is_ok());
        }
    }
}
