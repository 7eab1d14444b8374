//! Network training.
//!
//! Self-play games become [`Samples`]: the K+P feature indices of the side to move, `[40] u16`, and
//! a target, its expected score ([`TargetSettings`]). A [`Model`] is a network in floating point;
//! `feature_columns` maps feature indices to columns of the first layer, `gradient` is forward and
//! backward pass, `adam` the optimiser, and `descent` makes a step with a batch.
//! [`Fit`] runs epochs over [`TrainingData`], can be resumed, and returns the quantised network;
//! `validation` evaluates the validation set, and a [`report`] shows losses, calibration and
//! weights.
//!
//! HalfKP has 125,388 inputs, of which a batch sets few: only `touched` columns are stepped, each
//! with the summed gradient of its positions. HalfKP is factorised: a column is the sum of its own
//! and one shared by all king squares; only the sum is exported.
//!
//! [`growth`] is the loop of self-play, training and match.
//!
//! Equal settings, files and seed give equal networks with any number of threads.

mod adam;
mod descent;
mod feature_columns;
mod fit;
mod gradient;
pub mod growth;
mod lanes;
mod model;
mod quantisation_error;
mod report;
mod sample_reader;
mod samples;
#[cfg(test)]
mod tests;
mod touched;
mod validation;

pub use fit::{Epoch, Fit, FitError, Start, TrainingData, TrainingSettings};
pub use model::{Model, UnknownShape};
pub use report::{ReportError, report};
pub use samples::{PIECES, Samples, TargetSettings};
