//! Network training.
//!
//! Self-play games become samples: the K+P feature indices of the side to move, `[40] u16`, and
//! a target, its expected score ([`TrainingSettings`]). A model is a network in floating point;
//! `features` maps feature indices to those of a model, `gradient` is forward and backward pass,
//! and `training_step` makes a step with a batch. [`Training`] runs epochs over [`TrainingData`],
//! can be resumed, and returns the quantised network; a [`report`] shows losses, calibration and
//! weights.
//!
//! HalfKP has 125,388 inputs, of which a batch sets few: only touched features are stepped, each
//! with the summed gradient of its positions. HalfKP and HalfKA_z15 are factorised: the weights of a
//! feature are the sum of its own and those shared by all king squares; only the sum is exported.
//!
//! [`ResultSamples`] measures networks by how well their static evals predict the results of games.
//! [`TreeSampler`] draws positions from search trees, where static evals are used.
//! [`growth`] is the loop of self-play, training and match.
//!
//! Equal settings, files and seed give equal networks with any number of threads.

mod features;
mod gradient;
pub mod growth;
mod model;
mod report;
mod results;
mod samples;
mod search_tree;
#[cfg(test)]
mod tests;
mod training;
mod training_step;

pub use model::expand_zones;
pub use report::report;
pub use results::{ResultPrediction, ResultSamples};
pub use samples::TrainingSettings;
pub use search_tree::TreeSampler;
pub use training::{Epoch, Training, TrainingData, TrainingError};
