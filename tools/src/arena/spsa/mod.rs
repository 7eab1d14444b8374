//! SPSA: tuning engine options by games.
//!
//! An iteration draws a random sign for each parameter, perturbs all values in that direction and
//! in the opposite one, and plays a pair of games between the two sides, one opening with both
//! colours. All values move a small step towards the winner. Over many iterations the noise
//! averages out.
//!
//! Method: J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation", IEEE Transactions on Automatic Control 37, 1992. Gain sequences: J. C.
//! Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization",
//! IEEE Transactions on Aerospace and Electronic Systems 34, 1998; given by their last values, as
//! is usual for chess engines.
//!
//! A [`ParameterSelection`] turns declared options into [`Parameter`]s, a [`SpsaPlan`] computes the
//! gain sequences, a [`Tuning`] holds the values, and [`tune`] plays the games.

mod parameter;
mod plan;
mod run;
mod tuning;

pub use parameter::{Parameter, ParameterError, ParameterSelection};
pub use plan::{SpsaPlan, Trial};
pub use run::{TuningError, tune};
pub use tuning::Tuning;
