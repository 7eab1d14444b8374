//! Why a network cannot be read.

use super::features::Features;
use super::shape::Shape;
use crate::util::MemoryError;
use std::io;

/// The version that files begin with.
pub(super) const VERSION: u32 = 0x7AF3_2F16;

/// Why a network cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is a folder or a device.
    #[error("this is not a file")]
    NotAFile,
    /// It is something else, or cut within the first bytes.
    #[error("it does not begin as a network, with version {VERSION:x}")]
    NotANetwork,
    /// It is a network of another kind.
    #[error("it is another kind of network: {0}; known are {known} with two hidden layers, such as {half}, or layer stacks, such as {stacks}", known = known(), half = Shape::HALF_KP.short_name(), stacks = Shape::SFNN_1536.short_name())]
    Unknown(String),
    /// It has not the length that its shape asks for.
    #[error("it has {found} bytes, where a network {shape} has {wanted}")]
    Length {
        /// Its length.
        found: u64,
        /// What it should be.
        wanted: u64,
        /// Of this shape.
        shape: Shape,
    },
    /// Its first layer, which is packed, has other numbers than it should.
    #[error("its first layer is not a whole one, packed as LEB128 numbers of 16 bits")]
    Packed,
    /// There is not enough memory for it.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// The features that are known, by name.
fn known() -> String {
    Features::ALL.map(Features::short_name).join(", ")
}
