//! Small layers in kernel layout.

use super::cache_line::ByteCacheLine;
use super::shape::{Dense, GROUP};
use bytemuck::Zeroable;

/// 32-bit lanes per block of outputs; narrower blocks use half of them.
pub(super) const LANES: usize = 32;

/// Block of outputs computed together. Layers of few outputs have their own block size, so that
/// fewer lanes are wasted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// 8 outputs of two lanes each, which are added up at the end; 8 inputs at a time.
    Eight,
    /// 16 outputs, 4 inputs at a time.
    Sixteen,
    /// Blocks of 32 outputs, 4 inputs at a time.
    ThirtyTwo,
}

impl Block {
    /// The smallest block for this number of outputs.
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

    /// Inputs per step.
    const fn inputs(self) -> usize {
        if matches!(self, Self::Eight) { 8 } else { 4 }
    }

    const fn lanes(self) -> usize {
        self.outputs() * self.inputs() / 4
    }

    /// The number of inputs is padded to a multiple of this: kernels combine steps.
    const fn group(self) -> usize {
        if matches!(self, Self::Eight) { 2 * GROUP } else { GROUP }
    }
}

/// Weights by block, step (inputs) and output.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layer {
    pub block: Block,
    /// By lane; the second lane of an output starts at 0.
    bias: Vec<i32>,
    weights: Vec<ByteCacheLine>,
    /// Padded number of inputs; padding has zero weights.
    pub inputs: usize,
}

impl Layer {
    /// The layer with the weights of `dense`, in rows of `inputs`. Input `i` is read from
    /// `index_map(i) < places`.
    pub fn new(dense: &Dense, inputs: usize, places: usize, index_map: impl Fn(usize) -> usize) -> Self {
        let block = Block::of(dense.bias.len());
        let (outputs, together) = (block.outputs(), block.inputs());
        let blocks = dense.bias.len().div_ceil(outputs);
        let padded = places.next_multiple_of(block.group());
        let mut bias = vec![0; blocks * block.lanes()];
        bias.iter_mut().step_by(together / 4).zip(&dense.bias).for_each(|(lane, bias)| *lane = *bias);
        let mut weights = vec![ByteCacheLine::zeroed(); blocks * outputs * padded / size_of::<ByteCacheLine>()];
        let bytes: &mut [i8] = bytemuck::cast_slice_mut(&mut weights);
        for (output, row) in dense.weights.chunks_exact(inputs).enumerate() {
            let start = output / outputs * outputs * padded + output % outputs * together;
            for (input, &weight) in row.iter().enumerate() {
                let place = index_map(input);
                bytes[start + place / together * outputs * together + place % together] = weight;
            }
        }
        Self { block, bias, weights, inputs: padded }
    }

    /// Biases and weights of each block; `N`: number of lanes.
    #[inline(always)]
    pub fn blocks<const N: usize>(&self) -> impl Iterator<Item = (&[i32; N], &[i8])> {
        debug_assert_eq!(N, self.block.lanes());
        let weights: &[i8] = bytemuck::cast_slice(&self.weights);
        let size = self.inputs * self.block.outputs();
        self.bias.as_chunks().0.iter().zip(weights.chunks_exact(size))
    }
}
