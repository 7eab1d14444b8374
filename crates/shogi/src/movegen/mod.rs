//! Legal moves.
//!
//! The generator finds the legal target squares of each piece and passes them to a sink, which
//! makes moves of them or only counts. Moves are legal from the start. Search generates tactical
//! and quiet moves separately; [`NonPromotions`] selects the non-promotions.
//!
//! ```
//! use sabi_shogi::{PerftMode, legal_moves, perft};
//! use sabi_shogi::Position;
//!
//! let mut position = Position::startpos();
//! assert_eq!(legal_moves(&position).len(), 30);
//! assert_eq!(perft(&mut position, 3, PerftMode::Bulk, &|| false), Some(25_470));
//! ```

mod checks;
mod generate;

pub use checks::checking_moves;
pub use generate::{MAX_MOVES, MoveList, NonPromotions, Sink};

use crate::bitboard::Bitboard;
use crate::position::Position;
use crate::types::Move;
use generate::{QUIET, Sets, TACTICAL, generate};

/// All legal moves.
pub fn legal_moves(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    generate::<{ TACTICAL | QUIET }, _>(position, NonPromotions::All, &mut list);
    list
}

/// All legal moves, with this selection of non-promotions.
pub fn moves(position: &Position, non_promotions: NonPromotions, list: &mut MoveList) {
    generate::<{ TACTICAL | QUIET }, _>(position, non_promotions, list);
}

/// The captures and pawn promotions, into a list or another sink.
#[inline]
pub fn tactical_moves<O: Sink>(position: &Position, non_promotions: NonPromotions, sink: &mut O) {
    generate::<TACTICAL, _>(position, non_promotions, sink);
}

/// All other moves.
#[inline]
pub fn quiet_moves<O: Sink>(position: &Position, non_promotions: NonPromotions, sink: &mut O) {
    generate::<QUIET, _>(position, non_promotions, sink);
}

/// The number of legal moves, without listing them.
pub fn count_legal(position: &Position) -> u64 {
    let mut count = 0;
    let mut sets = Sets(|targets: Bitboard| count += u64::from(targets.count()));
    generate::<{ TACTICAL | QUIET }, _>(position, NonPromotions::All, &mut sets);
    count
}

/// Whether there is any legal move.
pub fn has_legal_move(position: &Position) -> bool {
    let mut any = false;
    let mut sets = Sets(|targets: Bitboard| any |= targets.any());
    generate::<{ TACTICAL | QUIET }, _>(position, NonPromotions::All, &mut sets);
    any
}

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
