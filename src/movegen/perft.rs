//! Counting the leaves of the game tree: the proof and the speedometer of the generator.

use super::{Promotions, count_legal, legal_moves, moves, sink::MoveList};
use crate::position::Position;
use crate::types::Move;

/// How the moves before the leaves are counted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PerftMode {
    /// They are written to a list, and its length is taken.
    List,
    /// Only the bits of their target sets are counted.
    Bits,
}

/// The number of move sequences of exactly `depth` plies. `stop` is asked now and then; `None` when it said yes.
pub fn perft(position: &mut Position, depth: u32, mode: PerftMode, stop: &dyn Fn() -> bool) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if depth == 1 {
        return Some(count(position, mode));
    }
    // Asked where a subtree is worth some milliseconds: often enough to obey, seldom enough to cost nothing.
    if depth == 3 && stop() {
        return None;
    }
    let mut total = 0;
    for &mv in &legal_moves(position) {
        position.play(mv);
        let leaves = perft(position, depth - 1, mode, stop);
        position.undo();
        total += leaves?;
    }
    Some(total)
}

#[inline]
fn count(position: &Position, mode: PerftMode) -> u64 {
    match mode {
        PerftMode::Bits => count_legal(position),
        PerftMode::List => {
            let mut list = MoveList::new();
            moves(position, Promotions::All, &mut list);
            // The list must really be written for the figure to mean anything.
            std::hint::black_box(&list).len() as u64
        }
    }
}

/// [`perft`] split by the first move, in the generator's order. `None` when stopped.
pub fn divide(
    position: &mut Position,
    depth: u32,
    mode: PerftMode,
    stop: &dyn Fn() -> bool,
    each: &mut dyn FnMut(Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0;
    for &mv in &legal_moves(position) {
        position.play(mv);
        let leaves = perft(position, depth - 1, mode, stop);
        position.undo();
        let leaves = leaves?;
        each(mv, leaves);
        total += leaves;
    }
    Some(total)
}
