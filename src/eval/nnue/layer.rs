//! A small layer laid out for the kernels.

use super::lines::ByteLine;
use super::shape::{Dense, GROUP};
use bytemuck::Zeroable;

/// Sums of a block of outputs are computed in so many lanes of 32 bits, or in half of them.
pub(super) const LANES: usize = 32;

/// How the outputs of a layer are computed together. A layer of few outputs has a block of its own
/// size, for most of a wide one would be computed in vain.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// 8 outputs of two lanes each, which are added up at the end; 8 inputs at a time.
    Eight,
    /// 16 outputs, 4 inputs at a time.
    Sixteen,
    /// As many blocks of 32 outputs as it takes, 4 inputs at a time.
    ThirtyTwo,
}

impl Block {
    /// The smallest that takes so many outputs.
    fn of(outputs: usize) -> Self {
        match outputs {
            0..=8 => Self::Eight,
            9..=16 => Self::Sixteen,
            _ => Self::ThirtyTwo,
        }
    }

    pub const fn outputs(self) -> usize {
        match self {
            Self::Eight => 8,
            Self::Sixteen => 16,
            Self::ThirtyTwo => LANES,
        }
    }

    /// Inputs that a step takes.
    const fn inputs(self) -> usize {
        if matches!(self, Self::Eight) { 8 } else { 4 }
    }

    const fn lanes(self) -> usize {
        self.outputs() * self.inputs() / 4
    }

    /// What the number of inputs is a multiple of: kernels take some steps together.
    const fn group(self) -> usize {
        if matches!(self, Self::Eight) { 2 * GROUP } else { GROUP }
    }
}

/// A layer: for each block of outputs all inputs step by step, and in each step for each output its
/// weights.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layer {
    pub block: Block,
    /// By lane: where an output has two, the second begins with 0.
    bias: Vec<i32>,
    weights: Vec<ByteLine>,
    /// With those that fill the last group and have weights of 0.
    pub inputs: usize,
}

impl Layer {
    /// The layer whose weights are those of `dense`, by rows of `inputs`. An input comes from the
    /// place that `place` tells, below `places`.
    pub fn new(dense: &Dense, inputs: usize, places: usize, place: impl Fn(usize) -> usize) -> Self {
        let block = Block::of(dense.bias.len());
        let (outputs, together) = (block.outputs(), block.inputs());
        let blocks = dense.bias.len().div_ceil(outputs);
        let padded = places.next_multiple_of(block.group());
        let mut bias = vec![0; blocks * block.lanes()];
        bias.iter_mut().step_by(together / 4).zip(&dense.bias).for_each(|(lane, bias)| *lane = *bias);
        let mut weights = vec![ByteLine::zeroed(); blocks * outputs * padded / size_of::<ByteLine>()];
        let bytes: &mut [i8] = bytemuck::cast_slice_mut(&mut weights);
        for (output, row) in dense.weights.chunks_exact(inputs).enumerate() {
            let start = output / outputs * outputs * padded + output % outputs * together;
            for (input, &weight) in row.iter().enumerate() {
                let place = place(input);
                bytes[start + place / together * outputs * together + place % together] = weight;
            }
        }
        Self { block, bias, weights, inputs: padded }
    }

    /// Biases and weights of each block, where `N` is its number of lanes.
    #[inline(always)]
    pub fn blocks<const N: usize>(&self) -> impl Iterator<Item = (&[i32; N], &[i8])> {
        debug_assert_eq!(N, self.block.lanes());
        let weights: &[i8] = bytemuck::cast_slice(&self.weights);
        let size = self.inputs * self.block.outputs();
        self.bias.as_chunks().0.iter().zip(weights.chunks_exact(size))
    }
}
