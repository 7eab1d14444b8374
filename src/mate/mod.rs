//! Mate search.
//!
//! [`mate_in_one`] works without search; [`solver`] finds longer mates.
//!
//! ```
//! use sabi::mate::solver::{MateQuestion, MateResult, MateSolver};
//! use sabi_shogi::Position;
//!
//! let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
//! let question = MateQuestion::about(&position);
//! let (result, _nodes) = MateSolver::new(16)?.solve(&position, &question, &mut |_| true);
//! let MateResult::Mate(mate) = result else { panic!("there is a mate") };
//! assert_eq!(mate.line, ["G*5b".parse()?]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod estimate;
mod line;
mod mate_in_one;
mod search;
pub mod solver;
mod table;

pub use mate_in_one::{is_mate_after, mate_in_one};
