//! Floor 3, second: legal moves.
//!
//! One generator serves every purpose: it finds, for each piece, the set of squares it may legally go to, and hands that set
//! to a sink, which makes moves of it or only counts. Moves are legal from the start; nothing has to be tried and taken
//! back. Search asks for tactical and quiet moves apart; what it may skip as pointless is told by [`Promotions`].
//!
//! ```
//! use sabi::movegen::{PerftMode, legal_moves, perft};
//! use sabi::position::Position;
//!
//! let mut position = Position::startpos();
//! assert_eq!(legal_moves(&position).len(), 30);
//! assert_eq!(perft(&mut position, 3, PerftMode::Bits, &|| false), Some(25_470));
//! ```

mod checks;
mod generate;
mod perft;
mod sink;

pub(crate) use checks::checking_moves_to;
pub use generate::Promotions;
pub use perft::{PerftMode, divide, perft};
pub(crate) use sink::Sink;
pub use sink::{MAX_MOVES, MoveList};

use crate::position::{CheckInfo, Position};
use generate::{Both, Quiet, Tactical};
use sink::{Any, Count};

/// All legal moves.
pub fn legal_moves(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    generate::generate::<Both, _>(position, Promotions::All, &mut list);
    list
}

/// All legal moves, without the pointless ones if so asked.
pub fn moves(position: &Position, promotions: Promotions, list: &mut MoveList) {
    generate::generate::<Both, _>(position, promotions, list);
}

/// The captures and pawn promotions.
pub fn tactical_moves(position: &Position, promotions: Promotions, list: &mut MoveList) {
    generate::generate::<Tactical, _>(position, promotions, list);
}

/// Everything that [`tactical_moves`] leaves out.
pub fn quiet_moves(position: &Position, promotions: Promotions, list: &mut MoveList) {
    quiet_moves_to(position, promotions, list);
}

/// Hands the same to `sink`.
#[inline]
pub(crate) fn quiet_moves_to<O: Sink>(position: &Position, promotions: Promotions, sink: &mut O) {
    generate::generate::<Quiet, _>(position, promotions, sink);
}

/// Every legal checking move, captures included.
pub fn checking_moves(position: &Position, info: &CheckInfo, promotions: Promotions, list: &mut MoveList) {
    checking_moves_to(position, info, promotions, list);
}

/// How many legal moves there are, without listing them.
pub fn count_legal(position: &Position) -> u64 {
    let mut count = Count::default();
    generate::generate::<Both, _>(position, Promotions::All, &mut count);
    count.total()
}

/// Whether there is any legal move.
pub fn has_legal_move(position: &Position) -> bool {
    let mut any = Any::default();
    generate::generate::<Both, _>(position, Promotions::All, &mut any);
    any.found()
}
