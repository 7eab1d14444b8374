//! Floor 7: training of networks.
//!
//! Games of self-play become [`Samples`], positions with the share of the game that the side to move is to expect ([`Lesson`]). A [`Model`] is
//! a network in floating point; `gradient` computes what its loss is and which way is down, `adam` goes there. [`Fit`] does so epoch by epoch
//! over [`Material`], may be cut off and resumed, and gives the network in whole numbers, as engines read it; `judge` looks at games that were
//! not learnt from, and a [`report`] shows what became of it.
//!
//! The same plan, files and seed give the same network with any number of threads.

mod adam;
mod checkpoint;
mod fit;
mod gradient;
mod judge;
mod model;
mod report;
mod samples;
mod source;
#[cfg(test)]
mod tests;

pub use fit::{Epoch, Fit, FitError, Material, Plan};
pub use model::{Model, UnknownShape};
pub use report::{ReportError, report};
pub use samples::{Lesson, PIECES, Samples};
