//! The kernel for 64-bit ARM.

use super::plain;
use crate::eval::nnue::network::{ByteLine, INPUTS, Line, Network, OUTPUTS, STEP};
use std::arch::aarch64::*;

/// See [`Kernel::sum`](super::Kernel::sum).
#[target_feature(enable = "neon")]
pub(super) fn sum(bias: &[Line], columns: &[&[Line]], to: &mut [Line]) {
    plain::sum(bias, columns, to);
}

/// See [`Kernel::shift`](super::Kernel::shift).
#[target_feature(enable = "neon")]
pub(super) fn shift(from: Option<&[Line]>, to: &mut [Line], removed: &[Line], added: &[Line]) {
    plain::shift(from, to, removed, added);
}

/// See [`Kernel::forward`](super::Kernel::forward).
#[target_feature(enable = "neon")]
pub(super) fn forward(network: &Network, halves: [&[Line]; 2], scratch: &mut [ByteLine]) -> i32 {
    plain::forward_with(network, halves, scratch, |input, weights| products(input, weights))
}

const LANES: usize = 4;

/// Inputs are at most 127, and so are bytes with a sign, too; the sum of two products has 16 bits.
#[inline]
#[target_feature(enable = "neon")]
fn products(input: &[u8], weights: &[i8]) -> plain::Block {
    let mut sums = [vdupq_n_s32(0); OUTPUTS / LANES];
    for (input, weights) in input.as_chunks::<INPUTS>().0.iter().zip(weights.as_chunks::<STEP>().0) {
        let input = vreinterpret_s8_s32(vdup_n_s32(i32::from_ne_bytes(*input)));
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<16>().0) {
            let (low, high) = weights.split_at(8);
            // SAFETY: both halves have the eight bytes that are read.
            let (low, high) = unsafe { (vld1_s8(low.as_ptr()), vld1_s8(high.as_ptr())) };
            let pairs = vpaddq_s16(vmull_s8(low, input), vmull_s8(high, input));
            *sum = vpadalq_s16(*sum, pairs);
        }
    }
    let mut block = [0; OUTPUTS];
    for (sum, block) in sums.into_iter().zip(block.as_chunks_mut::<LANES>().0) {
        // SAFETY: the part has the four numbers that are written.
        unsafe { vst1q_s32(block.as_mut_ptr(), sum) };
    }
    block
}
