//! Network inference kernels by instruction set.
//!
//! All kernels give identical results. Code that the compiler vectorises is written once
//! ([`plain`]) and compiled for each instruction set; only clipping and the dot products of the
//! small layers use intrinsics.

/// The functions of a kernel, compiled for these target features, from the `clipped_relu`, `pack`
/// and `dot` of its module and the lanes of its registers.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
macro_rules! kernel {
    ($($feature:literal),*) => {
        /// See [`Kernel::update`](crate::eval::nnue::Kernel::update).
        $(#[target_feature(enable = $feature)])*
        pub fn update(from: &[CacheLine], to: &mut [CacheLine], removed: &[&[CacheLine]], added: &[&[CacheLine]]) {
            plain::update(from, to, removed, added);
        }

        /// See [`Kernel::add_sub_both`](crate::eval::nnue::Kernel).
        $(#[target_feature(enable = $feature)])*
        pub fn add_sub_both<const N: usize>(from: &[CacheLine], to: &mut [CacheLine], changes: &[Change<'_>; N]) {
            plain::add_sub_both(from, to, changes);
        }

        /// See [`Kernel::forward`](crate::eval::nnue::Kernel).
        $(#[target_feature(enable = $feature)])*
        pub fn forward(stack: &LayerStack, accumulators: [&[CacheLine]; 2], scratch: &mut [ByteCacheLine]) -> i32 {
            let sums = |layer: &Layer, at: usize, input: &[u8]| match layer.block {
                Block::ThirtyTwo => dot::<LANES, { LANES / REGISTER }, 4>(input, layer.weights(at), layer.bias(at)),
                Block::Sixteen => {
                    plain::widen(&dot::<HALF, { HALF / REGISTER }, 4>(input, layer.weights(at), layer.bias(at)))
                }
                Block::Eight => {
                    plain::add_pairs(&dot::<HALF, { HALF / REGISTER }, 8>(input, layer.weights(at), layer.bias(at)))
                }
            };
            let (clipped_relu, pack) = (|line: &CacheLine| clipped_relu(line), |sums: &Sums| pack(sums));
            plain::forward_with(stack, accumulators, scratch, clipped_relu, pack, sums)
        }
    };
}

#[cfg(target_arch = "aarch64")]
mod neon;
mod plain;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::layer::{ByteCacheLine, CacheLine, LayerStack};
use plain::Change;
use std::fmt;

/// Inference kernel. Only kernels supported by this processor can be constructed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Kernel(Instructions);

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Instructions {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Sse41,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

/// Dispatches to the kernel.
macro_rules! with {
    ($kernel:expr, $function:ident($($argument:expr),*)) => {
        match $kernel.0 {
            Instructions::Plain => plain::$function($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a kernel is only made, in `Kernel::all`, where the processor has its
            // instructions.
            Instructions::Sse41 => unsafe { x86::sse41::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Instructions::Avx2 => unsafe { x86::avx2::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Instructions::Avx512Vnni => unsafe { x86::avx512::$function($($argument),*) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: as above.
            Instructions::Neon => unsafe { neon::$function($($argument),*) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Simd128 => simd128::$function($($argument),*),
        }
    };
}

impl Kernel {
    /// All kernels of this processor, the fastest last.
    pub fn all() -> Vec<Self> {
        let kernels = [
            (true, Instructions::Plain),
            #[cfg(target_arch = "x86_64")]
            (is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("ssse3"), Instructions::Sse41),
            #[cfg(target_arch = "x86_64")]
            (is_x86_feature_detected!("avx2"), Instructions::Avx2),
            #[cfg(target_arch = "x86_64")]
            (
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vnni"),
                Instructions::Avx512Vnni,
            ),
            #[cfg(target_arch = "aarch64")]
            (std::arch::is_aarch64_feature_detected!("neon"), Instructions::Neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            (true, Instructions::Simd128),
        ];
        kernels.into_iter().filter(|(there, _)| *there).map(|(_, instructions)| Self(instructions)).collect()
    }

    /// The fastest kernel of this processor.
    pub fn best() -> Self {
        Self::all().pop().unwrap_or(Self(Instructions::Plain))
    }

    /// `to = from - removed + added`; all have the same length.
    #[inline]
    pub(super) fn update(
        self,
        from: &[CacheLine],
        to: &mut [CacheLine],
        removed: &[&[CacheLine]],
        added: &[&[CacheLine]],
    ) {
        with!(self, update(from, to, removed, added));
    }

    /// `to = from - removed + added` for both accumulators, black first.
    #[inline]
    pub(super) fn add_sub_both<const N: usize>(
        self,
        from: &[CacheLine],
        to: &mut [CacheLine],
        changes: &[Change<'_>; N],
    ) {
        with!(self, add_sub_both(from, to, changes));
    }

    /// Output of the layer stack for both accumulators, side to move first.
    #[inline]
    pub(super) fn forward(
        self,
        stack: &LayerStack,
        accumulators: [&[CacheLine]; 2],
        scratch: &mut [ByteCacheLine],
    ) -> i32 {
        with!(self, forward(stack, accumulators, scratch))
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Instructions::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Instructions::Sse41 => "SSE4.1",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Vnni => "AVX-512 VNNI",
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => "NEON",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Simd128 => "SIMD128",
        })
    }
}
