//! The kernel for WebAssembly SIMD, selected at build time.

use super::plain::{self, Change, Clipped, HALF, Sums};
use crate::eval::nnue::layer::{Block, ByteCacheLine, CacheLine, LANES, Layer, LayerStack};
use std::arch::wasm32::*;

kernel!();

/// Lanes of a register.
const REGISTER: usize = 4;
/// Bytes of a register.
const BYTES: usize = 16;

#[inline(always)]
fn load<T: bytemuck::Pod>(numbers: &[T]) -> v128 {
    let bytes: &[u8; BYTES] = bytemuck::cast_slice(numbers).as_array().expect("a register full");
    // SAFETY: all bytes that are read are there.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Clamps sixteen numbers to [0, 127]: narrowing clamps the upper end.
#[inline(always)]
fn clip_sixteen(low: v128, high: v128, clipped: &mut [u8; BYTES]) {
    let clip = i8x16_max(i8x16_narrow_i16x8(low, high), i8x16_splat(0));
    // SAFETY: there is room for all bytes that are written.
    unsafe { v128_store(clipped.as_mut_ptr().cast(), clip) };
}

#[inline(always)]
fn clipped_relu(line: &CacheLine) -> Clipped {
    let mut clipped = [0; LANES];
    for (numbers, clipped) in line.0.as_chunks::<BYTES>().0.iter().zip(clipped.as_chunks_mut().0) {
        let (low, high) = numbers.split_at(BYTES / 2);
        clip_sixteen(load(low), load(high), clipped);
    }
    clipped
}

#[inline(always)]
fn pack(sums: &Sums) -> Clipped {
    let mut clipped = [0; LANES];
    for (sums, clipped) in sums.as_chunks::<BYTES>().0.iter().zip(clipped.as_chunks_mut().0) {
        let part = |at: usize| i32x4_shr(load(&sums[at * REGISTER..][..REGISTER]), 6);
        clip_sixteen(i16x8_narrow_i32x4(part(0), part(1)), i16x8_narrow_i32x4(part(2), part(3)), clipped);
    }
    clipped
}

/// The bytes at even and odd indices, sign-extended to 16 bits: the multiply-add sums adjacent
/// products.
#[inline(always)]
fn apart(bytes: v128) -> [v128; 2] {
    [i16x8_shr(i16x8_shl(bytes, 8), 8), i16x8_shr(bytes, 8)]
}

#[inline(always)]
fn dot<const N: usize, const REGISTERS: usize, const INPUTS: usize>(
    input: &[u8],
    weights: &[i8],
    bias: &[i32; N],
) -> [i32; N] {
    let mut sums: [v128; REGISTERS] = std::array::from_fn(|at| load(&bias[at * REGISTER..][..REGISTER]));
    let steps = weights.as_chunks::<BYTES>().0.chunks_exact(REGISTERS);
    for (input, weights) in input.as_chunks::<INPUTS>().0.iter().zip(steps) {
        let bytes: [u8; 8] = std::array::from_fn(|at| input[at % INPUTS]);
        let [even, odd] = apart(i64x2_splat(i64::from_le_bytes(bytes)));
        for (sum, weights) in sums.iter_mut().zip(weights) {
            let [even_weights, odd_weights] = apart(load(weights));
            let pairs = i32x4_add(i32x4_dot_i16x8(even_weights, even), i32x4_dot_i16x8(odd_weights, odd));
            *sum = i32x4_add(*sum, pairs);
        }
    }
    let mut lanes = [0; N];
    for (sum, lanes) in sums.iter().zip(lanes.as_chunks_mut::<REGISTER>().0) {
        // SAFETY: there is room for the four numbers that are written.
        unsafe { v128_store(lanes.as_mut_ptr().cast(), *sum) };
    }
    lanes
}
