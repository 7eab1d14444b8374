//! Weights and outputs by cache lines.

use super::shape::GROUP;
use bytemuck::{Pod, Zeroable};

/// Numbers of the first layer come in cache lines.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Line(pub [i16; GROUP]);

/// The same of bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct ByteLine(pub [u8; 64]);
