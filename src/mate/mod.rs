//! Floor 3, third: mates.
//!
//! [`mate_in_one`] answers without search; [`solver`] searches for longer ones.

mod one;
pub mod solver;

pub use one::{is_mate_after, mate_in_one};
