//! Floor 4: evaluation: what a position is worth before anything is searched.
//!
//! Two kinds stand behind one seam. The hand-crafted evaluation adds up named [`Weights`] that people can read and the tuner
//! fits; a [`nnue`] is a small neural network that takes pieces on squares and was trained on games. [`Evaluation`] is either of
//! them, whole and immutable, for all threads; an [`Evaluator`] is what one thread needs to follow the moves of its search, and
//! the observer of the position that hears them.
//!
//! ```
//! use sabi::eval::{EvalType, Evaluation};
//! use sabi::position::Position;
//!
//! let evaluation = Evaluation::embedded(EvalType::default());
//! let even = Position::startpos();
//! // From the view of the side to move: White has no rook.
//! let ahead = Position::from_sfen("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")?;
//! assert!(evaluation.evaluate(&ahead) > evaluation.evaluate(&even) + 300);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod evaluation;
mod evaluator;
mod hand;
pub mod nnue;

pub use evaluation::{EvalType, Evaluation, EvaluationError};
pub use evaluator::Evaluator;
pub use hand::{Block, Feature, Group, MAX_PHASE, Pair, Trace, Weight, Weights, WeightsError, castle_name, evaluate};

/// No evaluation is beyond this, far from the scores of decided games.
pub const MAX_VALUE: i32 = 12_000;
