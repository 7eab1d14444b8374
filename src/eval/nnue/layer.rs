//! The dense layers of a network in kernel layout, and its cache lines. `kernel/plain.rs` computes them.

use super::shape::{Dense, GROUP, Sfnn, Shape};
use bytemuck::{Pod, Zeroable};
use std::borrow::Cow;

/// A cache line of `i16`: feature transformer weights, accumulators.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct CacheLine(pub [i16; GROUP]);

/// A cache line of bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct ByteCacheLine(pub [u8; 64]);

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

    /// Number of blocks.
    #[inline(always)]
    pub fn blocks(&self) -> usize {
        self.bias.len() / self.block.lanes()
    }

    /// Biases of a block; `N`: number of lanes.
    #[inline(always)]
    pub fn bias<const N: usize>(&self, at: usize) -> &[i32; N] {
        debug_assert_eq!(N, self.block.lanes());
        &self.bias.as_chunks().0[at]
    }

    /// Weights of a block.
    #[inline(always)]
    pub fn weights(&self, at: usize) -> &[i8] {
        let size = self.inputs * self.block.outputs();
        &bytemuck::cast_slice(&self.weights)[at * size..][..size]
    }
}

/// Cache lines of the second layer's output: 256 clipped outputs or, with their squares, twice as
/// many and a partial block.
pub(super) const SECOND: usize = 9;
/// Cache lines of the third layer's output.
pub(super) const THIRD: usize = 4;

/// The dense layers after the feature transformer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LayerStack {
    pub layers: [Layer; 2],
    /// Bias and weights of the last layer, `[1, inputs]`.
    pub last: (i32, Vec<i8>),
    /// Whether the stack takes pairwise products and passes on squares (SFNN).
    pub products: bool,
    /// Index of the shortcut output.
    pub shortcut: Option<usize>,
}

impl LayerStack {
    pub(super) fn new([first, second, last]: &[Dense; 3], shape: &Shape) -> Self {
        let [(first_inputs, outputs), (second_inputs, _), _] = shape.dense();
        let mut first = Cow::Borrowed(first);
        if let Some(Sfnn { shards: Some(shards), .. }) = shape.sfnn {
            for (output, row) in first.to_mut().weights.chunks_exact_mut(first_inputs).enumerate() {
                let each = row.iter_mut().enumerate();
                each.filter(|(input, _)| !shards.takes(output, outputs, *input)).for_each(|(_, weight)| *weight = 0);
            }
        }
        let first = Layer::new(&first, first_inputs, first_inputs, |input| input);
        let second = if shape.sfnn.is_some() {
            // Squares and clipped outputs alternate by block.
            let (block, half) = (first.block.outputs(), second_inputs / 2);
            let place = |input: usize| {
                let output = input % half;
                2 * (output - output % block) + output % block + if input < half { 0 } else { block }
            };
            Layer::new(second, second_inputs, 2 * outputs.next_multiple_of(block), place)
        } else {
            Layer::new(second, second_inputs, second_inputs, |input| input)
        };
        let shortcut = shape.has_shortcut().then_some(shape.hidden[0]);
        let last = (last.bias[0], last.weights.clone());
        Self { layers: [first, second], last, products: shape.sfnn.is_some(), shortcut }
    }
}
