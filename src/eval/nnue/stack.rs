//! The layers behind the first.

use super::layer::Layer;
use super::shape::{Dense, Sfnn, Shape};
use std::borrow::Cow;

/// What the second layer hands on, in lines of bytes: 256 clipped outputs or, with their squares,
/// twice as many and a block that is not full.
pub(super) const SECOND: usize = 9;
/// The same of the third layer.
pub(super) const THIRD: usize = 4;

/// The layers behind the first.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stack {
    pub layers: [Layer; 2],
    /// Of the last layer, which has one output.
    pub last: (i32, Vec<i8>),
    /// Whether it is one of several layer stacks, which take products and squares.
    pub products: bool,
    /// The output of the second layer that is added to that of the network.
    pub shortcut: Option<usize>,
}

impl Stack {
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
            // Squares and clipped outputs take turns by blocks.
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
