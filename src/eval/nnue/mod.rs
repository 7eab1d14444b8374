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

mod accumulator_stack;
mod attack_counts;
mod block_head;
mod bona_piece;
mod buckets;
mod cache_line;
mod deltas;
mod embedded;
mod error;
mod expand_zones;
mod explain;
mod features;
mod file;
mod kernel;
mod layer;
mod layer_stack;
mod leb128;
mod network;
mod pieces;
mod progress;
mod refresh;
mod scale;
mod shape;
#[cfg(test)]
mod tests;

pub use accumulator_stack::AccumulatorStack;
pub use bona_piece::{mirrored_indices, opposite_indices};
pub use buckets::{Buckets, UnknownBuckets};
pub use error::NetworkError;
pub use features::Features;
pub use kernel::Kernel;
pub use network::Network;
pub use progress::Progress;
pub use shape::{Dense, Parameters, Sfnn, Shape, Shards};
