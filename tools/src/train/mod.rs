//! Floor 7: training of networks.
//!
//! Games of self-play become [`Samples`], positions with the share of the game that the side to move is to expect ([`Lesson`]). A [`Model`] is
//! a network in floating point; `sight` tells which of its columns a position sets, `gradient` computes what its loss is and which way is
//! down, `adam` goes there, and `descent` puts the three together, batch by batch. [`Fit`] does so epoch by epoch over [`Material`], may be
//! cut off and resumed, and gives the network in whole numbers, as engines read it; `judge` looks at games that were not learnt from, and a
//! [`report`] shows what became of it.
//!
//! HalfKP has 125,388 inputs, of which a batch sets a few. So its columns are stepped only where they are `touched`, each as a sum over the
//! positions that set it; and each is the sum of one of its own and one that all squares of the king share, of which only the sum is written.
//!
//! [`growth`] is what happens around all that, generation after generation.
//!
//! The same plan, files and seed give the same network with any number of threads.

mod adam;
mod checkpoint;
mod descent;
mod fit;
mod gradient;
pub mod growth;
mod judge;
mod lanes;
mod model;
mod report;
mod samples;
mod sight;
mod source;
#[cfg(test)]
mod tests;
mod touched;

pub use fit::{Epoch, Fit, FitError, Material, Plan};
pub use model::{Model, UnknownShape};
pub use report::{ReportError, report};
pub use samples::{Lesson, PIECES, Samples};
