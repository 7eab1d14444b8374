//! A network in inference layout.

use super::bona_piece::{BonaPiece, PIECES};
use super::cache_line::{ByteCacheLine, CacheLine};
use super::error::NetworkError;
use super::features::{self, Features, Perspective, own_king};
use super::kernel::Kernel;
use super::layer_stack::{LayerStack, SECOND, THIRD};
use super::progress::Progress;
use super::shape::{GROUP, Parameters, Shape};
use crate::eval::MAX_VALUE;
use crate::machine::{HugeSlice, MemoryError};
use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use sabi_shogi::{Color, Position, Square};
use std::path::Path;

/// A network ready for inference.
#[derive(Debug)]
pub struct Network {
    shape: Shape,
    /// Output divisor.
    scale: i32,
    kernel: Kernel,
    bias: Vec<CacheLine>,
    feature_weights: HugeSlice<CacheLine>,
    /// By square of the own king.
    perspectives: [Perspective; Square::COUNT],
    progress: Option<Progress>,
    /// One per bucket.
    stacks: Vec<LayerStack>,
}

impl Network {
    /// Default output divisor.
    pub const DEFAULT_FV_SCALE: i32 = 16;
    /// Maximum output divisor.
    pub const MAX_SCALE: i32 = 128;

    /// Lays out the parameters, for the fastest kernel.
    ///
    /// # Errors
    /// When out of memory.
    pub fn new(parameters: &Parameters) -> Result<Self, MemoryError> {
        let Parameters { shape, bias, feature_weights, progress, stacks } = parameters;
        let lines = shape.width / GROUP;
        let mut bias_lines = vec![CacheLine::zeroed(); lines];
        bytemuck::cast_slice_mut(&mut bias_lines).copy_from_slice(bias);
        let in_memory = shape.features.in_memory();
        let mut weight_lines = HugeSlice::zeroed(lines * in_memory.inputs())?;
        lay_out(shape, feature_weights, bytemuck::cast_slice_mut(&mut weight_lines));
        Ok(Self {
            shape: *shape,
            scale: Self::DEFAULT_FV_SCALE,
            kernel: Kernel::best(),
            bias: bias_lines,
            feature_weights: weight_lines,
            perspectives: std::array::from_fn(|king| in_memory.perspective_from(king)),
            progress: progress.clone(),
            stacks: stacks.iter().map(|dense| LayerStack::new(dense, shape)).collect(),
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is not a complete network of a known shape, or out of memory.
    pub fn read(path: &Path) -> Result<Self, NetworkError> {
        Ok(Self::new(&Parameters::read(path)?)?)
    }

    /// Sets the output divisor, at least 1 (option `FV_SCALE`).
    #[must_use]
    pub fn with_scale(self, scale: i32) -> Self {
        Self { scale: scale.max(1), ..self }
    }

    /// Sets the kernel. All give identical results.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { kernel, ..self }
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The output divisor.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// The kernel.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    #[inline]
    pub(super) fn features(&self) -> Features {
        self.shape.features.in_memory()
    }

    /// The perspective of `color`.
    #[inline]
    pub(super) fn perspective(&self, position: &Position, color: Color) -> Perspective {
        self.perspectives[own_king(position, color)]
    }

    /// Cache lines per accumulator.
    #[inline]
    pub(super) fn lines(&self) -> usize {
        self.bias.len()
    }

    /// Weights of a feature, `[width] i16`.
    #[inline]
    pub(super) fn feature_weights(&self, input: usize) -> &[CacheLine] {
        let lines = self.lines();
        &self.feature_weights[input * lines..][..lines]
    }

    /// The weights of a piece from both perspectives.
    #[inline(always)]
    pub(super) fn feature_weights_of_both(
        &self,
        perspectives: &[Perspective; 2],
        piece: BonaPiece,
    ) -> [&[CacheLine]; 2] {
        let [black, white] = perspectives;
        [
            self.feature_weights(black.input(piece.by(Color::Black))),
            self.feature_weights(white.input(piece.by(Color::White))),
        ]
    }

    /// Computes the accumulator of `color` from scratch.
    pub(super) fn refresh(&self, position: &Position, color: Color, accumulator: &mut [CacheLine]) {
        let mut weights = ArrayVec::<&[CacheLine], { features::MAX_ACTIVE }>::new();
        self.features().for_each_active(position, color, |input| weights.push(self.feature_weights(input)));
        self.kernel.update(&self.bias, accumulator, &[], &weights);
    }

    /// Output for both accumulators, side to move first.
    #[inline]
    pub(super) fn forward(
        &self,
        position: &Position,
        accumulators: [&[CacheLine]; 2],
        scratch: &mut [ByteCacheLine],
    ) -> i32 {
        let bucket = self.shape.buckets.bucket(position, self.progress.as_ref());
        self.kernel.forward(&self.stacks[bucket], accumulators, scratch)
    }

    /// An output in centipawns.
    #[inline]
    pub(super) fn value(&self, output: i32) -> i32 {
        centipawns(output / self.scale)
    }

    /// Buffer for the inputs of the small layers.
    pub(super) fn scratch(&self) -> Vec<ByteCacheLine> {
        vec![ByteCacheLine::zeroed(); self.lines() + SECOND + THIRD]
    }

    /// Output for a position from scratch, unscaled.
    pub fn output(&self, position: &Position) -> i32 {
        let us = position.side_to_move();
        let accumulators = [us, !us].map(|color| {
            let mut accumulator = vec![CacheLine::zeroed(); self.lines()];
            self.refresh(position, color, &mut accumulator);
            accumulator
        });
        self.forward(position, [&accumulators[0], &accumulators[1]], &mut self.scratch())
    }

    /// Output of a layer stack for these active features, side to move first.
    pub fn output_of(&self, inputs: [&[usize]; 2], stack: usize) -> i32 {
        let accumulators = inputs.map(|inputs| {
            let weights: Vec<_> = inputs.iter().map(|&input| self.feature_weights(input)).collect();
            let mut accumulator = vec![CacheLine::zeroed(); self.lines()];
            self.kernel.update(&self.bias, &mut accumulator, &[], &weights);
            accumulator
        });
        self.kernel.forward(&self.stacks[stack], [&accumulators[0], &accumulators[1]], &mut self.scratch())
    }

    /// Static eval in centipawns for the side to move, from scratch.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.value(self.output(position))
    }
}

/// Copies the feature weights of a file into the memory layout.
fn lay_out(shape: &Shape, weights: &[i16], to: &mut [i16]) {
    let Shape { features, width, .. } = *shape;
    match features {
        // Files are ordered by class and king square; in memory the weights of one king square are
        // contiguous.
        Features::HalfKpe9 => {
            let classes = features.bucket_inputs() / PIECES;
            for (part, weights) in weights.chunks_exact(PIECES * width).enumerate() {
                let (class, bucket) = (part / features.king_buckets(), part % features.king_buckets());
                to[(bucket * classes + class) * PIECES * width..][..weights.len()].copy_from_slice(weights);
            }
        }
        // A king has its own index after the pieces, and shares another with kings of either side.
        Features::Ka2 => {
            let (pieces, kings) = weights.split_at((PIECES + Square::COUNT) * width);
            let (others, either) = pieces.split_at(PIECES * width);
            let (to_others, to_kings) = to.split_at_mut(others.len());
            to_others.copy_from_slice(others);
            for (to, (king, either)) in to_kings.iter_mut().zip(kings.iter().zip(either.iter().cycle())) {
                *to = king.wrapping_add(*either);
            }
        }
        _ => to.copy_from_slice(weights),
    }
}

/// Equal if all parameters are; the kernel does not count.
impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape
            && self.scale == other.scale
            && self.bias == other.bias
            && self.feature_weights[..] == other.feature_weights[..]
            && self.progress == other.progress
            && self.stacks == other.stacks
    }
}

/// Networks count 90 for a pawn.
#[inline]
fn centipawns(value: i32) -> i32 {
    // The format's value range; avoids overflow.
    (value.clamp(-31_753, 31_753) * 100 / 90).clamp(-MAX_VALUE, MAX_VALUE)
}
