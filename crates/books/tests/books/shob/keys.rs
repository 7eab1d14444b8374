//! Book keys are part of the file format, and must not change.

use super::support::{Random, playout};
use sabi_books::{book_key, flipped_book_key};
use sabi_shogi::{Position, STARTPOS_SFEN};
use std::collections::HashMap;

/// Computed by another program from the documentation.
const PINNED: [(&str, u64); 7] = [
    ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 0x01f2_9150_da31_a419),
    ("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2", 0x0004_1d7e_7e6f_2f21),
    ("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", 0xa57c_2b17_166b_586a),
    ("4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1", 0x086a_1f5a_14e4_5906),
    ("3g5/bG2+N4/2s1skp1P/3gpn3/pPPpP2pp/P2PR1P2/5pGP+p/LK1S5/7SL b Pp 120", 0x4156_d839_633d_421c),
    ("s6+PG/skb+PG+P1G1/2s5N/3P1P2r/p2p3lp/lp2P2n1/+ng2p4/bspl1pp+r1/1L+p4+n1 w 2p 178", 0xef50_ca14_00c2_dc14),
    ("2+N3+L+Nr/5gGp+P/pk1p5/s8/Pn+bl4p/4P2P1/spp6/1l+n2+pp2/g1+s+b+s2+r+l b G5p 153", 0x2371_842e_bd7a_5860),
];

#[test]
fn keys_are_pinned() {
    for (sfen, key) in PINNED {
        let found = book_key(&Position::from_sfen(sfen).unwrap());
        assert_eq!(found, key, "{sfen}: {found:#018x}");
    }
}

/// The random numbers, generated again in sequence.
#[test]
fn keys_match_documentation() {
    let mut random = Random(0x5348_4f42_2d4b_4559);
    let numbers: Vec<u64> = (0..2535).map(|_| random.next()).collect();
    let mut key = numbers[2534];
    // White's promoted rook on 3b, kings on 5a and 5i; White has two golds in hand, Black five
    // pawns.
    for (color, kind, file, rank) in [(1, 13, 3, 2), (1, 7, 5, 1), (0, 7, 5, 9)] {
        key ^= numbers[(14 * color + kind) * 81 + 9 * (file - 1) + rank - 1];
    }
    for (color, kind, count) in [(1, 6, 2), (0, 0, 5)] {
        key ^= numbers[2268 + (7 * color + kind) * 19 + count];
    }
    assert_eq!(book_key(&Position::from_sfen("4k4/6+r2/9/9/9/9/9/9/4K4 w 5P2g 1").unwrap()), key);
}

#[test]
fn rotated_key_without_rotation() {
    for seed in 0..20 {
        for position in playout(STARTPOS_SFEN, 150, &mut Random(seed)) {
            assert_eq!(flipped_book_key(&position), book_key(&position.rotated()));
            assert_eq!(flipped_book_key(&position.rotated()), book_key(&position));
        }
    }
}

#[test]
fn keys_identify_positions() {
    let mut seen: HashMap<u64, String> = HashMap::new();
    for seed in 0..40 {
        for position in playout(STARTPOS_SFEN, 200, &mut Random(seed)) {
            let sfen = position.sfen();
            let without_number = sfen.rsplit_once(' ').unwrap().0.to_owned();
            let known = seen.entry(book_key(&position)).or_insert_with(|| without_number.clone());
            assert_eq!(*known, without_number);
            assert_eq!(book_key(&Position::from_sfen(&sfen).unwrap()), book_key(&position));
        }
    }
    assert!(seen.len() > 4000);
}
