//! Positions for measuring evaluations.

use sabi_shogi::Position;

/// 128 positions of self-play games after eight random moves, at plies 16 to 95, not in check.
pub(super) fn sample() -> impl Iterator<Item = Position> {
    include_str!("sample.sfen").lines().filter_map(|line| Position::from_sfen(line).ok())
}

#[test]
fn sample_is_complete() {
    assert_eq!(sample().count(), 128);
}
