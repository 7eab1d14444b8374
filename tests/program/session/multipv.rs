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
    engine.send_unanswered("go infinite", ms(300));
    let variations = engine.stop(&board).variations();
    for block in variations.chunk_by(|_, next| next.multipv.unwrap_or(1) != 1) {
        let numbers: Vec<_> = block.iter().map(|info| info.multipv.unwrap_or(1)).collect();
        assert_eq!(numbers, [1, 2, 3, 4], "{block:?}");
        let quality = |info: &Info| (info.depth, info.score.map(|score| score.value()));
        assert!(block.is_sorted_by_key(|info| std::cmp::Reverse(quality(info))), "{block:?}");
    }
}

/// A mate is played as soon as it is proved, also when the search for other lines is interrupted.
#[test]
fn proved_mate_is_kept() {
    let mut engine = Client::ready_with(&[("MultiPV", "2")]);
    for mate in ["9/8L/9/6GRP/6GR1/8k/9/9/9 b 2b2g4s3n3l17p 1", "9/9/9/9/7R1/8k/9/9/9 b Gr2b3g4s4n4l18p 1"] {
        for nodes in [1000, 1500, 2000, 5000] {
            engine.send("usinewgame");
            let thought = engine.think(&format!("sfen {mate}"), &format!("nodes {nodes}"));
            let variations = thought.variations();
            let best = variations.iter().rev().find(|info| info.multipv == Some(1)).unwrap();
            assert!(best.score.is_some_and(|score| score.value() > 30_000), "{nodes} nodes: {best:?}");
            assert_eq!(best.pv[0], thought.best());
        }
    }
}
