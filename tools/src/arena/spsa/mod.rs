//! Tuning of an engine's options by games: simultaneous perturbation stochastic approximation.
//!
//! All values are tuned together. An iteration draws a sign for each of them, moves all values that way and all the other way, and
//! lets the two sides play a pair of games, one opening with both colours. Who does better tells on which side of each value the
//! better ones lie, with much noise, and each value goes a small step to that side. Of many such steps the noise cancels out.
//!
//! The method is that of J. C. Spall ("Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", IEEE Transactions on Automatic Control 37, 1992), with the gain sequences of his "Implementation of the simultaneous
//! perturbation algorithm for stochastic optimization" (IEEE Transactions on Aerospace and Electronic Systems 34, 1998). They are given
//! by what is left of them at the end, as testers of chess engines are used to.
//!
//! A [`Selection`] says which options an engine declares are [`Parameter`]s, a [`Plan`] knows the sequences, and a [`Tuning`] the values as
//! they stand; none of them plays games. [`tune`] does.

mod parameter;
mod plan;
mod run;
mod tuning;

pub use parameter::{Parameter, ParameterError, Selection};
pub use plan::{Plan, Trial};
pub use run::{TuningError, tune};
pub use tuning::Tuning;
