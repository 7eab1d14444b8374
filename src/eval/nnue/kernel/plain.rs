//! The arithmetic without special instructions: the scalar kernel, and what the others share.

use crate::eval::nnue::network::{ByteLine, INPUTS, Layer, Line, Network, OUTPUTS, STEP};

/// Outputs of one block of a layer.
pub(super) type Block = [i32; OUTPUTS];

/// No layer behind the second has more inputs.
const WIDEST: usize = 256;

/// See [`Kernel::sum`](super::Kernel::sum).
#[inline(always)]
pub(super) fn sum(bias: &[Line], columns: &[&[Line]], to: &mut [Line]) {
    for (at, (to, bias)) in to.iter_mut().zip(bias).enumerate() {
        let mut line = *bias;
        for column in columns {
            let column = &column[at];
            line.0.iter_mut().zip(&column.0).for_each(|(sum, number)| *sum = sum.wrapping_add(*number));
        }
        *to = line;
    }
}

/// See [`Kernel::shift`](super::Kernel::shift).
#[inline(always)]
pub(super) fn shift(from: Option<&[Line]>, to: &mut [Line], removed: &[Line], added: &[Line]) {
    let change = |from: &i16, removed: &i16, added: &i16| from.wrapping_sub(*removed).wrapping_add(*added);
    for (at, to) in to.iter_mut().enumerate() {
        let old = from.map_or(*to, |from| from[at]);
        for lane in 0..old.0.len() {
            to.0[lane] = change(&old.0[lane], &removed[at].0[lane], &added[at].0[lane]);
        }
    }
}

/// See [`Kernel::forward`](super::Kernel::forward).
pub(super) fn forward(network: &Network, halves: [&[Line]; 2], scratch: &mut [ByteLine]) -> i32 {
    forward_with(network, halves, scratch, products)
}

/// The same with products of bytes computed by `products`.
#[inline(always)]
pub(super) fn forward_with(
    network: &Network,
    halves: [&[Line]; 2],
    scratch: &mut [ByteLine],
    products: impl Fn(&[u8], &[i8]) -> Block,
) -> i32 {
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(scratch);
    let numbers = halves.into_iter().flatten();
    for (bytes, line) in bytes.chunks_exact_mut(line_length()).zip(numbers) {
        bytes.iter_mut().zip(&line.0).for_each(|(byte, number)| *byte = (*number).clamp(0, 127) as u8);
    }
    let mut buffers = [[0u8; WIDEST]; 2];
    let [first, second] = &mut buffers;
    layer(&network.layers[0], bytes, first, &products);
    layer(&network.layers[1], first, second, &products);
    let (bias, weights) = &network.last;
    let dot: i32 = weights.iter().zip(&*second).map(|(&weight, &input)| i32::from(weight) * i32::from(input)).sum();
    bias + dot
}

const fn line_length() -> usize {
    size_of::<Line>() / size_of::<i16>()
}

/// One small layer with what follows it: the sums divided by 64 and cut off at 0 and 127.
#[inline(always)]
fn layer(layer: &Layer, input: &[u8], output: &mut [u8; WIDEST], products: &impl Fn(&[u8], &[i8]) -> Block) {
    let (biases, _) = layer.bias.as_chunks::<OUTPUTS>();
    let (blocks, _) = output.as_chunks_mut::<OUTPUTS>();
    for ((weights, bias), output) in layer.blocks().zip(biases).zip(blocks) {
        let sums = products(&input[..layer.inputs], weights);
        for ((output, sum), bias) in output.iter_mut().zip(sums).zip(bias) {
            *output = (sum.wrapping_add(*bias) >> 6).clamp(0, 127) as u8;
        }
    }
}

/// For each output of a block the sum of inputs times weights.
fn products(input: &[u8], weights: &[i8]) -> Block {
    let mut sums = [0; OUTPUTS];
    for (input, weights) in input.chunks_exact(INPUTS).zip(weights.chunks_exact(STEP)) {
        for (sum, weights) in sums.iter_mut().zip(weights.chunks_exact(INPUTS)) {
            *sum +=
                input.iter().zip(weights).map(|(&input, &weight)| i32::from(input) * i32::from(weight)).sum::<i32>();
        }
    }
    sums
}
