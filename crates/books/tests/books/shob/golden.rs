//! Compatibility with existing files.

use sabi_books::{BookMap, BookMove, BookPosition, Shob, ShobOptions, book_key, encode};
use sabi_shogi::{Position, Score};

/// The start position with two moves, one with all values, and the position after the first.
fn book() -> BookMap {
    let start = Position::startpos();
    let known = BookMove {
        games: Some(3000),
        win_rate: Some(5123),
        score: Some(Score::cp(-17)),
        depth: Some(20),
        answer: "3c3d".parse().ok(),
        name: Some("角道".into()),
        ..BookMove::new("7g7f".parse().unwrap(), 70)
    };
    let next = start.with_moves(["7g7f"]).unwrap();
    let entry = |position: Position, moves| (book_key(&position), BookPosition { position, moves });
    BookMap::from([
        entry(start, vec![known, BookMove::new("2g2f".parse().unwrap(), 30)]),
        entry(next, vec![BookMove::new("3c3d".parse().unwrap(), 1)]),
    ])
}

const PLAIN: &str = "\
    53484f4201000003020000000300000050000000000000005c00000000000000a400000000000000ec00000000000000fa00000000000000\
    8db60f44cff26a12212f6f7e7e1d040019a431da5091f201000000000100000003000000150a000001000000000000000000000000000000\
    000000003b1e150a46000000b80b00000314efff14003f00000000008e0700001e0000000000000000000000000000000000000059a45122\
    0ceb67227e9653221caf447824c22b119e53121ceb6f223e9651220c0200000058a451220ceb67227e9653221caf447824c22b119e53221c\
    eb6f223e9651220c010000000100000006000000e8a792e98193\
";
const PACKED: &str = "\
    53484f42010001030200000003000000500000000000000052000000000000007600000000000000a800000000000000b600000000000000\
    a6f340a635f9e173212f6f7e7e1d040019a431da5091f20101001c0000000000000016000000f00702013f00003b1e8e07150a461e01e42d\
    f601212800002a0000000000000024000000f0150100020058a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c\
    0100000006000000e8a792e98193\
";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn writes_version_1() {
    let written = encode(&book(), ShobOptions { compress: false, positions: true }).unwrap();
    assert_eq!(hex(&written), PLAIN);
    // LZ4 output may differ between versions; only reading is pinned.
}

#[test]
fn reads_version_1() {
    for text in [PLAIN, PACKED] {
        let file = Shob::new(bytes(text)).unwrap();
        file.verify().unwrap();
        super::support::assert_same(&file.to_map().unwrap(), &book());
    }
}
