//! Kernels for x86-64. Each module is what its instruction set makes of [`plain`](super::plain), with two steps of its own.
//!
//! A product of an input (0 to 127) and a weight (-128 to 127) has 15 bits, so two of them fit where `maddubs` adds them up, and
//! saturation never occurs there. Where numbers are packed it is what cuts them off at 127.

use super::plain::{self, Clipped};
use crate::eval::nnue::network::{ByteLine, INPUTS, Line, Network, OUTPUTS, STEP};

/// What a kernel consists of, compiled for some features.
macro_rules! kernel {
    ($($feature:literal),+) => {
        #[target_feature($(enable = $feature),+)]
        pub fn update(from: &[Line], to: &mut [Line], removed: &[&[Line]], added: &[&[Line]]) {
            plain::update(from, to, removed, added);
        }

        #[target_feature($(enable = $feature),+)]
        pub fn forward(network: &Network, halves: [&[Line]; 2], scratch: &mut [ByteLine]) -> i32 {
            let block = |input: &[u8], weights: &[i8], bias: &[i32; OUTPUTS]| block(input, weights, bias);
            plain::forward_with(network, halves, scratch, |line| clip(line), block)
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
    fn clip(line: &Line) -> Clipped {
        let [a, b, c, d]: [__m128i; 4] = bytemuck::cast(*line);
        let packed = [_mm_packs_epi16(a, b), _mm_packs_epi16(c, d)];
        bytemuck::cast(packed.map(|packed| _mm_max_epi8(packed, _mm_setzero_si128())))
    }

    #[inline]
    #[target_feature(enable = "ssse3", enable = "sse4.1")]
    fn block(input: &[u8], weights: &[i8], bias: &[i32; OUTPUTS]) -> Clipped {
        let ones = _mm_set1_epi16(1);
        let mut sums: [__m128i; OUTPUTS / LANES] = bytemuck::cast(*bias);
        for (input, weights) in input.as_chunks::<INPUTS>().0.iter().zip(weights.as_chunks::<STEP>().0) {
            let input = _mm_set1_epi32(together(input));
            for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<16>().0) {
                let pairs = _mm_maddubs_epi16(input, bytemuck::cast(*weights));
                *sum = _mm_add_epi32(*sum, _mm_madd_epi16(pairs, ones));
            }
        }
        let [a, b, c, d, e, f, g, h] = sums.map(|sum| _mm_srai_epi32::<6>(sum));
        let line = [_mm_packs_epi32(a, b), _mm_packs_epi32(c, d), _mm_packs_epi32(e, f), _mm_packs_epi32(g, h)];
        clip(&bytemuck::cast(line))
    }
}

pub(super) mod avx2 {
    use super::*;
    use std::arch::x86_64::*;

    kernel!("avx2");

    const LANES: usize = 8;

    #[inline]
    #[target_feature(enable = "avx2")]
    fn clip(line: &Line) -> Clipped {
        let [a, b]: [__m256i; 2] = bytemuck::cast(*line);
        // Packing leaves the quarters in the order 0, 2, 1, 3.
        let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(a, b));
        bytemuck::cast(_mm256_max_epi8(packed, _mm256_setzero_si256()))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn block(input: &[u8], weights: &[i8], bias: &[i32; OUTPUTS]) -> Clipped {
        let ones = _mm256_set1_epi16(1);
        let mut sums: [__m256i; OUTPUTS / LANES] = bytemuck::cast(*bias);
        for (input, weights) in input.as_chunks::<INPUTS>().0.iter().zip(weights.as_chunks::<STEP>().0) {
            let input = _mm256_set1_epi32(together(input));
            for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<32>().0) {
                let pairs = _mm256_maddubs_epi16(input, bytemuck::cast(*weights));
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
            }
        }
        let [a, b, c, d] = sums.map(|sum| _mm256_srai_epi32::<6>(sum));
        let packed = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
        // Packing twice leaves fours in the order 0, 2, 4, 6, 1, 3, 5, 7.
        let packed = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        bytemuck::cast(_mm256_max_epi8(packed, _mm256_setzero_si256()))
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
    fn clip(line: &Line) -> Clipped {
        let packed = _mm512_cvtsepi16_epi8(bytemuck::cast(*line));
        bytemuck::cast(_mm256_max_epi8(packed, _mm256_setzero_si256()))
    }

    #[inline]
    #[target_feature(enable = "avx512f", enable = "avx512bw", enable = "avx512vnni")]
    fn block(input: &[u8], weights: &[i8], bias: &[i32; OUTPUTS]) -> Clipped {
        let mut sums = [[_mm512_setzero_si512(); REGISTERS]; APART];
        sums[0] = bytemuck::cast(*bias);
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
        let packed: [__m128i; REGISTERS] = std::array::from_fn(|at| {
            let sum = _mm512_add_epi32(_mm512_add_epi32(a[at], b[at]), _mm512_add_epi32(c[at], d[at]));
            _mm512_cvtsepi32_epi8(_mm512_srai_epi32::<6>(sum))
        });
        bytemuck::cast(packed.map(|packed| _mm_max_epi8(packed, _mm_setzero_si128())))
    }
}
