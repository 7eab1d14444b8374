//! Perft: the number of leaves of the game tree.

use super::{count_legal, legal_moves};
use crate::position::Position;
use crate::types::Move;

/// How perft counts leaves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PerftMode {
    /// Generates move lists and adds their lengths.
    List,
    /// Bulk counting: adds the bits of the target sets.
    Bulk,
}

/// Leaves at `depth`. `stop` is polled; `None` when it returned true.
pub fn perft(position: &mut Position, depth: u32, mode: PerftMode, stop: &dyn Fn() -> bool) -> Option<u64> {
    if depth == 1 {
        return Some(count(position, mode));
    }
    // Poll where a subtree takes some milliseconds.
    if depth == 3 && stop() {
        return None;
    }
    divide(position, depth, mode, stop, &mut |_, _| {})
}

#[inline]
fn count(position: &Position, mode: PerftMode) -> u64 {
    match mode {
        PerftMode::Bulk => count_legal(position),
        PerftMode::List => {
            // The list must really be written, or the speed means nothing.
            std::hint::black_box(&legal_moves(position)).len() as u64
        }
    }
}

/// [`perft`] by root move, in generation order. `None` when stopped.
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
