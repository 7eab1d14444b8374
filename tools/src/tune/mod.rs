//! The tuner.
//!
//! Games become [`Samples`] (`filter`, `extract`): quiet positions as features of the evaluation, with the result of the game. A
//! [`Fit`] changes the weights until the evaluation predicts the results best: `loss` computes the loss and its gradient,
//! `objective` adds the penalty for leaving the first weights, `method` holds the optimisers. A [`Split`] divides games into training,
//! validation and test set, and a [`report`] shows losses, calibration and weights.
//! Everything gives the same bits for the same input and seed, with any number of threads.

mod calibration;
mod changes;
mod checkpoint;
mod extract;
mod file;
mod filter;
mod fit;
mod label;
mod loss;
mod method;
mod objective;
mod report;
mod samples;
mod scale;
mod split;
#[cfg(test)]
mod tests;

pub use calibration::calibration;
pub use changes::{GroupChange, group_changes, largest_changes};
pub use checkpoint::Saved;
pub use extract::Extraction;
pub use file::{SamplesError, read_samples, write_samples};
pub use filter::{Counts, Filter, GameSamples};
pub use fit::{End, Fit, Plan, Step, TrainingData, numbers_of, weights_from};
pub use label::{kind_name, weight_label};
pub use loss::{Batch, LossFunction, Table, Target};
pub use method::{Function, Kind, Method};
pub use objective::Objective;
pub use report::{ReportError, report};
pub use samples::{Label, Samples};
pub use scale::fit_k;
pub use split::Split;
