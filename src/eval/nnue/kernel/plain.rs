//! The scalar kernel, and code shared by all kernels.

use crate::eval::nnue::cache_line::{ByteCacheLine, CacheLine};
use crate::eval::nnue::layer::{Block, LANES, Layer};
use crate::eval::nnue::layer_stack::{LayerStack, SECOND};

/// Weights of a removed and an added feature, each by perspective.
pub type Change<'a> = [[&'a [CacheLine]; 2]; 2];

/// Clipped ReLU output of one cache line or block: 0 to 127.
pub(super) type Clipped = [u8; LANES];

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

/// The operations implemented with intrinsics.
pub(super) struct KernelOps<ClippedRelu, Pack, Dot32, Dot16, Dot8> {
    /// Clipped ReLU of accumulator values: clamp to [0, 127].
    pub clipped_relu: ClippedRelu,
    /// Clipped ReLU of dot products: `clamp(x / 64, 0, 127)`.
    pub pack: Pack,
    /// Dot products of a block of 32 outputs, of 16, and of 8 outputs in two lanes each.
    pub dot32: Dot32,
    pub dot16: Dot16,
    pub dot8: Dot8,
}

/// See [`Kernel::forward`](super::Kernel::forward).
pub(super) fn forward(stack: &LayerStack, accumulators: [&[CacheLine]; 2], scratch: &mut [ByteCacheLine]) -> i32 {
    let ops = KernelOps { clipped_relu, pack, dot32: dot::<LANES, 4>, dot16: dot::<16, 4>, dot8: dot::<16, 8> };
    forward_with(stack, accumulators, scratch, &ops)
}

/// [`forward`] with these operations.
#[inline(always)]
pub(super) fn forward_with<ClippedRelu, Pack, Dot32, Dot16, Dot8>(
    stack: &LayerStack,
    accumulators: [&[CacheLine]; 2],
    scratch: &mut [ByteCacheLine],
    ops: &KernelOps<ClippedRelu, Pack, Dot32, Dot16, Dot8>,
) -> i32
where
    ClippedRelu: Fn(&CacheLine) -> Clipped,
    Pack: Fn(&[i32; LANES]) -> Clipped,
    Dot32: Fn(&[u8], &[i8], &[i32; LANES]) -> [i32; LANES],
    Dot16: Fn(&[u8], &[i8], &[i32; 16]) -> [i32; 16],
    Dot8: Fn(&[u8], &[i8], &[i32; 16]) -> [i32; 16],
{
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
                *bytes = (ops.clipped_relu)(&pairwise_products(left, right));
            }
        }
        let outputs = first_layer.block.outputs();
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(first);
        let pass_on = |at: usize, sums: &[i32; LANES]| {
            // Padding after a partial block is overwritten or meets zero weights.
            let (squares, clipped) = ((ops.pack)(&squared_clipped_relu(sums)), (ops.pack)(sums));
            bytes[2 * outputs * at..][..LANES].copy_from_slice(&squares);
            bytes[2 * outputs * at + outputs..][..LANES].copy_from_slice(&clipped);
            if let Some(shortcut) = stack.shortcut
                && shortcut / outputs == at
            {
                skipped = sums[shortcut % outputs];
            }
        };
        layer(first_layer, clipped, pass_on, ops);
    } else {
        let (ours, theirs) = bytes.split_at_mut(lines);
        for (bytes, accumulator) in [ours, theirs].into_iter().zip(accumulators) {
            for (at, line) in accumulator.iter().enumerate() {
                bytes[at] = (ops.clipped_relu)(line);
            }
        }
        let blocks: &mut [Clipped] = bytemuck::cast_slice_mut(first);
        layer(first_layer, clipped, |at, sums| blocks[at] = (ops.pack)(sums), ops);
    }
    let blocks: &mut [Clipped] = bytemuck::cast_slice_mut(second);
    layer(second_layer, first, |at, sums| blocks[at] = (ops.pack)(sums), ops);
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
fn squared_clipped_relu(sums: &[i32; LANES]) -> [i32; LANES] {
    sums.map(|sum| {
        let sum = sum.clamp(-8192, 8192);
        (sum * sum) >> 13
    })
}

/// Dot products of a small layer, block by block; 0 beyond the outputs of the block.
#[inline(always)]
fn layer<ClippedRelu, Pack, Dot32, Dot16, Dot8>(
    layer: &Layer,
    input: &[ByteCacheLine],
    mut output: impl FnMut(usize, &[i32; LANES]),
    ops: &KernelOps<ClippedRelu, Pack, Dot32, Dot16, Dot8>,
) where
    Dot32: Fn(&[u8], &[i8], &[i32; LANES]) -> [i32; LANES],
    Dot16: Fn(&[u8], &[i8], &[i32; 16]) -> [i32; 16],
    Dot8: Fn(&[u8], &[i8], &[i32; 16]) -> [i32; 16],
{
    let input = &bytemuck::cast_slice(input)[..layer.inputs];
    match layer.block {
        Block::ThirtyTwo => {
            for (at, (bias, weights)) in layer.blocks().enumerate() {
                output(at, &(ops.dot32)(input, weights, bias));
            }
        }
        Block::Sixteen => {
            for (at, (bias, weights)) in layer.blocks().enumerate() {
                let mut sums = [0; LANES];
                sums[..16].copy_from_slice(&(ops.dot16)(input, weights, bias));
                output(at, &sums);
            }
        }
        Block::Eight => {
            for (at, (bias, weights)) in layer.blocks().enumerate() {
                let lanes = (ops.dot8)(input, weights, bias);
                let mut sums = [0; LANES];
                for (sum, [even, odd]) in sums.iter_mut().zip(lanes.as_chunks::<2>().0) {
                    *sum = even.wrapping_add(*odd);
                }
                output(at, &sums);
            }
        }
    }
}

fn clipped_relu(line: &CacheLine) -> Clipped {
    line.0.map(|number| number.clamp(0, 127) as u8)
}

fn pack(sums: &[i32; LANES]) -> Clipped {
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
