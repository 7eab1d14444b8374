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
    /// A folder or a device.
    #[error("this is not a file")]
    NotAFile,
    /// Not a network, or cut off in the header.
    #[error("it does not begin as a network, with version {VERSION:x}")]
    NotANetwork,
    /// An unsupported architecture.
    #[error("it is another kind of network: {0}; known are {known} with two hidden layers, such as {half}, or layer stacks, such as {stacks}", known = known(), half = Shape::HALF_KP.short_name(), stacks = Shape::SFNN_1536.short_name())]
    Unknown(String),
    /// The length does not match the architecture.
    #[error("it has {found} bytes, where a network {shape} has {wanted}")]
    Length {
        /// Actual length.
        found: u64,
        /// Expected length.
        wanted: u64,
        /// The architecture.
        shape: Shape,
    },
    /// The compressed feature transformer has a wrong number of values.
    #[error("its first layer is not a whole one, packed as LEB128 numbers of 16 bits")]
    Packed,
    /// Out of memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// Supported features, by name.
fn known() -> String {
    Features::ALL.map(Features::short_name).join(", ")
}
