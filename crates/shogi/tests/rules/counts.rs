//! Perft against an independent library.

use sabi_test_support::{position, rows};
use sabi_shogi::{PerftMode, Position, divide, perft};

const PERFT: &str = include_str!("../../../../tests/fixtures/perft.tsv");

#[test]
fn perft_agrees_with_reference() {
    let mut checked = 0;
    for row in rows(PERFT) {
        let [sfen, depth, expected] = row[..] else { panic!("{row:?}") };
        let (depth, expected): (u32, u64) = (depth.parse().unwrap(), expected.parse().unwrap());
        for mode in [PerftMode::List, PerftMode::Bulk] {
            assert_eq!(
                perft(&mut position(sfen), depth, mode, &|| false),
                Some(expected),
                "{sfen} depth {depth} {mode:?}"
            );
        }
        checked += 1;
    }
    assert!(checked >= 60);
}

#[test]
fn perft_of_start_position() {
    for (depth, expected) in [30, 900, 25_470, 719_731, 19_861_490].into_iter().enumerate() {
        let mut position = Position::startpos();
        assert_eq!(perft(&mut position, depth as u32 + 1, PerftMode::Bulk, &|| false), Some(expected));
    }
}

#[test]
fn perft_divide_adds_up() {
    let mut parts = Vec::new();
    let mut position = Position::startpos();
    let total = divide(&mut position, 3, PerftMode::List, &|| false, &mut |mv, leaves| parts.push((mv, leaves)));
    assert_eq!(total, Some(25_470));
    assert_eq!(parts.len(), 30);
    assert_eq!(parts.iter().map(|(_, leaves)| leaves).sum::<u64>(), 25_470);
    assert_eq!(divide(&mut position, 5, PerftMode::Bulk, &|| true, &mut |_, _| {}), None);
}
