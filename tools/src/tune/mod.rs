//! The tuner.
//!
//! Games become [`Samples`] (`filter`, `extract`): quiet positions as evaluation features, with the
//! game result. A [`Fit`] minimises the loss: `loss` computes it and its gradient, `objective` adds
//! regularization, `optimiser` minimises it. A [`Split`] divides games into training,
//! validation and test set, and a [`report`] shows losses, calibration and weights.
//! Equal input and seed give equal bits with any number of threads.

mod changes;
mod checkpoint;
mod extract;
mod filter;
mod fit;
mod label;
mod loss;
mod objective;
mod optimiser;
mod report;
mod samples;
mod scale;
mod split;
#[cfg(test)]
mod tests;

pub use changes::{GroupChange, group_changes, largest_changes};
pub use checkpoint::Saved;
pub use extract::Extraction;
pub use filter::{Filter, FilterCounts, GameSamples};
pub use fit::{Fit, FitSettings, Step, StopReason, TrainingData, rounded_weights, weight_values};
pub use label::{kind_name, weight_label};
pub use loss::{LossFunction, SampleSet, Table, Target};
pub use objective::Objective;
pub use optimiser::{Function, Optimiser, OptimiserKind};
pub use report::{ReportError, report};
pub use samples::{Label, Samples};
pub use scale::fit_k;
pub use split::Split;
