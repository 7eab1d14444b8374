//! The tuner.
//!
//! Games become [`Samples`] (`extract`): quiet positions as evaluation features, with the game
//! result. A [`Fit`] minimises the objective of `loss`, loss plus regularization, by an
//! `optimiser`. A [`Split`] divides games into training, validation and test set, and a [`report`]
//! shows losses, calibration and weights.
//! Equal input and seed give equal bits with any number of threads.

mod extract;
mod fit;
mod loss;
mod optimiser;
mod report;
mod samples;
#[cfg(test)]
mod tests;
mod weights;

pub use extract::{Extraction, Filter, FilterCounts};
pub use fit::{Fit, FitData, FitSettings, Saved, StopReason, rounded_weights, weight_values};
pub use loss::{LossFunction, SampleSet, Table, Target, fit_k};
pub use optimiser::OptimiserKind;
pub use report::report;
pub use samples::{Samples, Split};
pub use weights::{GroupChange, group_changes, is_rust_source, largest_changes, rust_source, weight_label};
