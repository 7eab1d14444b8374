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
mod evaluator;
mod file;
mod initial;
mod king;
mod squares;
mod trace;
mod weights;

pub use evaluator::{Evaluator, MAX_PHASE, evaluate};
pub use file::WeightsError;
pub use king::castle_name;
pub use trace::{Feature, Trace};
pub use weights::{Block, Group, Pair, Weight, Weights};
