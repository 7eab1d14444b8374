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
mod perft;

pub use checks::checking_moves_to;
pub use generate::{MAX_MOVES, MoveList, NonPromotions, Sink};
pub use perft::{PerftMode, divide, perft};

use crate::bitboard::Bitboard;
use crate::position::{CheckInfo, Position};
use generate::{Both, Quiet, Sets, Tactical};

/// All legal moves.
pub fn legal_moves(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    generate::generate::<Both, _>(position, NonPromotions::All, &mut list);
    list
}

/// All legal moves, with this selection of non-promotions.
pub fn moves(position: &Position, non_promotions: NonPromotions, list: &mut MoveList) {
    generate::generate::<Both, _>(position, non_promotions, list);
}

/// The captures and pawn promotions.
pub fn tactical_moves(position: &Position, non_promotions: NonPromotions, list: &mut MoveList) {
    tactical_moves_to(position, non_promotions, list);
}

/// The captures and pawn promotions, into `sink`.
#[inline]
pub fn tactical_moves_to<O: Sink>(position: &Position, non_promotions: NonPromotions, sink: &mut O) {
    generate::generate::<Tactical, _>(position, non_promotions, sink);
}

/// All other moves.
pub fn quiet_moves(position: &Position, non_promotions: NonPromotions, list: &mut MoveList) {
    quiet_moves_to(position, non_promotions, list);
}

/// The quiet moves, into `sink`.
#[inline]
pub fn quiet_moves_to<O: Sink>(position: &Position, non_promotions: NonPromotions, sink: &mut O) {
    generate::generate::<Quiet, _>(position, non_promotions, sink);
}

/// Every legal checking move, captures included.
pub fn checking_moves(position: &Position, info: &CheckInfo, non_promotions: NonPromotions, list: &mut MoveList) {
    checking_moves_to(position, info, non_promotions, list);
}

/// The number of legal moves, without listing them.
pub fn count_legal(position: &Position) -> u64 {
    let mut count = 0;
    let mut sets = Sets(|targets: Bitboard| count += u64::from(targets.count()));
    generate::generate::<Both, _>(position, NonPromotions::All, &mut sets);
    count
}

/// Whether there is any legal move.
pub fn has_legal_move(position: &Position) -> bool {
    let mut any = false;
    let mut sets = Sets(|targets: Bitboard| any |= targets.any());
    generate::generate::<Both, _>(position, NonPromotions::All, &mut sets);
    any
}
