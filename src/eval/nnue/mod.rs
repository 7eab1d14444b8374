//! Networks ("NNUE", Nasu 2018): the evaluation as a small neural network whose first layer is kept up to date move by move.
//!
//! The networks are those of the YaneuraOu family of engines, files called `nn.bin`: pieces on
//! squares go into one large layer, once for each side ([`Features`]); both halves, that of the
//! side to move first, through small layers into one number. There may be several stacks of small
//! layers, each for some positions ([`Buckets`]). All is integer arithmetic, equal to the bit
//! whatever [`Kernel`] computes it. `docs/networks.md` lists what is read.
//!
//! [`Parameters`] is what a file holds and trainers write, in the order of the file; a [`Network`] is the same laid out for
//! speed; an [`Evaluator`] is one thread's accumulators.

mod buckets;
mod effects;
mod embedded;
mod error;
mod evaluator;
mod explain;
mod features;
mod file;
mod kernel;
mod layer;
mod leb128;
mod lines;
mod network;
mod numbers;
mod progress;
mod refresh;
mod scale;
mod shape;
mod spread;
mod stack;
#[cfg(test)]
mod tests;

pub use buckets::Buckets;
pub use error::NetworkError;
pub use evaluator::Evaluator;
pub use features::Features;
pub use kernel::Kernel;
pub use network::Network;
pub use numbers::{mirrored_numbers, turned_numbers};
pub use progress::Progress;
pub use shape::{Dense, Parameters, Sfnn, Shape, Shards};
