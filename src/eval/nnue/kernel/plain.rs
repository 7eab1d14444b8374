//! The forward pass of the layers and the accumulator updates as all kernels share them, and the
//! scalar kernel.

use crate::eval::nnue::layer::{Block, ByteCacheLine, CacheLine, LANES, Layer, LayerStack, SECOND};

/// Lanes of a narrow block.
pub(super) const HALF: usize = LANES / 2;

/// Weights of a removed and an added feature, each by perspective.
pub type Change<'a> = [[&'a [CacheLine]; 2]; 2];

/// Clipped ReLU output of one cache line or block: 0 to 127.
pub(super) type Clipped = [u8; LANES];

/// Dot products of a block of a layer, with the biases; 0 beyond its outputs.
pub(super) type Sums = [i32; LANES];

/// See [`Kernel::update`](super::Kernel::update).
#[inline(always)]
pub(super) fn update(from: &[CacheLine], to: &mut [CacheLine], removed: &[&[CacheLine]], added: &[&[CacheLine]]) {
    // A move changes one or, as a capture, two features.
    match (removed, added) {
        (&[removed], &[added]) => add_sub(from, to, [[removed, added]]),
        (&[first, second], &[third, fourth]) => add_sub(from, to, [[first, third], [second, fourth]]),
        _ => {
            for (at, to) in to.iter_mut().enumerate() {
                let mut line = from[at];
                for weights in removed {
                    subtract(&mut line, &weights[at]);
                }
                for weights in added {
                    add(&mut line, &weights[at]);
                }
                *to = line;
            }
        }
    }
}

/// The same with pairs of a removed and an added feature: every line is read and written once.
#[inline(always)]
fn add_sub<const N: usize>(from: &[CacheLine], to: &mut [CacheLine], mut pairs: [[&[CacheLine]; 2]; N]) {
    let lines = to.len();
    let from = &from[..lines];
    for weights in pairs.as_flattened_mut() {
        *weights = &weights[..lines];
    }
    for at in 0..lines {
        let mut line = from[at];
        for [removed, added] in &pairs {
            subtract(&mut line, &removed[at]);
            add(&mut line, &added[at]);
        }
        to[at] = line;
    }
}

/// See [`Kernel::add_sub_both`](super::Kernel::add_sub_both).
#[inline(always)]
pub(super) fn add_sub_both<const N: usize>(from: &[CacheLine], to: &mut [CacheLine], changes: &[Change<'_>; N]) {
    let lines = to.len() / 2;
    let ((black, white), (to_black, to_white)) = (from.split_at(lines), to.split_at_mut(lines));
    for (color, (from, to)) in [(black, to_black), (white, to_white)].into_iter().enumerate() {
        let mut pairs = [[from; 2]; N];
        for (pair, [removed, added]) in pairs.iter_mut().zip(changes) {
            *pair = [removed[color], added[color]];
        }
        add_sub(from, to, pairs);
    }
}

#[inline(always)]
fn add(sums: &mut CacheLine, weights: &CacheLine) {
    for (lane, weight) in weights.0.iter().enumerate() {
        sums.0[lane] = sums.0[lane].wrapping_add(*weight);
    }
}

#[inline(always)]
fn subtract(sums: &mut CacheLine, weights: &CacheLine) {
    for (lane, weight) in weights.0.iter().enumerate() {
        sums.0[lane] = sums.0[lane].wrapping_sub(*weight);
    }
}

/// See [`Kernel::forward`](super::Kernel::forward).
pub(super) fn forward(stack: &LayerStack, accumulators: [&[CacheLine]; 2], scratch: &mut [ByteCacheLine]) -> i32 {
    let sums = |layer: &Layer, at: usize, input: &[u8]| match layer.block {
        Block::ThirtyTwo => dot::<LANES, 4>(input, layer.weights(at), layer.bias(at)),
        Block::Sixteen => widen(&dot::<HALF, 4>(input, layer.weights(at), layer.bias(at))),
        Block::Eight => add_pairs(&dot::<HALF, 8>(input, layer.weights(at), layer.bias(at))),
    };
    forward_with(stack, accumulators, scratch, clipped_relu, pack, sums)
}

/// [`forward`] with operations that are implemented with intrinsics: clipped ReLU of accumulator
/// values, clamped to [0, 127], and of dot products, `clamp(x / 64, 0, 127)`; the sums of a block.
#[inline(always)]
pub(super) fn forward_with(
    stack: &LayerStack,
    accumulators: [&[CacheLine]; 2],
    scratch: &mut [ByteCacheLine],
    clipped_relu: impl Fn(&CacheLine) -> Clipped,
    pack: impl Fn(&Sums) -> Clipped,
    sums: impl Fn(&Layer, usize, &[u8]) -> Sums,
) -> i32 {
    let lines = accumulators[0].len();
    let (clipped, hidden) = scratch.split_at_mut(lines);
    let (first, second) = hidden.split_at_mut(SECOND);
    let bytes: &mut [Clipped] = bytemuck::cast_slice_mut(clipped);
    let [first_layer, second_layer] = &stack.layers;
    let mut skipped = 0;
    if stack.products {
        let (ours, theirs) = bytes.split_at_mut(lines / 2);
        for (bytes, accumulator) in [ours, theirs].into_iter().zip(accumulators) {
            let (left, right) = accumulator.split_at(lines / 2);
            for (bytes, (left, right)) in bytes.iter_mut().zip(left.iter().zip(right)) {
                *bytes = clipped_relu(&pairwise_products(left, right));
            }
        }
        let outputs = first_layer.block.outputs();
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(first);
        let pass_on = |at: usize, sums: &Sums| {
            // Padding after a partial block is overwritten or meets zero weights.
            let (squares, clipped) = (pack(&squared_clipped_relu(sums)), pack(sums));
            bytes[2 * outputs * at..][..LANES].copy_from_slice(&squares);
            bytes[2 * outputs * at + outputs..][..LANES].copy_from_slice(&clipped);
            if let Some(shortcut) = stack.shortcut
                && shortcut / outputs == at
            {
                skipped = sums[shortcut % outputs];
            }
        };
        layer(first_layer, clipped, &sums, pass_on);
    } else {
        let (ours, theirs) = bytes.split_at_mut(lines);
        for (bytes, accumulator) in [ours, theirs].into_iter().zip(accumulators) {
            for (at, line) in accumulator.iter().enumerate() {
                bytes[at] = clipped_relu(line);
            }
        }
        let blocks: &mut [Clipped] = bytemuck::cast_slice_mut(first);
        layer(first_layer, clipped, &sums, |at, sums| blocks[at] = pack(sums));
    }
    let blocks: &mut [Clipped] = bytemuck::cast_slice_mut(second);
    layer(second_layer, first, &sums, |at, sums| blocks[at] = pack(sums));
    let (bias, weights) = &stack.last;
    let inputs: &[u8] = &bytemuck::cast_slice(second)[..weights.len()];
    let mut sum = *bias;
    for (at, weight) in weights.iter().enumerate() {
        sum = sum.wrapping_add(i32::from(*weight) * i32::from(inputs[at]));
    }
    skipped.wrapping_add(sum)
}

/// Pairwise products: `clamp(a, 0, 127) * clamp(b, 0, 127) / 128`.
#[inline(always)]
fn pairwise_products(left: &CacheLine, right: &CacheLine) -> CacheLine {
    let mut products = *left;
    for (product, right) in products.0.iter_mut().zip(&right.0) {
        *product = ((*product).clamp(0, 127) * (*right).clamp(0, 127)) >> 7;
    }
    products
}

/// `x * x / 8192`; narrowing divides by 64 more. Inputs of 8192 or more all saturate.
#[inline(always)]
fn squared_clipped_relu(sums: &Sums) -> Sums {
    sums.map(|sum| {
        let sum = sum.clamp(-8192, 8192);
        (sum * sum) >> 13
    })
}

/// Calls `output` with the sums of each block of a layer.
#[inline(always)]
fn layer(
    layer: &Layer,
    input: &[ByteCacheLine],
    sums: &impl Fn(&Layer, usize, &[u8]) -> Sums,
    mut output: impl FnMut(usize, &Sums),
) {
    let input = &bytemuck::cast_slice(input)[..layer.inputs];
    for at in 0..layer.blocks() {
        output(at, &sums(layer, at, input));
    }
}

/// The sums of a block of 16 outputs.
#[inline(always)]
pub(super) fn widen(lanes: &[i32; HALF]) -> Sums {
    let mut sums = [0; LANES];
    sums[..HALF].copy_from_slice(lanes);
    sums
}

/// The sums of a block of 8 outputs in two lanes each.
#[inline(always)]
pub(super) fn add_pairs(lanes: &[i32; HALF]) -> Sums {
    let mut sums = [0; LANES];
    for (sum, [even, odd]) in sums.iter_mut().zip(lanes.as_chunks::<2>().0) {
        *sum = even.wrapping_add(*odd);
    }
    sums
}

fn clipped_relu(line: &CacheLine) -> Clipped {
    line.0.map(|number| number.clamp(0, 127) as u8)
}

fn pack(sums: &Sums) -> Clipped {
    sums.map(|sum| (sum >> 6).clamp(0, 127) as u8)
}

/// Dot products of one block of a layer, `INPUTS` at a time.
fn dot<const LANES: usize, const INPUTS: usize>(input: &[u8], weights: &[i8], bias: &[i32; LANES]) -> [i32; LANES] {
    let mut sums = *bias;
    for (input, weights) in input.as_chunks::<INPUTS>().0.iter().zip(weights.chunks_exact(4 * LANES)) {
        for (lane, (sum, weights)) in sums.iter_mut().zip(weights.as_chunks::<4>().0).enumerate() {
            let input = &input[4 * lane % INPUTS..];
            let products = input.iter().zip(weights).map(|(&input, &weight)| i32::from(input) * i32::from(weight));
            *sum = sum.wrapping_add(products.sum());
        }
    }
    sums
}
