//! The kernel for 64-bit ARM.

use super::plain::{self, Change, Clipped, HALF, Sums};
use crate::eval::nnue::layer::{Block, ByteCacheLine, CacheLine, LANES, Layer, LayerStack};
use std::arch::aarch64::*;

kernel!("neon");

/// Lanes of a register.
const REGISTER: usize = 4;

/// Clamps eight numbers to [0, 127]: narrowing clamps to 0 to 255.
#[inline]
#[target_feature(enable = "neon")]
fn clip_eight(numbers: int16x8_t, clipped: &mut [u8; 8]) {
    let clip = vmin_u8(vqmovun_s16(numbers), vdup_n_u8(127));
    // SAFETY: the part has the eight bytes that are written.
    unsafe { vst1_u8(clipped.as_mut_ptr(), clip) };
}

#[inline]
#[target_feature(enable = "neon")]
fn clipped_relu(line: &CacheLine) -> Clipped {
    let mut clipped = [0; LANES];
    for (numbers, clipped) in line.0.as_chunks::<8>().0.iter().zip(clipped.as_chunks_mut().0) {
        // SAFETY: the part has the eight numbers that are read.
        clip_eight(unsafe { vld1q_s16(numbers.as_ptr()) }, clipped);
    }
    clipped
}

#[inline]
#[target_feature(enable = "neon")]
fn pack(sums: &Sums) -> Clipped {
    let mut clipped = [0; LANES];
    for (sums, clipped) in sums.as_chunks::<8>().0.iter().zip(clipped.as_chunks_mut().0) {
        let (low, high) = sums.split_at(REGISTER);
        // SAFETY: both parts have the four numbers that are read.
        let [low, high] = unsafe { [vld1q_s32(low.as_ptr()), vld1q_s32(high.as_ptr())] };
        let [low, high] = [low, high].map(|sum| vqmovn_s32(vshrq_n_s32::<6>(sum)));
        clip_eight(vcombine_s16(low, high), clipped);
    }
    clipped
}

/// Inputs are at most 127, so they fit signed bytes; the sum of two products fits 16 bits.
#[inline]
#[target_feature(enable = "neon")]
fn dot<const N: usize, const REGISTERS: usize, const INPUTS: usize>(
    input: &[u8],
    weights: &[i8],
    bias: &[i32; N],
) -> [i32; N] {
    let mut sums = [vdupq_n_s32(0); REGISTERS];
    for (sum, bias) in sums.iter_mut().zip(bias.as_chunks::<REGISTER>().0) {
        // SAFETY: the part has the four numbers that are read.
        *sum = unsafe { vld1q_s32(bias.as_ptr()) };
    }
    let steps = weights.as_chunks::<16>().0.chunks_exact(REGISTERS);
    for (input, weights) in input.as_chunks::<INPUTS>().0.iter().zip(steps) {
        // Four inputs fill the register twice.
        let bytes: [u8; 8] = std::array::from_fn(|at| input[at % INPUTS]);
        let input = vcreate_s8(u64::from_le_bytes(bytes));
        for (sum, weights) in sums.iter_mut().zip(weights) {
            let (low, high) = weights.split_at(8);
            // SAFETY: both halves have the eight bytes that are read.
            let (low, high) = unsafe { (vld1_s8(low.as_ptr()), vld1_s8(high.as_ptr())) };
            let pairs = vpaddq_s16(vmull_s8(low, input), vmull_s8(high, input));
            *sum = vpadalq_s16(*sum, pairs);
        }
    }
    let mut lanes = [0; N];
    for (sum, lanes) in sums.iter().zip(lanes.as_chunks_mut::<REGISTER>().0) {
        // SAFETY: the part has the four numbers that are written.
        unsafe { vst1q_s32(lanes.as_mut_ptr(), *sum) };
    }
    lanes
}
