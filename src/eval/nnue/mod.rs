//! NNUE (Nasu 2018): a small neural network with an incrementally updated first layer.
//!
//! The networks are those of the YaneuraOu family, files called `nn.bin`: sparse piece-square
//! [`Features`] of both perspectives go through the feature transformer; both accumulators, side to
//! move first, go through small layers into one output. There may be several layer stacks, selected
//! by [`Buckets`]. Integer arithmetic, bit-identical with every [`Kernel`]. `docs/networks.md`
//! lists the supported architectures.
//!
//! [`Parameters`] are the contents of a file in file order; a [`Network`] has the memory layout for
//! inference; an [`AccumulatorStack`] holds the accumulators of one thread.

mod accumulator;
mod buckets;
mod features;
mod file;
mod kernel;
mod layer;
mod network;
mod shape;
#[cfg(test)]
mod tests;

pub use accumulator::AccumulatorStack;
pub use buckets::{Buckets, Progress, UnknownBuckets};
pub use features::{Features, mirrored_indices, opposite_indices};
pub use file::{NetworkError, median_by};
pub use kernel::Kernel;
pub use network::Network;
pub(super) use network::sample;
pub use shape::{Dense, Parameters, Sfnn, Shape, Shards};
