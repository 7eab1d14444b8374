//! The kernel for 64-bit ARM.

use super::plain::{self, Clipped};
use crate::eval::nnue::network::{ByteLine, INPUTS, Line, Network, OUTPUTS, STEP};
use std::arch::aarch64::*;

/// See [`Kernel::update`](super::Kernel::update).
#[target_feature(enable = "neon")]
pub(super) fn update(from: &[Line], to: &mut [Line], removed: &[&[Line]], added: &[&[Line]]) {
    plain::update(from, to, removed, added);
}

/// See [`Kernel::forward`](super::Kernel::forward).
#[target_feature(enable = "neon")]
pub(super) fn forward(network: &Network, halves: [&[Line]; 2], scratch: &mut [ByteLine]) -> i32 {
    let block = |input: &[u8], weights: &[i8], bias: &[i32; OUTPUTS]| block(input, weights, bias);
    plain::forward_with(network, halves, scratch, |line| clip(line), block)
}

const LANES: usize = 4;

/// Eight numbers cut off at 0 and 127: narrowing does the first, and 255 is more than the second.
#[inline]
#[target_feature(enable = "neon")]
fn clip_eight(numbers: int16x8_t, clipped: &mut [u8; 8]) {
    let clip = vmin_u8(vqmovun_s16(numbers), vdup_n_u8(127));
    // SAFETY: the part has the eight bytes that are written.
    unsafe { vst1_u8(clipped.as_mut_ptr(), clip) };
}

#[inline]
#[target_feature(enable = "neon")]
fn clip(line: &Line) -> Clipped {
    let mut clipped = [0; OUTPUTS];
    for (numbers, clipped) in line.0.as_chunks::<8>().0.iter().zip(clipped.as_chunks_mut().0) {
        // SAFETY: the part has the eight numbers that are read.
        clip_eight(unsafe { vld1q_s16(numbers.as_ptr()) }, clipped);
    }
    clipped
}

/// Inputs are at most 127, and so are bytes with a sign, too; the sum of two products has 16 bits.
#[inline]
#[target_feature(enable = "neon")]
fn block(input: &[u8], weights: &[i8], bias: &[i32; OUTPUTS]) -> Clipped {
    let mut sums = [vdupq_n_s32(0); OUTPUTS / LANES];
    for (sum, bias) in sums.iter_mut().zip(bias.as_chunks::<LANES>().0) {
        // SAFETY: the part has the four numbers that are read.
        *sum = unsafe { vld1q_s32(bias.as_ptr()) };
    }
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
    let mut clipped = [0; OUTPUTS];
    for (sums, clipped) in sums.as_chunks::<2>().0.iter().zip(clipped.as_chunks_mut().0) {
        let [low, high] = sums.map(|sum| vqmovn_s32(vshrq_n_s32::<6>(sum)));
        clip_eight(vcombine_s16(low, high), clipped);
    }
    clipped
}
