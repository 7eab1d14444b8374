//! Training of networks.
//!
//! Games of self-play become [`Samples`]: feature indices of both sides, `[2, 38]`, with a target, the expected score of the side to move
//! ([`TargetSettings`]). A [`Model`] is a network in floating point; `feature_columns` maps feature indices to columns of the first layer,
//! `gradient` is forward and backward pass, `adam` the optimiser, and `descent` puts the three together, batch by batch. [`Fit`] runs epochs
//! over [`TrainingData`], can be resumed, and gives the quantised network as engines read it; `validation` evaluates the validation set, and
//! a [`report`] shows losses, calibration and weights.
//!
//! HalfKP has 125,388 inputs, of which a batch sets a few: columns are stepped only where they are `touched`, each with the sum of the
//! gradients of the positions that set it. HalfKP is factorised: a column is the sum of its own and one that all king squares share, of
//! which only the sum is written.
//!
//! [`growth`] is the loop of self-play, training and match, generation after generation.
//!
//! The same plan, files and seed give the same network with any number of threads.

mod adam;
mod checkpoint;
mod descent;
mod feature_columns;
mod fit;
mod gradient;
pub mod growth;
mod lanes;
mod model;
mod report;
mod rounding;
mod samples;
mod source;
#[cfg(test)]
mod tests;
mod touched;
mod validation;

pub use fit::{Epoch, Fit, FitError, Plan, TrainingData};
pub use model::{Model, UnknownShape};
pub use report::{ReportError, report};
pub use samples::{PIECES, Samples, TargetSettings};
