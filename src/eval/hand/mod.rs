//! The hand-crafted evaluation.
//!
//! A position is a list of *features* (a piece on a square, the number of escape squares, …), its value the sum of their
//! *weights*, taken between an opening and an end-game sum by the [phase](MAX_PHASE) of the game. Every number lives in one
//! [`Weights`] table, every feature is written once against a sink, so that the fast sum of [`evaluate`], the incremental
//! [`Evaluator`] and the readable, tunable [`Trace`] cannot differ.
//!
//! The weights are data: the engine comes with those of `nets/weights.json` and reads others from such a file
//! ([`Weights::read`]).
//!
//! Turning the board and exchanging the sides leaves the value, which is given for the side to move, as it is.

mod attacks;
mod castle_table;
mod castles;
mod evaluator;
mod file;
mod initial;
mod king;
mod layout;
mod pair;
mod phase;
mod relations;
mod rust_source;
mod sink;
mod squares;
mod structure;
mod threats;
mod trace;
mod weights;

pub use castle_table::name as castle_name;
pub use evaluator::Evaluator;
pub use file::WeightsError;
pub use layout::{Block, Group};
pub use pair::{Pair, Weight};
pub use phase::MAX_PHASE;
pub use trace::{Feature, Trace};
pub use weights::Weights;

use super::MAX_VALUE;
use crate::position::Position;
use sink::Sum;

/// The value of a position in centipawns for the side to move, computed from nothing.
pub fn evaluate(position: &Position, weights: &Weights) -> i32 {
    let mut sum = Sum::new(weights, Pair::ZERO);
    squares::all(position, &mut sum);
    relations::all(position, &mut sum);
    finish(position, sum.total(), phase::phase(phase::units(position)))
}

/// The value for the side to move of a sum from Black's view.
#[inline]
fn finish(position: &Position, sum: Pair, phase: i32) -> i32 {
    position.side_to_move().sign() * phase::taper(sum, phase).clamp(-MAX_VALUE, MAX_VALUE)
}
