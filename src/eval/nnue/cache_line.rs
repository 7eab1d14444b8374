//! Cache lines of weights and outputs.

use super::shape::GROUP;
use bytemuck::{Pod, Zeroable};

/// A cache line of `i16`: feature transformer weights, accumulators.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct CacheLine(pub [i16; GROUP]);

/// A cache line of bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct ByteCacheLine(pub [u8; 64]);
