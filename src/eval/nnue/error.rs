//! Why a network cannot be read.

use super::features::Features;
use super::shape::Shape;
use crate::machine::MemoryError;
use std::io;

/// Version field of files.
pub(super) const VERSION: u32 = 0x7AF3_2F16;

/// Why a network cannot be read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum NetworkError {
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not a network, or cut off in the header.
    #[error("not a network: it does not begin with version {VERSION:x}")]
    NotANetwork,
    #[error("unsupported network: {0}; supported: {supported} with two hidden layers, such as {half}, or layer stacks, such as {stacks}", supported = supported(), half = Shape::HALF_KP.short_name(), stacks = Shape::SFNN_1536.short_name())]
    Unknown(String),
    #[error("it has {found} bytes instead of {wanted} for a network {shape}")]
    Length { found: u64, wanted: u64, shape: Shape },
    #[error("the compressed feature transformer is incomplete or damaged")]
    Packed,
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// Supported features, by name.
fn supported() -> String {
    Features::ALL.map(Features::short_name).join(", ")
}
