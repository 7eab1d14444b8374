//! Layer stacks.

use super::layer::Layer;
use super::shape::{Dense, Sfnn, Shape};
use std::borrow::Cow;

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
