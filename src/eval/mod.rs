//! Static evaluation.
//!
//! Two kinds: the hand-crafted evaluation sums named [`Weights`] that the tuner fits; [`nnue`] is a
//! neural network with piece-square inputs. [`Evaluation`] is either of them, immutable and shared
//! by all threads; [`Evaluator`] is the incremental state of one thread, updated as an observer of
//! the position.
//!
//! ```
//! use sabi::eval::{EvalType, Evaluation};
//! use sabi_shogi::Position;
//!
//! let evaluation = Evaluation::embedded(EvalType::default());
//! let even = Position::startpos();
//! // From the view of the side to move: White has neither rook nor bishop.
//! let ahead = Position::from_sfen("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")?;
//! assert!(evaluation.evaluate(&ahead) > evaluation.evaluate(&even) + 500);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod evaluation;
mod handcrafted;
pub mod nnue;

pub use evaluation::{EvalType, Evaluation, EvaluationError, Evaluator};
pub use handcrafted::{
    Block, Feature, Group, MAX_PHASE, Pair, Trace, Weight, Weights, WeightsError, castle_name, evaluate,
};

/// Maximum static eval, far from decisive scores.
pub const MAX_VALUE: i32 = 12_000;
