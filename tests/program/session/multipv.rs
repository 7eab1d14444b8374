//! MultiPV.

use std::collections::HashSet;

use super::client::{Client, ms};
use super::info::Info;
use super::positions::{BUSY, ONLY_MOVE};

/// Finished iterations are complete blocks: 1..=`lines` in order, with distinct first moves.
pub fn assert_blocks(variations: &[Info], lines: usize) {
    let exact: Vec<_> = variations.iter().filter(|info| !info.bound).collect();
    assert!(!exact.is_empty(), "no variation at all");
    for block in exact.chunk_by(|_, next| next.multipv.unwrap_or(1) != 1) {
        let numbers: Vec<_> = block.iter().map(|info| info.multipv.unwrap_or(1)).collect();
        assert_eq!(numbers, (1..=lines as u64).collect::<Vec<_>>(), "a block is not 1..={lines}");
        let firsts: HashSet<_> = block.iter().map(|info| &info.pv[0]).collect();
        assert_eq!(firsts.len(), lines, "a first move comes twice: {block:?}");
        let sorted = block.is_sorted_by_key(|info| std::cmp::Reverse(info.score.map(|score| score.value())));
        assert!(sorted, "a worse line stands above a better one: {block:?}");
    }
}

#[test]
fn complete_block_per_depth() {
    let mut engine = Client::ready_with(&[("MultiPV", "5"), ("PvInterval", "0")]);
    let thought = engine.think(BUSY, "depth 4");
    assert_blocks(&thought.variations(), 5);
}

#[test]
fn no_more_lines_than_moves() {
    let mut engine = Client::ready_with(&[("MultiPV", "5")]);
    assert_blocks(&engine.think(ONLY_MOVE, "depth 3").variations(), 1);
    let thought = engine.think(BUSY, "depth 2 searchmoves 6f4h+ G*4h 7d7e");
    assert_blocks(&thought.variations(), 3);
}

#[test]
fn stopped_block_is_sorted() {
    let mut engine = Client::ready_with(&[("MultiPV", "4"), ("PvInterval", "0")]);
    let board = engine.position(BUSY);
    engine.send("go infinite");
    engine.assert_no_answer(ms(300));
    let variations = engine.stop(&board).variations();
    for block in variations.chunk_by(|_, next| next.multipv.unwrap_or(1) != 1) {
        let numbers: Vec<_> = block.iter().map(|info| info.multipv.unwrap_or(1)).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    }
}
