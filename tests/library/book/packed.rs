//! Positions packed in 32 bytes, compared with cshogi (`Board.to_psfen`).

use super::support::{Random, playout};
use proptest::prelude::*;
use sabi::position::{PackedSfen, PackedSfenError, Position, STARTPOS_SFEN};

const PACKED: [(&str, &str); 16] = [
    (
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c",
    ),
    (
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "59a451220cab44fc2ca744385e89f0488457223ca744385689f858468930bc7e",
    ),
    (
        "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "59a451220ceb67227e9653221caf447824c22b119e53221cab447c2ca344187e",
    ),
    (
        "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "59241261583f13f1b39c12e17825c223115e89f09c12e1587f13f1b18c126148",
    ),
    (
        "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "5924126120113fcb29118e57223c12e19508cf29110e12f1b19008434aadbd7e",
    ),
    (
        "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "5924126120113f0b8970bc12e19108af4478488483447c2c24c290526b6bbd7e",
    ),
    ("4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1", "58240000000000000000000049922449922419638cb5d63ae79cf7defb7c7ebf"),
    ("4k4/9/9/9/9/9/9/9/4K4 b - 1", "58240000000000000000008024499224499294524aadb5b6d65a7beffd7afd7e"),
    ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l16p 1", "a224000000001000000000001c9224499224c91863acb5d639e7bcf73e9fdfaf"),
    ("4k4/9/4P4/9/9/9/9/9/9 b RBG 1", "a224000000001000000000009cc74792244992244929a5d45a6b6badb5f77efd"),
    (
        "3g5/bG2+N4/2s1skp1P/3gpn3/pPPpP2pp/P2PR1P2/5pGP+p/LK1S5/7SL b Pp 120",
        "8c1d426a03a47090c4032b89edccf8c1cb9be1c029c043c0271906604aadbd7e",
    ),
    (
        "s6+PG/skb+PG+P1G1/2s5N/3P1P2r/p2p3lp/lp2P2n1/+ng2p4/bspl1pp+r1/1L+p4+n1 w 2p 178",
        "a3c0c7f29b500fe3ea7f072425903c88448964e4f3846cc8f71cce931cf74fa4",
    ),
    (
        "1p7/P1+S6/+L1Ngk4/7s1/1PP1S+Bp1p/1G5KP/3P1PPPL/1R1G3G1/6SN1 b 7P 158",
        "1c26c818c0299e055238e04b800378110fd72220118f1f62020000404aadbd7e",
    ),
    ("9/9/9/3K5/9/8k/9/9/9 b - 157", "60050000000000000000008024499224499294524aadb5b6d65a7beffd7afd7e"),
    (
        "1n2k2nb/l1rg1g2l/1s+Np2s1p/pp2pppp1/P8/5P3/LPPPP1PPP/1B1SGS1R1/3GK2NL w P 40",
        "59a4cf31118695247e16ce24f04ae140128f3711c7e37743b03a93f860946100",
    ),
    (
        "2+N3+L+Nr/5gGp+P/pk1p5/s8/Pn+bl4p/4P2P1/spp6/1l+n2+pp2/g1+s+b+s2+r+l b G5p 153",
        "a2c1df22316f89e07f7a40f28206829b34e27bc3b7dc6fac72449ee1f41e92a4",
    ),
];

fn bytes_of(hex: &str) -> PackedSfen {
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    PackedSfen(std::array::from_fn(|number| byte(2 * number)))
}

#[test]
fn bytes_match_other_programs() {
    for (sfen, hex) in PACKED {
        let position = Position::from_sfen(sfen).unwrap();
        assert_eq!(PackedSfen::of(&position), Some(bytes_of(hex)), "{sfen}");
        assert_eq!(bytes_of(hex).position(position.ply()).unwrap().sfen(), sfen);
    }
}

#[test]
fn packing_round_trips() {
    let starts = [STARTPOS_SFEN, PACKED[1].0, PACKED[5].0, PACKED[6].0, PACKED[8].0];
    for (seed, start) in (0..).zip(starts.iter().cycle().take(25)) {
        for position in playout(start, 200, &mut Random(seed)) {
            let Some(packed) = PackedSfen::of(&position) else {
                assert!(position.king(sabi::types::Color::Black).is_none());
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
