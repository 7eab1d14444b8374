//! The loss of samples and its gradient: forward and backward pass.
//!
//! Samples are processed in small groups of the same layer stack, so that loaded weights of the
//! hidden layers are reused. [`mean_loss`], [`predictions`] and [`activity`] are computed over all
//! samples of a set.

use super::features::FeatureIndexing;
use super::model::{HIDDEN, LANES, Lanes, Model, PartRanges, StackRanges, add_rows, values_of};
use super::samples::Samples;
use sabi::machine::parallel_map;
use std::ops::Range;
use std::sync::OnceLock;

/// Samples per group.
const GROUP: usize = 8;
/// SIMD lanes of a hidden layer's outputs, and tile size of the first layer.
const TILE: usize = HIDDEN / LANES;

/// Values of a hidden layer.
type Hidden = [Lanes; TILE];

/// A model without [shared parameters](Model::quantised), with transposed weights for the backward
/// pass.
pub(super) struct Backprop<'m> {
    model: &'m Model,
    indexing: &'m FeatureIndexing,
    /// Weights of both hidden layers by output, for each layer stack.
    by_output: Vec<OnceLock<[Vec<Lanes>; 2]>>,
}

/// Groups of consecutive samples of the same layer stack.
fn groups<'c>(samples: &Samples, chosen: &'c [u32]) -> impl Iterator<Item = &'c [u32]> {
    let stack = |at: u32| samples.stacks[at as usize];
    chosen.chunk_by(move |&one, &other| stack(one) == stack(other)).flat_map(|run| run.chunks(GROUP))
}

/// Intermediate results of a group, one row per sample.
pub(super) struct Scratch {
    /// Outputs of the first layer, side to move first; then their gradients.
    accumulators: Vec<Lanes>,
    gradients: Vec<Lanes>,
}

/// `sums += factor * values`.
#[inline(always)]
fn add_scaled(sums: &mut Hidden, factor: f32, values: &Hidden) {
    let factor = Lanes::splat(factor);
    for (sum, number) in sums.iter_mut().zip(values) {
        *sum = number.mul_add(factor, *sum);
    }
}

#[inline(always)]
fn add(sums: &mut [Lanes], values: &[Lanes]) {
    sums.iter_mut().zip(values).for_each(|(sum, number)| *sum += *number);
}

#[inline(always)]
fn clipped_relu(values: Lanes) -> Lanes {
    values.fast_max(Lanes::ZERO).fast_min(Lanes::ONE)
}

/// Gradient of the clipped ReLU: 0 where it clips.
#[inline(always)]
fn clip_gradient(outputs: Lanes, gradients: Lanes) -> Lanes {
    gradients & outputs.simd_gt(Lanes::ZERO) & Lanes::ONE.simd_gt(outputs)
}

/// Rows of a layer: the weights of one input or output.
fn rows(lanes: &[Lanes]) -> &[Hidden] {
    lanes.as_chunks().0
}

/// A parameter range in lanes.
fn part<'l>(lanes: &'l [Lanes], place: &Range<usize>) -> &'l [Lanes] {
    let place = place.start / LANES..place.end / LANES;
    &lanes[place]
}

fn part_mut<'l>(lanes: &'l mut [Lanes], place: &Range<usize>) -> &'l mut [Lanes] {
    let place = place.start / LANES..place.end / LANES;
    &mut lanes[place]
}

/// Exactly one row.
fn row(lanes: &[Lanes], place: &Range<usize>) -> Hidden {
    let mut row = [Lanes::ZERO; TILE];
    row.copy_from_slice(part(lanes, place));
    row
}

fn transposed(lanes: &[Lanes]) -> Vec<Lanes> {
    let values = values_of(lanes);
    let by_output = (0..HIDDEN).flat_map(|output| values[output..].iter().step_by(HIDDEN).copied());
    let by_output: Vec<f32> = by_output.collect();
    by_output.as_chunks::<LANES>().0.iter().map(|&values| Lanes::new(values)).collect()
}

impl<'m> Backprop<'m> {
    pub fn new(model: &'m Model, indexing: &'m FeatureIndexing) -> Self {
        let by_output = (0..model.shape.buckets.count()).map(|_| OnceLock::new()).collect();
        Self { model, indexing, by_output }
    }

    /// Scratch memory of one thread.
    pub fn scratch(&self) -> Scratch {
        let length = GROUP * 2 * self.model.shape.width / LANES;
        Scratch { accumulators: vec![Lanes::ZERO; length], gradients: vec![Lanes::ZERO; length] }
    }

    /// Weights of the hidden layers of a stack by output.
    fn by_output(&self, stack: usize) -> &[Vec<Lanes>; 2] {
        self.by_output[stack].get_or_init(|| {
            let StackRanges { first, second, .. } = self.model.part_ranges.stack(stack);
            [first, second].map(|place| transposed(part(&self.model.lanes, place)))
        })
    }

    /// Adds the gradient of the summed loss of the samples `chosen` to `gradient`, and returns that
    /// sum. If `gradient` has no room for the feature weights, `perspectives` receives for each sample the
    /// gradient of the feature weights of both perspectives. Fastest with the samples of a layer
    /// stack in a row.
    pub fn add(
        &self,
        samples: &Samples,
        chosen: &[u32],
        scratch: &mut Scratch,
        gradient: &mut [Lanes],
        perspectives: &mut [Lanes],
    ) -> f64 {
        let mut perspectives = perspectives;
        let width = self.model.shape.width / LANES;
        let each = |chosen: &[u32]| {
            let length = (2 * width * chosen.len()).min(perspectives.len());
            let perspectives = perspectives.split_off_mut(..length).unwrap_or_default();
            self.add_group(samples, chosen, scratch, gradient, perspectives)
        };
        groups(samples, chosen).map(each).sum()
    }

    /// Completes the gradient of a batch: the shared layer stack has the sum over the others.
    pub fn add_shared(&self, gradient: &mut [Lanes]) {
        let PartRanges { shared, own, .. } = &self.model.part_ranges;
        for own in own {
            let (to, from) = gradient.split_at_mut(own.whole().start / LANES);
            add(part_mut(to, &shared.whole()), &from[..own.whole().len() / LANES]);
        }
    }

    /// Summed loss of samples.
    pub fn loss(&self, samples: &Samples, chosen: &[u32], scratch: &mut Scratch) -> f64 {
        let each = |chosen: &[u32]| -> f64 {
            let forward = self.forward(samples, chosen, scratch);
            let pairs = forward.outputs.iter().zip(chosen);
            pairs.map(|(&output, &at)| f64::from(expected(output) - samples.targets[at as usize]).powi(2)).sum()
        };
        let mut chosen = chosen.to_vec();
        chosen.sort_by_key(|&at| samples.stacks[at as usize]);
        groups(samples, &chosen).map(each).sum()
    }

    /// The output for each of the samples.
    pub fn outputs(&self, samples: &Samples, chosen: &[u32], scratch: &mut Scratch) -> Vec<f32> {
        let each = |chosen: &[u32]| self.forward(samples, chosen, scratch).outputs[..chosen.len()].to_vec();
        groups(samples, chosen).flat_map(each).collect()
    }

    /// Counts activations above 0 by first-layer output, over both perspectives.
    pub fn count_active(&self, samples: &Samples, chosen: &[u32], scratch: &mut Scratch, counts: &mut [u32]) {
        let width = self.model.shape.width;
        for chosen in chosen.chunks(GROUP) {
            self.forward_first(samples, chosen, scratch);
            for accumulator in values_of(&scratch.accumulators).chunks_exact(width).take(2 * chosen.len()) {
                counts.iter_mut().zip(accumulator).for_each(|(count, &output)| *count += u32::from(output > 0.0));
            }
        }
    }

    fn forward(&self, samples: &Samples, chosen: &[u32], scratch: &mut Scratch) -> Forward {
        self.forward_first(samples, chosen, scratch);
        self.forward_hidden(&scratch.accumulators, samples.stack(chosen))
    }

    fn forward_first(&self, samples: &Samples, chosen: &[u32], scratch: &mut Scratch) {
        let width = self.model.shape.width / LANES;
        let PartRanges { feature_weights, bias, .. } = &self.model.part_ranges;
        let (weights, bias) = (part(&self.model.lanes, feature_weights), part(&self.model.lanes, bias));
        for (row, &at) in scratch.accumulators.chunks_exact_mut(2 * width).zip(chosen) {
            let active = self.indexing.active_features(&samples.feature_indices[at as usize]);
            for (accumulator, active) in row.chunks_exact_mut(width).zip(&active) {
                accumulator.copy_from_slice(bias);
                add_rows(weights, active, accumulator);
                accumulator.iter_mut().for_each(|sum| *sum = clipped_relu(*sum));
            }
        }
    }

    fn forward_hidden(&self, accumulators: &[Lanes], stack: usize) -> Forward {
        let StackRanges { first, first_bias, second, second_bias, last, last_bias } =
            self.model.part_ranges.stack(stack);
        let lanes = &self.model.lanes;
        let (accumulators, length) = (values_of(accumulators), 2 * self.model.shape.width);
        let mut first_sums = [row(lanes, first_bias); GROUP];
        for (input, weights) in rows(part(lanes, first)).iter().enumerate() {
            for (sample, sums) in first_sums.iter_mut().enumerate() {
                add_scaled(sums, accumulators[sample * length + input], weights);
            }
        }
        let first = first_sums.map(|sums| sums.map(clipped_relu));
        let mut second_sums = [row(lanes, second_bias); GROUP];
        for (input, weights) in rows(part(lanes, second)).iter().enumerate() {
            for (sums, inputs) in second_sums.iter_mut().zip(&first) {
                add_scaled(sums, values_of(inputs)[input], weights);
            }
        }
        let second = second_sums.map(|sums| sums.map(clipped_relu));
        let (last, bias) = (row(lanes, last), self.model.values()[last_bias.start]);
        let output = |inputs: Hidden| {
            let products = inputs.into_iter().zip(last).map(|(input, weight)| (input * weight).reduce_add());
            bias + products.sum::<f32>()
        };
        Forward { stack, first, second, outputs: second.map(output) }
    }

    fn add_group(
        &self,
        samples: &Samples,
        chosen: &[u32],
        scratch: &mut Scratch,
        gradient: &mut [Lanes],
        perspectives: &mut [Lanes],
    ) -> f64 {
        let forward = self.forward(samples, chosen, scratch);
        let mut loss = 0.0;
        // Rows without a sample keep gradient 0.
        let mut output_gradients = [0.0; GROUP];
        for ((gradient, &output), &at) in output_gradients.iter_mut().zip(&forward.outputs).zip(chosen) {
            let share = expected(output);
            let error = share - samples.targets[at as usize];
            loss += f64::from(error).powi(2);
            *gradient = 2.0 * error * share * (1.0 - share);
        }
        let first_gradients = self.backward_hidden(&forward, &output_gradients, gradient);
        self.backward_accumulators(forward.stack, &first_gradients, scratch, gradient);
        self.backward_bias(chosen.len(), &scratch.gradients, gradient);
        match gradient.len() == self.model.lanes.len() {
            true => self.backward_features(samples, chosen, &scratch.gradients, gradient),
            false => perspectives.copy_from_slice(&scratch.gradients[..perspectives.len()]),
        }
        loss
    }

    /// Gradients before the activation of the second layer.
    fn backward_hidden(
        &self,
        forward: &Forward,
        output_gradients: &[f32; GROUP],
        gradient: &mut [Lanes],
    ) -> [Hidden; GROUP] {
        let StackRanges { first_bias, second, second_bias, last, last_bias, .. } =
            self.model.part_ranges.stack(forward.stack);
        let [_, second_by_output] = self.by_output(forward.stack);
        let weights = row(&self.model.lanes, last);
        let mut add = |place: &Range<usize>, values: &Hidden| add(part_mut(gradient, place), values);
        let mut first_gradients = [[Lanes::ZERO; TILE]; GROUP];
        let mut second_gradients = first_gradients;
        for (sample, &output_gradient) in output_gradients.iter().enumerate() {
            let splat = Lanes::splat(output_gradient);
            add(last, &forward.second[sample].map(|input| input * splat));
            for at in 0..TILE {
                second_gradients[sample][at] = clip_gradient(forward.second[sample][at], weights[at] * splat);
            }
            add(second_bias, &second_gradients[sample]);
            let mut sums = [Lanes::ZERO; TILE];
            for (weights, &gradient) in rows(second_by_output).iter().zip(values_of(&second_gradients[sample])) {
                add_scaled(&mut sums, gradient, weights);
            }
            for at in 0..TILE {
                first_gradients[sample][at] = clip_gradient(forward.first[sample][at], sums[at]);
            }
            add(first_bias, &first_gradients[sample]);
        }
        let bias_gradient = output_gradients.iter().sum();
        let mut alone = [0.0; LANES];
        alone[0] = bias_gradient;
        part_mut(gradient, last_bias)[0] += Lanes::new(alone);
        for (input, gradient) in part_mut(gradient, second).as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
            for (inputs, gradients) in forward.first.iter().zip(&second_gradients) {
                add_scaled(gradient, values_of(inputs)[input], gradients);
            }
        }
        first_gradients
    }

    /// Gradients of the first layer's outputs, and of the weights of the second layer.
    fn backward_accumulators(
        &self,
        stack: usize,
        sums: &[Hidden; GROUP],
        Scratch { accumulators, gradients }: &mut Scratch,
        gradient: &mut [Lanes],
    ) {
        let [first_by_output, _] = self.by_output(stack);
        let length = 2 * self.model.shape.width;
        let values = values_of(accumulators);
        let first = part_mut(gradient, &self.model.part_ranges.stack(stack).first);
        for (input, gradient) in first.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
            for (sample, sums) in sums.iter().enumerate() {
                add_scaled(gradient, values[sample * length + input], sums);
            }
        }
        let (tiles, weights) = (length / HIDDEN, rows(first_by_output));
        let (accumulators, gradients) = (rows(accumulators), gradients.as_chunks_mut::<TILE>().0);
        for tile in 0..tiles {
            let mut totals = [[Lanes::ZERO; TILE]; GROUP];
            for output in 0..HIDDEN {
                let weights = &weights[output * tiles + tile];
                for (total, sums) in totals.iter_mut().zip(sums) {
                    add_scaled(total, values_of(sums)[output], weights);
                }
            }
            for (sample, totals) in totals.into_iter().enumerate() {
                let place = sample * tiles + tile;
                for at in 0..TILE {
                    gradients[place][at] = clip_gradient(accumulators[place][at], totals[at]);
                }
            }
        }
    }

    fn backward_bias(&self, samples: usize, gradients: &[Lanes], gradient: &mut [Lanes]) {
        let width = self.model.shape.width / LANES;
        let bias = part_mut(gradient, &self.model.part_ranges.bias);
        gradients.chunks_exact(width).take(2 * samples).for_each(|accumulator| add(bias, accumulator));
    }

    fn backward_features(&self, samples: &Samples, chosen: &[u32], gradients: &[Lanes], gradient: &mut [Lanes]) {
        let width = self.model.shape.width / LANES;
        let weights = part_mut(gradient, &self.model.part_ranges.feature_weights);
        let mut add_to = |at: u32, gradient| add(&mut weights[at as usize * width..][..width], gradient);
        for (row, &at) in gradients.chunks_exact(2 * width).zip(chosen) {
            let (ours, theirs) = row.split_at(width);
            let [our_features, their_features] = self.indexing.active_features(&samples.feature_indices[at as usize]);
            for (&our, &their) in our_features.iter().zip(their_features.iter()) {
                add_to(our, ours);
                add_to(their, theirs);
            }
        }
    }
}

/// Outputs of the hidden layers.
struct Forward {
    stack: usize,
    first: [Hidden; GROUP],
    second: [Hidden; GROUP],
    outputs: [f32; GROUP],
}

/// Expected score for an output.
#[inline(always)]
pub(super) fn expected(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// Samples per work item, so that results do not depend on the number of threads.
const PART: usize = 1024;

/// Results of `compute` on all parts, in order.
fn by_parts<T: Send>(
    model: &Model,
    samples: &Samples,
    threads: usize,
    compute: impl Fn(&Backprop<'_>, &[u32], &mut Scratch) -> T + Sync,
) -> Vec<T> {
    let indexing = FeatureIndexing::new(model.shape.features);
    let backprop = Backprop::new(model, &indexing);
    let all: Vec<u32> = (0..samples.len() as u32).collect();
    parallel_map(all.chunks(PART), threads, |tasks| {
        let mut scratch = backprop.scratch();
        tasks.work(|part| compute(&backprop, part, &mut scratch));
    })
}

/// Mean loss.
pub(super) fn mean_loss(model: &Model, samples: &Samples, threads: usize) -> f64 {
    let sums = by_parts(model, samples, threads, |backprop, chosen, scratch| backprop.loss(samples, chosen, scratch));
    sums.iter().sum::<f64>() / samples.len() as f64
}

/// Predicted expected score of each sample.
pub(super) fn predictions(model: &Model, samples: &Samples, threads: usize) -> Vec<f64> {
    let outputs =
        by_parts(model, samples, threads, |backprop, chosen, scratch| backprop.outputs(samples, chosen, scratch));
    outputs.into_iter().flatten().map(|output| f64::from(expected(output))).collect()
}

/// For each first-layer output, the share of positions with an activation above 0, over both
/// perspectives.
pub(super) fn activity(model: &Model, samples: &Samples, threads: usize) -> Vec<f64> {
    let counts = by_parts(model, samples, threads, |backprop, chosen, scratch| {
        let mut counts = vec![0; model.shape.width];
        backprop.count_active(samples, chosen, scratch, &mut counts);
        counts
    });
    let count = |unit: usize| counts.iter().map(|counts| u64::from(counts[unit])).sum::<u64>();
    (0..model.shape.width).map(|unit| count(unit) as f64 / (2 * samples.len()) as f64).collect()
}
