//! The loss of samples and its slope, by the chain rule.
//!
//! Samples are taken a few at a time, so that what is read of the small layers serves several of them.

use super::lanes::{LANES, Lanes, add_rows, numbers_of};
use super::model::{HIDDEN, Model, Places};
use super::samples::Samples;
use super::sight::Sight;
use std::ops::Range;

/// Samples that are taken at a time.
const TOGETHER: usize = 8;
/// Lanes of the outputs of a small layer, and of what is taken at a time of the first layer.
const TILE: usize = HIDDEN / LANES;

/// The numbers of a small layer.
type Hidden = [Lanes; TILE];

/// A model in which nothing is [shared](Model::rounded), with what its slope is computed with besides.
pub(super) struct Slope<'m> {
    model: &'m Model,
    sight: &'m Sight,
    /// Weights of the small layers by output.
    first_by_output: Vec<Lanes>,
    second_by_output: Vec<Lanes>,
}

/// What is known of some samples on the way, one row for each.
pub(super) struct Scratch {
    /// Outputs of the first layer, the half of the side to move first; then their slopes.
    halves: Vec<Lanes>,
    slopes: Vec<Lanes>,
}

impl Scratch {
    fn new(model: &Model) -> Self {
        let length = TOGETHER * 2 * model.shape.width / LANES;
        Self { halves: vec![Lanes::ZERO; length], slopes: vec![Lanes::ZERO; length] }
    }
}

/// `sums += factor * numbers`.
#[inline(always)]
fn add_scaled(sums: &mut Hidden, factor: f32, numbers: &Hidden) {
    let factor = Lanes::splat(factor);
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum = number.mul_add(factor, *sum);
    }
}

#[inline(always)]
fn add(sums: &mut [Lanes], numbers: &[Lanes]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += *number);
}

#[inline(always)]
fn clipped(numbers: Lanes) -> Lanes {
    numbers.fast_max(Lanes::ZERO).fast_min(Lanes::ONE)
}

/// The slope of what was cut off: none beyond the cut.
#[inline(always)]
fn through(outputs: Lanes, slopes: Lanes) -> Lanes {
    slopes & outputs.simd_gt(Lanes::ZERO) & Lanes::ONE.simd_gt(outputs)
}

/// The rows of a layer, each the numbers of one input or output.
fn rows(lanes: &[Lanes]) -> &[Hidden] {
    lanes.as_chunks().0
}

/// A part of lanes, given by the places of its numbers.
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
    let numbers = numbers_of(lanes);
    let by_output = (0..HIDDEN).flat_map(|output| numbers[output..].iter().step_by(HIDDEN).copied());
    let by_output: Vec<f32> = by_output.collect();
    by_output.as_chunks::<LANES>().0.iter().map(|&numbers| Lanes::new(numbers)).collect()
}

impl<'m> Slope<'m> {
    /// Room to work in, for one thread.
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.model)
    }

    pub fn new(model: &'m Model, sight: &'m Sight) -> Self {
        let Places { first, second, .. } = &model.places;
        let by_output = |place| transposed(part(&model.lanes, place));
        let (first_by_output, second_by_output) = (by_output(first), by_output(second));
        Self { model, sight, first_by_output, second_by_output }
    }

    /// Adds the slope of the sum of losses over some samples, given by their places, to `slope`, and gives that sum. Where `slope` has no
    /// room for the columns, `views` gets for each sample the slope of those that either side sets.
    pub fn add(
        &self,
        samples: &Samples,
        chosen: &[u32],
        scratch: &mut Scratch,
        slope: &mut [Lanes],
        views: &mut [Lanes],
    ) -> f64 {
        let mut views = views.chunks_mut(scratch.slopes.len());
        let mut each = |chosen| self.add_some(samples, chosen, scratch, slope, views.next().unwrap_or_default());
        chosen.chunks(TOGETHER).map(&mut each).sum()
    }

    /// The sum of losses over samples.
    pub fn loss(&self, samples: &Samples, chosen: &[u32], scratch: &mut Scratch) -> f64 {
        let each = |chosen: &[u32]| -> f64 {
            let forward = self.forward(samples, chosen, scratch);
            let pairs = forward.outputs.iter().zip(chosen);
            pairs.map(|(&output, &at)| f64::from(expected(output) - samples.aims[at as usize]).powi(2)).sum()
        };
        chosen.chunks(TOGETHER).map(each).sum()
    }

    /// The output for each of the samples.
    pub fn outputs(&self, samples: &Samples, chosen: &[u32], scratch: &mut Scratch) -> Vec<f32> {
        let each = |chosen: &[u32]| self.forward(samples, chosen, scratch).outputs[..chosen.len()].to_vec();
        chosen.chunks(TOGETHER).flat_map(each).collect()
    }

    /// Adds up how often each output of the first layer is above 0: for each sample once as each side sees it.
    pub fn count_active(&self, samples: &Samples, chosen: &[u32], scratch: &mut Scratch, counts: &mut [u32]) {
        let width = self.model.shape.width;
        for chosen in chosen.chunks(TOGETHER) {
            self.first_layers(samples, chosen, scratch);
            for half in numbers_of(&scratch.halves).chunks_exact(width).take(2 * chosen.len()) {
                counts.iter_mut().zip(half).for_each(|(count, &output)| *count += u32::from(output > 0.0));
            }
        }
    }

    fn forward(&self, samples: &Samples, chosen: &[u32], scratch: &mut Scratch) -> Forward {
        self.first_layers(samples, chosen, scratch);
        self.small_layers(&scratch.halves)
    }

    fn first_layers(&self, samples: &Samples, chosen: &[u32], scratch: &mut Scratch) {
        let width = self.model.shape.width / LANES;
        let Places { columns, bias, .. } = &self.model.places;
        let (columns, bias) = (part(&self.model.lanes, columns), part(&self.model.lanes, bias));
        for (row, &at) in scratch.halves.chunks_exact_mut(2 * width).zip(chosen) {
            let seen = self.sight.columns(&samples.seen[at as usize]);
            for (half, seen) in row.chunks_exact_mut(width).zip(&seen) {
                half.copy_from_slice(bias);
                add_rows(columns, seen, half);
                half.iter_mut().for_each(|sum| *sum = clipped(*sum));
            }
        }
    }

    fn small_layers(&self, halves: &[Lanes]) -> Forward {
        let Places { first, first_bias, second, second_bias, last, last_bias, .. } = &self.model.places;
        let lanes = &self.model.lanes;
        let (halves, length) = (numbers_of(halves), 2 * self.model.shape.width);
        let mut first_sums = [row(lanes, first_bias); TOGETHER];
        for (input, weights) in rows(part(lanes, first)).iter().enumerate() {
            for (sample, sums) in first_sums.iter_mut().enumerate() {
                add_scaled(sums, halves[sample * length + input], weights);
            }
        }
        let first = first_sums.map(|sums| sums.map(clipped));
        let mut second_sums = [row(lanes, second_bias); TOGETHER];
        for (input, weights) in rows(part(lanes, second)).iter().enumerate() {
            for (sums, inputs) in second_sums.iter_mut().zip(&first) {
                add_scaled(sums, numbers_of(inputs)[input], weights);
            }
        }
        let second = second_sums.map(|sums| sums.map(clipped));
        let (last, bias) = (row(lanes, last), self.model.numbers()[last_bias.start]);
        let output = |inputs: Hidden| {
            let products = inputs.into_iter().zip(last).map(|(input, weight)| (input * weight).reduce_add());
            bias + products.sum::<f32>()
        };
        Forward { first, second, outputs: second.map(output) }
    }

    fn add_some(
        &self,
        samples: &Samples,
        chosen: &[u32],
        scratch: &mut Scratch,
        slope: &mut [Lanes],
        views: &mut [Lanes],
    ) -> f64 {
        let forward = self.forward(samples, chosen, scratch);
        let mut loss = 0.0;
        // Rows without a sample keep a slope of 0 and so add nothing.
        let mut output_slopes = [0.0; TOGETHER];
        for ((slope, &output), &at) in output_slopes.iter_mut().zip(&forward.outputs).zip(chosen) {
            let share = expected(output);
            let error = share - samples.aims[at as usize];
            loss += f64::from(error).powi(2);
            *slope = 2.0 * error * share * (1.0 - share);
        }
        let first_slopes = self.back_through_small_layers(&forward, &output_slopes, slope);
        self.back_to_halves(&first_slopes, &scratch.halves, &mut scratch.slopes, slope);
        self.back_to_bias(chosen.len(), &scratch.slopes, slope);
        match slope.len() == self.model.lanes.len() {
            true => self.back_to_columns(samples, chosen, &scratch.slopes, slope),
            false => views.copy_from_slice(&scratch.slopes[..views.len()]),
        }
        loss
    }

    /// The slopes of the sums of the first small layer.
    fn back_through_small_layers(
        &self,
        forward: &Forward,
        output_slopes: &[f32; TOGETHER],
        slope: &mut [Lanes],
    ) -> [Hidden; TOGETHER] {
        let Places { first_bias, second, second_bias, last, last_bias, .. } = &self.model.places;
        let weights = row(&self.model.lanes, last);
        let mut add = |place: &Range<usize>, numbers: &Hidden| add(part_mut(slope, place), numbers);
        let mut first_slopes = [[Lanes::ZERO; TILE]; TOGETHER];
        let mut second_slopes = first_slopes;
        for (sample, &output_slope) in output_slopes.iter().enumerate() {
            let splat = Lanes::splat(output_slope);
            add(last, &forward.second[sample].map(|input| input * splat));
            for at in 0..TILE {
                second_slopes[sample][at] = through(forward.second[sample][at], weights[at] * splat);
            }
            add(second_bias, &second_slopes[sample]);
            let mut sums = [Lanes::ZERO; TILE];
            for (weights, &slope) in rows(&self.second_by_output).iter().zip(numbers_of(&second_slopes[sample])) {
                add_scaled(&mut sums, slope, weights);
            }
            for at in 0..TILE {
                first_slopes[sample][at] = through(forward.first[sample][at], sums[at]);
            }
            add(first_bias, &first_slopes[sample]);
        }
        let bias_slope = output_slopes.iter().sum();
        let mut alone = [0.0; LANES];
        alone[0] = bias_slope;
        part_mut(slope, last_bias)[0] += Lanes::new(alone);
        for (input, slope) in part_mut(slope, second).as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
            for (inputs, slopes) in forward.first.iter().zip(&second_slopes) {
                add_scaled(slope, numbers_of(inputs)[input], slopes);
            }
        }
        first_slopes
    }

    /// The slopes of the sums of the first layer, and what the weights behind it get.
    fn back_to_halves(&self, sums: &[Hidden; TOGETHER], halves: &[Lanes], slopes: &mut [Lanes], slope: &mut [Lanes]) {
        let length = 2 * self.model.shape.width;
        let numbers = numbers_of(halves);
        let first = part_mut(slope, &self.model.places.first);
        for (input, slope) in first.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
            for (sample, sums) in sums.iter().enumerate() {
                add_scaled(slope, numbers[sample * length + input], sums);
            }
        }
        let (tiles, weights) = (length / HIDDEN, rows(&self.first_by_output));
        let (halves, slopes) = (rows(halves), slopes.as_chunks_mut::<TILE>().0);
        for tile in 0..tiles {
            let mut totals = [[Lanes::ZERO; TILE]; TOGETHER];
            for output in 0..HIDDEN {
                let weights = &weights[output * tiles + tile];
                for (total, sums) in totals.iter_mut().zip(sums) {
                    add_scaled(total, numbers_of(sums)[output], weights);
                }
            }
            for (sample, totals) in totals.into_iter().enumerate() {
                let place = sample * tiles + tile;
                for at in 0..TILE {
                    slopes[place][at] = through(halves[place][at], totals[at]);
                }
            }
        }
    }

    fn back_to_bias(&self, samples: usize, slopes: &[Lanes], slope: &mut [Lanes]) {
        let width = self.model.shape.width / LANES;
        let bias = part_mut(slope, &self.model.places.bias);
        slopes.chunks_exact(width).take(2 * samples).for_each(|half| add(bias, half));
    }

    fn back_to_columns(&self, samples: &Samples, chosen: &[u32], slopes: &[Lanes], slope: &mut [Lanes]) {
        let width = self.model.shape.width / LANES;
        let columns = part_mut(slope, &self.model.places.columns);
        let mut column = |at: u32, half| add(&mut columns[at as usize * width..][..width], half);
        for (row, &at) in slopes.chunks_exact(2 * width).zip(chosen) {
            let (ours, theirs) = row.split_at(width);
            let [our_columns, their_columns] = self.sight.columns(&samples.seen[at as usize]);
            for (&our, &their) in our_columns.iter().zip(their_columns.iter()) {
                column(our, ours);
                column(their, theirs);
            }
        }
    }
}

/// What the small layers gave.
struct Forward {
    first: [Hidden; TOGETHER],
    second: [Hidden; TOGETHER],
    outputs: [f32; TOGETHER],
}

/// The share of games that an output promises.
#[inline(always)]
pub(super) fn expected(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}
