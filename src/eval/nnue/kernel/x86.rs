//! Kernels for x86-64. Each module compiles [`plain`](super::plain) for its instruction set, with
//! some steps as intrinsics.
//!
//! The product of an input (0 to 127) and a weight (-128 to 127) has 15 bits, so the sum of two in
//! `maddubs` never saturates. Saturating packs clamp at 127.
//!
//! Innermost loops are plain: adaptors of iterators are not inlined across codegen units.

use super::plain::{self, Change, Clipped, HALF, Sums};
use crate::eval::nnue::layer::{Block, ByteCacheLine, CacheLine, LANES, Layer, LayerStack};

/// Inputs as one integer in memory order; four inputs are the lower half.
#[inline(always)]
fn broadcast_bits<const INPUTS: usize>(inputs: &[u8; INPUTS]) -> i64 {
    match INPUTS {
        8 => bytemuck::pod_read_unaligned(inputs),
        _ => bytemuck::pod_read_unaligned::<i32>(inputs).into(),
    }
}

pub(super) mod sse41 {
    use super::*;
    use std::arch::x86_64::*;

    kernel!("ssse3", "sse4.1");

    /// Lanes of a register.
    const REGISTER: usize = 4;

    #[inline]
    #[target_feature(enable = "ssse3", enable = "sse4.1")]
    fn clipped_relu(line: &CacheLine) -> Clipped {
        let [a, b, c, d]: [__m128i; 4] = bytemuck::cast(*line);
        let packed = [_mm_packs_epi16(a, b), _mm_packs_epi16(c, d)];
        bytemuck::cast(packed.map(|packed| _mm_max_epi8(packed, _mm_setzero_si128())))
    }

    #[inline]
    #[target_feature(enable = "ssse3", enable = "sse4.1")]
    fn pack(sums: &Sums) -> Clipped {
        let sums: [__m128i; LANES / REGISTER] = bytemuck::cast(*sums);
        let [a, b, c, d, e, f, g, h] = sums.map(|sum| _mm_srai_epi32::<6>(sum));
        let line = [_mm_packs_epi32(a, b), _mm_packs_epi32(c, d), _mm_packs_epi32(e, f), _mm_packs_epi32(g, h)];
        clipped_relu(&bytemuck::cast(line))
    }

    #[inline]
    #[target_feature(enable = "ssse3", enable = "sse4.1")]
    fn dot<const N: usize, const REGISTERS: usize, const INPUTS: usize>(
        input: &[u8],
        weights: &[i8],
        bias: &[i32; N],
    ) -> [i32; N] {
        let ones = _mm_set1_epi16(1);
        let mut sums: [__m128i; REGISTERS] = bytemuck::cast(*bias);
        let weights = weights.as_chunks::<16>().0.as_chunks::<REGISTERS>().0;
        for (at, input) in input.as_chunks::<INPUTS>().0.iter().enumerate() {
            let weights = &weights[at];
            let input = broadcast_bits(input);
            let input = if INPUTS == 8 { _mm_set1_epi64x(input) } else { _mm_set1_epi32(input as i32) };
            for (register, weights) in weights.iter().enumerate() {
                let pairs = _mm_maddubs_epi16(input, bytemuck::cast(*weights));
                sums[register] = _mm_add_epi32(sums[register], _mm_madd_epi16(pairs, ones));
            }
        }
        bytemuck::cast(sums)
    }
}

pub(super) mod avx2 {
    use super::*;
    use std::arch::x86_64::*;

    kernel!("avx2");

    /// Lanes of a register.
    const REGISTER: usize = 8;

    #[inline]
    #[target_feature(enable = "avx2")]
    fn clipped_relu(line: &CacheLine) -> Clipped {
        let [a, b]: [__m256i; 2] = bytemuck::cast(*line);
        // The pack leaves 64-bit quarters in the order 0, 2, 1, 3.
        let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(a, b));
        bytemuck::cast(_mm256_max_epi8(packed, _mm256_setzero_si256()))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn pack(sums: &Sums) -> Clipped {
        let sums: [__m256i; LANES / REGISTER] = bytemuck::cast(*sums);
        let [a, b, c, d] = sums.map(|sum| _mm256_srai_epi32::<6>(sum));
        let packed = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
        // Two packs leave 32-bit groups in the order 0, 2, 4, 6, 1, 3, 5, 7.
        let packed = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        bytemuck::cast(_mm256_max_epi8(packed, _mm256_setzero_si256()))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn dot<const N: usize, const REGISTERS: usize, const INPUTS: usize>(
        input: &[u8],
        weights: &[i8],
        bias: &[i32; N],
    ) -> [i32; N] {
        let ones = _mm256_set1_epi16(1);
        let mut sums: [__m256i; REGISTERS] = bytemuck::cast(*bias);
        let weights = weights.as_chunks::<32>().0.as_chunks::<REGISTERS>().0;
        for (at, input) in input.as_chunks::<INPUTS>().0.iter().enumerate() {
            let weights = &weights[at];
            let input = broadcast_bits(input);
            let input = if INPUTS == 8 { _mm256_set1_epi64x(input) } else { _mm256_set1_epi32(input as i32) };
            for (register, weights) in weights.iter().enumerate() {
                let pairs = _mm256_maddubs_epi16(input, bytemuck::cast(*weights));
                sums[register] = _mm256_add_epi32(sums[register], _mm256_madd_epi16(pairs, ones));
            }
        }
        bytemuck::cast(sums)
    }
}

pub(super) mod avx512 {
    use super::*;
    use std::arch::x86_64::*;

    kernel!("avx512f", "avx512bw", "avx512vnni");

    /// Lanes of a register.
    const REGISTER: usize = 16;
    /// Independent chains of sums, to hide the latency.
    const CHAINS: usize = 8;

    #[inline]
    #[target_feature(enable = "avx512f", enable = "avx512bw", enable = "avx512vnni")]
    fn clipped_relu(line: &CacheLine) -> Clipped {
        let packed = _mm512_cvtsepi16_epi8(bytemuck::cast(*line));
        bytemuck::cast(_mm256_max_epi8(packed, _mm256_setzero_si256()))
    }

    #[inline]
    #[target_feature(enable = "avx512f", enable = "avx512bw", enable = "avx512vnni")]
    fn pack(sums: &Sums) -> Clipped {
        let [a, b]: [__m512i; LANES / REGISTER] = bytemuck::cast(*sums);
        let a = _mm512_cvtsepi32_epi8(_mm512_srai_epi32::<6>(a));
        let b = _mm512_cvtsepi32_epi8(_mm512_srai_epi32::<6>(b));
        bytemuck::cast([_mm_max_epi8(a, _mm_setzero_si128()), _mm_max_epi8(b, _mm_setzero_si128())])
    }

    #[inline]
    #[target_feature(enable = "avx512f", enable = "avx512bw", enable = "avx512vnni")]
    fn dot<const N: usize, const REGISTERS: usize, const INPUTS: usize>(
        input: &[u8],
        weights: &[i8],
        bias: &[i32; N],
    ) -> [i32; N] {
        let mut sums = [_mm512_setzero_si512(); CHAINS];
        sums.as_chunks_mut::<REGISTERS>().0[0] = bytemuck::cast(*bias);
        let steps = CHAINS / REGISTERS;
        let weights = weights.as_chunks::<64>().0.as_chunks::<CHAINS>().0;
        let inputs = &input.as_chunks::<INPUTS>().0[..weights.len() * steps];
        for (block, weights) in weights.iter().enumerate() {
            for (chain, weights) in weights.iter().enumerate() {
                let input = broadcast_bits(&inputs[block * steps + chain / REGISTERS]);
                let input = if INPUTS == 8 { _mm512_set1_epi64(input) } else { _mm512_set1_epi32(input as i32) };
                sums[chain] = _mm512_dpbusd_epi32(sums[chain], input, bytemuck::cast(*weights));
            }
        }
        for chain in REGISTERS..CHAINS {
            sums[chain % REGISTERS] = _mm512_add_epi32(sums[chain % REGISTERS], sums[chain]);
        }
        bytemuck::cast(sums.as_chunks::<REGISTERS>().0[0])
    }
}
