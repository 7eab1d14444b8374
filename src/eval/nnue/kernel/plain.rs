//! The arithmetic without special instructions: the scalar kernel, and what the others share.

use crate::eval::nnue::network::{ByteLine, INPUTS, Layer, Line, Network, OUTPUTS, STEP, WIDEST};

/// What a layer hands on for a line or a block: numbers from 0 to 127.
pub(super) type Clipped = [u8; OUTPUTS];

/// See [`Kernel::update`](super::Kernel::update).
#[inline(always)]
pub(super) fn update(from: &[Line], to: &mut [Line], removed: &[&[Line]], added: &[&[Line]]) {
    // A move changes one piece or, when it takes one, two.
    match (removed, added) {
        (&[removed], &[added]) => replace(from, to, [removed], [added]),
        (&[first, second], &[third, fourth]) => replace(from, to, [first, second], [third, fourth]),
        _ => {
            for (at, to) in to.iter_mut().enumerate() {
                let mut line = from[at];
                for column in removed {
                    subtract(&mut line, &column[at]);
                }
                for column in added {
                    add(&mut line, &column[at]);
                }
                *to = line;
            }
        }
    }
}

/// The same for as many columns that come as go, with every line read and written once.
#[inline(always)]
fn replace<const N: usize>(from: &[Line], to: &mut [Line], removed: [&[Line]; N], added: [&[Line]; N]) {
    let lines = to.len();
    let (from, removed, added) = (&from[..lines], removed.map(|c| &c[..lines]), added.map(|c| &c[..lines]));
    for (at, to) in to.iter_mut().enumerate() {
        let mut line = from[at];
        for number in 0..N {
            subtract(&mut line, &removed[number][at]);
            add(&mut line, &added[number][at]);
        }
        *to = line;
    }
}

#[inline(always)]
fn add(sums: &mut Line, column: &Line) {
    for (sum, number) in sums.0.iter_mut().zip(&column.0) {
        *sum = sum.wrapping_add(*number);
    }
}

#[inline(always)]
fn subtract(sums: &mut Line, column: &Line) {
    for (sum, number) in sums.0.iter_mut().zip(&column.0) {
        *sum = sum.wrapping_sub(*number);
    }
}

/// See [`Kernel::forward`](super::Kernel::forward).
pub(super) fn forward(network: &Network, halves: [&[Line]; 2], scratch: &mut [ByteLine]) -> i32 {
    forward_with(network, halves, scratch, clip, block)
}

/// The same with sums clipped by `clip` and blocks of a small layer computed by `block`.
#[inline(always)]
pub(super) fn forward_with(
    network: &Network,
    halves: [&[Line]; 2],
    scratch: &mut [ByteLine],
    clip: impl Fn(&Line) -> Clipped,
    block: impl Fn(&[u8], &[i8], &[i32; OUTPUTS]) -> Clipped,
) -> i32 {
    let (clipped, hidden) = scratch.split_at_mut(network.lines());
    let (first, second) = hidden.split_at_mut(WIDEST);
    let bytes: &mut [Clipped] = bytemuck::cast_slice_mut(clipped);
    let (ours, theirs) = bytes.split_at_mut(network.lines());
    for (bytes, half) in [ours, theirs].into_iter().zip(halves) {
        bytes.iter_mut().zip(half).for_each(|(bytes, line)| *bytes = clip(line));
    }
    layer(&network.layers[0], clipped, first, &block);
    layer(&network.layers[1], first, second, &block);
    let (bias, weights) = &network.last;
    let products = weights.iter().zip(bytemuck::cast_slice(second));
    bias.wrapping_add(products.map(|(&weight, &input): (_, &u8)| i32::from(weight) * i32::from(input)).sum::<i32>())
}

/// One small layer with what follows it: the sums divided by 64 and clipped.
#[inline(always)]
fn layer(
    layer: &Layer,
    input: &[ByteLine],
    output: &mut [ByteLine],
    block: &impl Fn(&[u8], &[i8], &[i32; OUTPUTS]) -> Clipped,
) {
    let input = &bytemuck::cast_slice(input)[..layer.inputs];
    let outputs: &mut [Clipped] = bytemuck::cast_slice_mut(output);
    for (at, (bias, output)) in layer.bias.iter().zip(outputs).enumerate() {
        *output = block(input, layer.block(at), bias);
    }
}

/// The sums of a line, cut off at 0 and 127.
fn clip(line: &Line) -> Clipped {
    line.0.map(|number| number.clamp(0, 127) as u8)
}

/// The outputs of one block of a layer.
fn block(input: &[u8], weights: &[i8], bias: &[i32; OUTPUTS]) -> Clipped {
    let mut sums = *bias;
    for (input, weights) in input.as_chunks::<INPUTS>().0.iter().zip(weights.as_chunks::<STEP>().0) {
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<INPUTS>().0) {
            let products = input.iter().zip(weights).map(|(&input, &weight)| i32::from(input) * i32::from(weight));
            *sum = sum.wrapping_add(products.sum());
        }
    }
    sums.map(|sum| (sum >> 6).clamp(0, 127) as u8)
}
