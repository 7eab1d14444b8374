//! Why a network cannot be read.

use super::features::Features;
use super::shape::Shape;
use crate::util::MemoryError;
use std::io;

/// Version field of files.
pub(super) const VERSION: u32 = 0x7AF3_2F16;

/// Why a network cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not a network, or cut off in the header.
    #[error("not a network: it does not begin with version {VERSION:x}")]
    NotANetwork,
    /// An unsupported architecture.
    #[error("unsupported network: {0}; supported: {supported} with two hidden layers, such as {half}, or layer stacks, such as {stacks}", supported = supported(), half = Shape::HALF_KP.short_name(), stacks = Shape::SFNN_1536.short_name())]
    Unknown(String),
    /// The length does not match the architecture.
    #[error("it has {found} bytes instead of {wanted} for a network {shape}")]
    Length {
        /// Actual length.
        found: u64,
        /// Expected length.
        wanted: u64,
        /// The architecture.
        shape: Shape,
    },
    /// The compressed feature transformer has a wrong number of values.
    #[error("the feature transformer is not a complete LEB128 block of 16-bit values")]
    Packed,
    /// Out of memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// Supported features, by name.
fn supported() -> String {
    Features::ALL.map(Features::short_name).join(", ")
}
