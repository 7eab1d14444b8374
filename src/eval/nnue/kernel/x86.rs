//! Kernels for x86-64. Each module is what its instruction set makes of [`plain`](super::plain), with products of its own.
//!
//! A product of an input (0 to 127) and a weight (-128 to 127) has 15 bits, so two of them fit where `maddubs` adds them up, and
//! saturation never occurs.

use super::plain;
use crate::eval::nnue::network::{ByteLine, INPUTS, Line, Network, OUTPUTS, STEP};

/// What a kernel consists of, compiled for some features.
macro_rules! kernel {
    ($($feature:literal),+) => {
        #[target_feature($(enable = $feature),+)]
        pub fn sum(bias: &[Line], columns: &[&[Line]], to: &mut [Line]) {
            plain::sum(bias, columns, to);
        }

        #[target_feature($(enable = $feature),+)]
        pub fn shift(from: Option<&[Line]>, to: &mut [Line], removed: &[Line], added: &[Line]) {
            plain::shift(from, to, removed, added);
        }

        #[target_feature($(enable = $feature),+)]
        pub fn forward(network: &Network, halves: [&[Line]; 2], scratch: &mut [ByteLine]) -> i32 {
            plain::forward_with(network, halves, scratch, |input, weights| products(input, weights))
        }
    };
}

/// Four inputs as one number, as they lie in memory.
#[inline(always)]
fn together(inputs: &[u8; INPUTS]) -> i32 {
    i32::from_ne_bytes(*inputs)
}

pub(super) mod sse41 {
    use super::*;
    use std::arch::x86_64::*;

    kernel!("ssse3", "sse4.1");

    const LANES: usize = 4;

    #[inline]
    #[target_feature(enable = "ssse3", enable = "sse4.1")]
    fn products(input: &[u8], weights: &[i8]) -> plain::Block {
        let ones = _mm_set1_epi16(1);
        let mut sums = [_mm_setzero_si128(); OUTPUTS / LANES];
        for (input, weights) in input.as_chunks::<INPUTS>().0.iter().zip(weights.as_chunks::<STEP>().0) {
            let input = _mm_set1_epi32(together(input));
            for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<16>().0) {
                let pairs = _mm_maddubs_epi16(input, bytemuck::cast(*weights));
                *sum = _mm_add_epi32(*sum, _mm_madd_epi16(pairs, ones));
            }
        }
        bytemuck::cast(sums)
    }
}

pub(super) mod avx2 {
    use super::*;
    use std::arch::x86_64::*;

    kernel!("avx2");

    const LANES: usize = 8;

    #[inline]
    #[target_feature(enable = "avx2")]
    fn products(input: &[u8], weights: &[i8]) -> plain::Block {
        let ones = _mm256_set1_epi16(1);
        let mut sums = [_mm256_setzero_si256(); OUTPUTS / LANES];
        for (input, weights) in input.as_chunks::<INPUTS>().0.iter().zip(weights.as_chunks::<STEP>().0) {
            let input = _mm256_set1_epi32(together(input));
            for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<32>().0) {
                let pairs = _mm256_maddubs_epi16(input, bytemuck::cast(*weights));
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
            }
        }
        bytemuck::cast(sums)
    }
}

pub(super) mod avx512 {
    use super::*;
    use std::arch::x86_64::*;

    kernel!("avx512f", "avx512bw", "avx512vnni");

    const LANES: usize = 16;
    const REGISTERS: usize = OUTPUTS / LANES;
    /// Sums that are kept apart until the end, so that no product waits for the one before.
    const APART: usize = 4;

    #[inline]
    #[target_feature(enable = "avx512f", enable = "avx512bw", enable = "avx512vnni")]
    fn products(input: &[u8], weights: &[i8]) -> plain::Block {
        let mut sums = [[_mm512_setzero_si512(); REGISTERS]; APART];
        let inputs = input.as_chunks::<{ INPUTS * APART }>().0;
        for (inputs, weights) in inputs.iter().zip(weights.as_chunks::<{ STEP * APART }>().0) {
            let steps = inputs.as_chunks::<INPUTS>().0.iter().zip(weights.as_chunks::<STEP>().0);
            for (sums, (input, weights)) in sums.iter_mut().zip(steps) {
                let input = _mm512_set1_epi32(together(input));
                for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<64>().0) {
                    *sum = _mm512_dpbusd_epi32(*sum, input, bytemuck::cast(*weights));
                }
            }
        }
        let [a, b, c, d] = sums;
        let mut total = a;
        for (register, total) in total.iter_mut().enumerate() {
            let others = _mm512_add_epi32(c[register], d[register]);
            *total = _mm512_add_epi32(_mm512_add_epi32(*total, b[register]), others);
        }
        bytemuck::cast(total)
    }
}
