//! The hand-crafted evaluation.
//!
//! A position is a list of *features* (a piece on a square, the number of escape squares, …); its
//! value is the sum of their *weights*, tapered between an opening and an endgame sum by the
//! [phase](MAX_PHASE). All numbers are in one [`Weights`] table, and every feature is written once
//! against a visitor, so that the fast sum of [`evaluate`], the incremental [`Evaluator`] and the
//! tunable [`Trace`] cannot differ.
//!
//! The weights are data: `nets/weights.json` is embedded, other files of the format can be loaded
//! ([`Weights::read`]).
//!
//! The evaluation is symmetric: rotating the board and exchanging the sides does not change it.

mod attacks;
mod castle_table;
mod castles;
mod evaluator;
mod feature_visitor;
mod file;
mod initial;
mod king;
mod layout;
mod pair;
mod phase;
mod relations;
mod rust_source;
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
use feature_visitor::Sum;
use sabi_shogi::Position;

/// Static eval in centipawns for the side to move, from scratch.
pub fn evaluate(position: &Position, weights: &Weights) -> i32 {
    let mut sum = Sum::new(weights, Pair::ZERO);
    squares::all(position, &mut sum);
    relations::all(position, &mut sum);
    finish(position, sum.total(), phase::phase(phase::units(position)))
}

/// Tapered value for the side to move of a sum for Black.
#[inline]
fn finish(position: &Position, sum: Pair, phase: i32) -> i32 {
    position.side_to_move().sign() * phase::taper(sum, phase).clamp(-MAX_VALUE, MAX_VALUE)
}
