//! The network in floating point, in vectors of several values.

use super::features::{Layout, TouchedFeatures};
use rand::{Rng, SeedableRng, rngs::SmallRng};
use sabi::eval::nnue::{Dense, Features, Network, Parameters, Shape, median_by, mirrored_indices};
use sabi::machine::parallel_map;
use sabi_shogi::Square;
use std::ops::Range;
use wide::f32x16;

/// Values per lane vector; every part of a model is a multiple of it.
pub(super) const LANES: usize = 16;
/// One vector.
pub(super) type Lanes = f32x16;

/// The values as a slice.
pub(super) fn values_of(lanes: &[Lanes]) -> &[f32] {
    bytemuck::cast_slice(lanes)
}

pub(super) fn values_of_mut(lanes: &mut [Lanes]) -> &mut [f32] {
    bytemuck::cast_slice_mut(lanes)
}

/// Adds rows of a table to `sums`, which has the length of a row.
#[inline]
pub(super) fn add_rows(table: &[Lanes], rows: &[u32], sums: &mut [Lanes]) {
    // The usual width at once, so that rows are read sequentially.
    match sums.len().is_multiple_of(16) {
        true => add_tiles::<16>(table, rows, sums),
        false => add_tiles::<2>(table, rows, sums),
    }
}

#[inline(always)]
fn add_tiles<const N: usize>(table: &[Lanes], rows: &[u32], sums: &mut [Lanes]) {
    let tiles = sums.len() / N;
    let table = table.as_chunks::<N>().0;
    for (tile, sums) in sums.as_chunks_mut::<N>().0.iter_mut().enumerate() {
        let mut total = *sums;
        for &row in rows {
            let values = &table[row as usize * tiles + tile];
            total.iter_mut().zip(values).for_each(|(total, number)| *total += *number);
        }
        *sums = total;
    }
}

/// Outputs of both hidden layers.
pub(super) const HIDDEN: usize = 32;

/// Maximum number of layer stacks: the state of each takes 1 MB.
const MAX_STACKS: usize = 1024;
/// Maximum width of the first layer.
const MAX_WIDTH: usize = 4096;

/// Quantised activation of 1.
const ACTIVATION: f32 = 127.0;
/// Own weights of factorised features are rounded to multiples of this, so that the file is small.
const OWN_STEP: f32 = 2.0;
/// Quantised weight of 1 in the hidden layers.
const WEIGHT: f32 = 64.0;
/// Half of it: turns the integer network's floor into rounding to nearest.
const HALF: f32 = 32.0;

/// Ranges of the parameters of a layer stack by part, in this order.
#[derive(Clone, Debug)]
pub(super) struct StackRanges {
    /// Weights of the hidden layers are stored by input.
    pub first: Range<usize>,
    pub first_bias: Range<usize>,
    pub second: Range<usize>,
    pub second_bias: Range<usize>,
    pub last: Range<usize>,
    /// The first value is the bias; the others are padding.
    pub last_bias: Range<usize>,
}

impl StackRanges {
    fn new(shape: &Shape, next: &mut impl FnMut(usize) -> Range<usize>) -> Self {
        Self {
            first: next(2 * shape.width * HIDDEN),
            first_bias: next(HIDDEN),
            second: next(HIDDEN * HIDDEN),
            second_bias: next(HIDDEN),
            last: next(HIDDEN),
            last_bias: next(LANES),
        }
    }

    /// All parts.
    pub fn whole(&self) -> Range<usize> {
        self.first.start..self.last_bias.end
    }

    /// Parts with 8-bit weights, each with the quantised value of 1.
    fn weights(&self, scale: f64) -> [(Range<usize>, f32); 3] {
        let last = output_unit(scale) / ACTIVATION;
        [(self.first.clone(), WEIGHT), (self.second.clone(), WEIGHT), (self.last.clone(), last)]
    }
}

/// Ranges of the parameters by part.
#[derive(Clone, Debug)]
pub(super) struct PartRanges {
    pub bias: Range<usize>,
    /// Shared by all layer stacks; the only one, if there are no others.
    pub shared: StackRanges,
    /// What each of several layer stacks adds to the shared one.
    pub own: Vec<StackRanges>,
    /// Feature weights, in the order of [`Layout`]; last, because only the touched ones
    /// may be stepped.
    pub feature_weights: Range<usize>,
}

impl PartRanges {
    pub fn new(shape: &Shape) -> Self {
        let mut end = 0;
        let mut next = |length: usize| {
            end += length;
            end - length..end
        };
        let bias = next(shape.width);
        let shared = StackRanges::new(shape, &mut next);
        let own = if shape.buckets.count() > 1 { shape.buckets.count() } else { 0 };
        let own = (0..own).map(|_| StackRanges::new(shape, &mut next)).collect();
        Self { bias, shared, own, feature_weights: next(Layout(shape.features).feature_count() * shape.width) }
    }

    /// A layer stack of a model without a shared one.
    pub fn stack(&self, stack: usize) -> &StackRanges {
        self.own.get(stack).unwrap_or(&self.shared)
    }
}

/// A network in floating point. Its output is the log odds of a win of the side to move. Features
/// with a king square or zone are factorised: an input adds its own weights and those shared by all. So
/// are several layer stacks: each is the sum of its own and the shared one.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) shape: Shape,
    pub(super) part_ranges: PartRanges,
    pub(super) lanes: Vec<Lanes>,
}

/// The shape is not supported.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "only K+P, HalfKP and HalfKA_z15 networks with two hidden layers of {HIDDEN}, a width that is a multiple of 32 \
     and at most {MAX_STACKS} layer stacks, none by progress, are trained"
)]
pub struct UnknownShape;

impl Model {
    /// A network with random weights.
    ///
    /// # Errors
    /// When the shape is not supported.
    pub fn new(shape: Shape, seed: u64) -> Result<Self, UnknownShape> {
        let mut model = Self::zero(shape)?;
        let mut rng = SmallRng::seed_from_u64(seed);
        // Bounded so that sums of all active inputs are rarely clipped.
        let mut draw = |values: &mut [f32], inputs: usize| {
            let reach = (1.0 / inputs as f32).sqrt();
            values.iter_mut().for_each(|number| *number = rng.random_range(-reach..reach));
        };
        let PartRanges { bias, shared, feature_weights, .. } = model.part_ranges.clone();
        // Own weights of factorised features start at 0: squares never seen use the shared weights
        // alone.
        let layout = Layout(shape.features);
        for (feature, values) in model.values_mut()[feature_weights].chunks_exact_mut(shape.width).enumerate() {
            if layout.is_shared(feature) == layout.is_factorised() {
                draw(values, 40);
            }
        }
        for (place, inputs) in [(shared.first, 2 * shape.width), (shared.second, HIDDEN), (shared.last, HIDDEN)] {
            draw(&mut model.values_mut()[place], inputs);
        }
        for place in [bias, shared.first_bias, shared.second_bias] {
            model.values_mut()[place].fill(0.25);
        }
        Ok(model)
    }

    fn zero(shape: Shape) -> Result<Self, UnknownShape> {
        let features = matches!(shape.features, Features::Kp | Features::HalfKp | Features::HalfKaZ15);
        let stacks = !shape.buckets.have_progress() && shape.buckets.count() <= MAX_STACKS;
        let layers = shape.sfnn.is_none() && shape.hidden == [HIDDEN; 2];
        let known = features && stacks && layers && shape.width.is_multiple_of(32);
        if !known {
            return Err(UnknownShape);
        }
        let part_ranges = PartRanges::new(&shape);
        let lanes = vec![Lanes::ZERO; part_ranges.feature_weights.end / LANES];
        Ok(Self { shape, part_ranges, lanes })
    }

    /// A network from its parameters; `None` when their number is wrong, which is checked before
    /// memory is allocated.
    pub(super) fn from_values(shape: Shape, values: &[f32]) -> Option<Self> {
        let fits =
            (1..=MAX_WIDTH).contains(&shape.width) && PartRanges::new(&shape).feature_weights.end == values.len();
        let mut model = if fits { Self::zero(shape).ok()? } else { return None };
        model.values_mut().copy_from_slice(values);
        Some(model)
    }

    /// All parameters.
    pub(super) fn values(&self) -> &[f32] {
        values_of(&self.lanes)
    }

    pub(super) fn values_mut(&mut self) -> &mut [f32] {
        values_of_mut(&mut self.lanes)
    }

    /// A model to continue training from a quantised network.
    ///
    /// # Errors
    /// When the shape is not supported.
    pub fn from_parameters(parameters: &Parameters, shape: Shape, scale: f64) -> Result<Self, UnknownShape> {
        let mut model = Self::zero(shape)?;
        let PartRanges { bias, shared, own, feature_weights } = model.part_ranges.clone();
        let values = model.values_mut()[bias].iter_mut();
        values.zip(&parameters.bias).for_each(|(number, &read)| *number = f32::from(read) / ACTIVATION);
        // The shared layer stack is the mean of all.
        let stacks: Vec<Vec<f32>> = parameters.stacks.iter().map(|stack| stack_values(stack, scale)).collect();
        let mean = |at: usize| stacks.iter().map(|stack| stack[at]).sum::<f32>() / stacks.len() as f32;
        let mean: Vec<f32> = (0..shared.whole().len()).map(mean).collect();
        model.values_mut()[shared.whole()].copy_from_slice(&mean);
        if stacks.len() == own.len() {
            for (own, stack) in own.iter().zip(stacks) {
                let values = model.values_mut()[own.whole()].iter_mut();
                values.zip(stack.iter().zip(&mean)).for_each(|(number, (whole, mean))| *number = whole - mean);
            }
        }
        // A factorised start takes the feature weights of the network without king squares as
        // shared ones; otherwise their medians become the shared ones.
        let layout = Layout(model.shape.features);
        let grows = parameters.shape.features != shape.features;
        for (input, read) in parameters.feature_weights.chunks_exact(model.shape.width).enumerate() {
            let place =
                model.weights_of(if grows { (input + 1) * layout.group() - 1 } else { layout.feature_of(input) });
            let values = model.values_mut()[place].iter_mut();
            values.zip(read).for_each(|(number, &read)| *number = f32::from(read) / ACTIVATION);
        }
        if layout.is_factorised() && !grows {
            let groups = model.values_mut()[feature_weights].chunks_exact_mut(layout.group() * shape.width);
            groups.for_each(|group| factor_out(group, shape.width));
        }
        Ok(model)
    }

    /// The quantised network. `scale` is centipawns for an output of 1.
    pub fn parameters(&self, scale: f64) -> Parameters {
        let bias = self.values()[self.part_ranges.bias.clone()].iter();
        Parameters {
            shape: self.shape,
            bias: bias.map(|&number| to_i16(number)).collect(),
            feature_weights: self.merged_weights(),
            progress: None,
            stacks: (0..self.shape.buckets.count()).map(|stack| self.dense(stack, scale)).collect(),
        }
    }

    /// A quantised layer stack.
    fn dense(&self, stack: usize, scale: f64) -> [Dense; 3] {
        let output = output_unit(scale);
        let values = self.stack_sums(stack);
        let StackRanges { first, first_bias, second, second_bias, last, last_bias } = &self.part_ranges.shared;
        let of = |place: &Range<usize>| &values[place.start - first.start..place.end - first.start];
        let hidden = |weights: &Range<usize>, bias: &Range<usize>| {
            let weights = of(weights);
            let by_output = (0..HIDDEN).flat_map(|output| weights[output..].iter().step_by(HIDDEN));
            Dense {
                bias: of(bias).iter().map(|number| (number * ACTIVATION * WEIGHT + HALF).round() as i32).collect(),
                weights: by_output.map(|number| (number * WEIGHT).round() as i8).collect(),
            }
        };
        let last = Dense {
            bias: vec![(of(last_bias)[0] * output).round() as i32],
            weights: of(last).iter().map(|number| (number * output / ACTIVATION).round() as i8).collect(),
        };
        [hidden(first, first_bias), hidden(second, second_bias), last]
    }

    /// A layer stack with the shared one added.
    fn stack_sums(&self, stack: usize) -> Vec<f32> {
        let shared = &self.values()[self.part_ranges.shared.whole()];
        match self.part_ranges.own.get(stack) {
            None => shared.to_vec(),
            Some(own) => self.values()[own.whole()].iter().zip(shared).map(|(own, shared)| own + shared).collect(),
        }
    }

    /// Feature weights by input, the shared ones added.
    fn merged_weights(&self) -> Vec<i16> {
        let (layout, width) = (Layout(self.shape.features), self.shape.width);
        let values = &self.values()[self.part_ranges.feature_weights.clone()];
        if !layout.is_factorised() {
            return values.iter().map(|&number| to_i16(number)).collect();
        }
        let mut merged = vec![0; layout.0.inputs() * width];
        for (piece, group) in values.chunks_exact(layout.group() * width).enumerate() {
            for (at, sums) in quantised_sums(group, width).enumerate() {
                let input = layout.input_of(piece * layout.group() + at);
                let weights = merged[input * width..].iter_mut();
                weights.zip(sums).for_each(|(number, sum)| *number = sum as i16);
            }
        }
        merged
    }

    /// Parameter range of a feature.
    pub(super) fn weights_of(&self, feature: usize) -> Range<usize> {
        let begin = self.part_ranges.feature_weights.start + feature * self.shape.width;
        begin..begin + self.shape.width
    }

    /// The model with quantised weights and shared ones added. Gradients are computed here and
    /// applied to the full-precision parameters (straight-through estimator, Bengio et al. 2013,
    /// <https://arxiv.org/abs/1308.3432>), so that training adapts to quantisation.
    pub(super) fn quantised(&self, scale: f64) -> Self {
        let mut quantised = self.clone();
        quantised.requantise(self, None, scale, 1);
        quantised
    }

    /// Updates this [rounded](Self::quantised) model after a change of `model`: of the feature
    /// weights only the touched ones, if there are such.
    pub(super) fn requantise(&mut self, model: &Self, touched: Option<&TouchedFeatures>, scale: f64, threads: usize) {
        self.quantise_hidden(model, scale);
        let PartRanges { feature_weights, .. } = model.part_ranges.clone();
        let (from, mut to) = (&model.values()[feature_weights.clone()], &mut self.values_mut()[feature_weights]);
        let (layout, width) = (Layout(model.shape.features), model.shape.width);
        let length = layout.group() * width;
        let Some(touched) = touched else {
            if !layout.is_factorised() {
                return round(from, to, ACTIVATION);
            }
            let groups = from.chunks_exact(length).zip(to.chunks_exact_mut(length));
            return groups.for_each(|(from, to)| quantise_group(from, to, width, |_| true));
        };
        let shares = touched.partition(threads).into_iter();
        let tasks = shares.map(|share| (to.split_off_mut(..share.len() * width).unwrap_or_default(), share));
        parallel_map(tasks, threads, |tasks| {
            tasks.work(|(to, share)| {
                for (group, to) in touched.groups(share).zip(to.chunks_exact_mut(length)) {
                    let from = &from[group.start * width..group.end * width];
                    quantise_group(from, to, width, |at| !touched.perspectives(group.start + at).is_empty());
                }
            });
        });
    }

    /// Rounds everything but the feature weights, layer stacks with the shared one added.
    fn quantise_hidden(&mut self, model: &Self, scale: f64) {
        let PartRanges { bias, .. } = model.part_ranges.clone();
        round(&model.values()[bias.clone()], &mut self.values_mut()[bias], ACTIVATION);
        for stack in 0..model.shape.buckets.count() {
            let ranges = self.part_ranges.stack(stack).clone();
            self.values_mut()[ranges.whole()].copy_from_slice(&model.stack_sums(stack));
            for (place, unit) in ranges.weights(scale) {
                self.values_mut()[place].iter_mut().for_each(|number| *number = (*number * unit).round() / unit);
            }
        }
    }

    /// Clips weights to the range of their integer types.
    pub(super) fn clip(&mut self, scale: f64) {
        let PartRanges { shared, own, .. } = self.part_ranges.clone();
        for (place, unit) in shared.weights(scale) {
            let most = f32::from(i8::MAX) / unit;
            self.values_mut()[place].iter_mut().for_each(|number| *number = number.clamp(-most, most));
        }
        for own in &own {
            for ((place, unit), (by, _)) in own.weights(scale).into_iter().zip(shared.weights(scale)) {
                let most = f32::from(i8::MAX) / unit;
                let (shared, own) = self.values_mut().split_at_mut(place.start);
                let pairs = own[..place.len()].iter_mut().zip(&shared[by]);
                // Not `clamp`, which panics after divergence.
                pairs.for_each(|(own, shared)| *own = own.max(-most - shared).min(most - shared));
            }
        }
    }
}

/// The values of a quantised layer stack, in the order of [`StackRanges`].
fn stack_values([first, second, last]: &[Dense; 3], scale: f64) -> Vec<f32> {
    let output = output_unit(scale);
    let mut values = Vec::new();
    for dense in [first, second] {
        let inputs = dense.weights.len() / HIDDEN;
        let by_input = (0..inputs).flat_map(|input| (0..HIDDEN).map(move |output| output * inputs + input));
        values.extend(by_input.map(|at| f32::from(dense.weights[at]) / WEIGHT));
        values.extend(dense.bias.iter().map(|&number| (number as f32 - HALF) / (ACTIVATION * WEIGHT)));
    }
    values.extend(last.weights.iter().map(|&number| f32::from(number) * ACTIVATION / output));
    values.extend(last.bias.iter().map(|&number| number as f32 / output));
    values.resize(values.len() + LANES - 1, 0.0);
    values
}

/// Quantises to i16.
fn to_i16(number: f32) -> i16 {
    (number * ACTIVATION).round() as i16
}

/// Rounds to multiples of `1 / unit`.
fn round(from: &[f32], to: &mut [f32], unit: f32) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = (from * unit).round() / unit);
}

/// Quantised weights of the features of a group, each with the shared one, the last, added.
fn quantised_sums(group: &[f32], width: usize) -> impl Iterator<Item = impl Iterator<Item = f32>> {
    let (own, shared) = group.split_at(group.len() - width);
    let sum =
        |(own, shared): (&f32, &f32)| (own * ACTIVATION / OWN_STEP).round() * OWN_STEP + (shared * ACTIVATION).round();
    own.chunks_exact(width).map(move |own| own.iter().zip(shared).map(sum))
}

/// Makes the median of the weights of a group the shared one, which is 0 before.
fn factor_out(group: &mut [f32], width: usize) {
    let (own, shared) = group.split_at_mut(group.len() - width);
    for (at, shared) in shared.iter_mut().enumerate() {
        *shared = median_by(own.iter().skip(at).step_by(width).copied().collect(), f32::total_cmp);
        own.iter_mut().skip(at).step_by(width).for_each(|own| *own -= *shared);
    }
}

/// Rounds the weights of selected features of a group with the shared one added; the shared one
/// becomes 0.
fn quantise_group(from: &[f32], to: &mut [f32], width: usize, is_selected: impl Fn(usize) -> bool) {
    let (own, shared) = to.split_at_mut(from.len() - width);
    for (at, (sums, to)) in quantised_sums(from, width).zip(own.chunks_exact_mut(width)).enumerate() {
        if is_selected(at) {
            to.iter_mut().zip(sums).for_each(|(to, sum)| *to = sum / ACTIVATION);
        }
    }
    shared.fill(0.0);
}

/// Quantised output of 1: 90 for a pawn of 100 centipawns, times the divisor.
fn output_unit(scale: f64) -> f32 {
    (scale * 0.9 * f64::from(Network::DEFAULT_FV_SCALE)) as f32
}

/// The same network with weights for each own king square, readable by other engines: HalfKA_z15
/// becomes HalfKA1, anything else is unchanged.
pub fn expand_zones(network: Parameters) -> Parameters {
    if network.shape.features != Features::HalfKaZ15 {
        return network;
    }
    let (zones, squares) = (Features::HalfKaZ15, Features::HalfKa1);
    let (width, mirrored) = (network.shape.width, &mirrored_indices());
    let feature_weights = (0..Square::COUNT)
        .flat_map(|king| {
            let (zone, is_mirrored) = zones.king_bucket(king);
            (0..squares.bucket_inputs()).map(move |number| {
                zone * zones.bucket_inputs() + if is_mirrored { mirrored[number].into() } else { number }
            })
        })
        .flat_map(|input| &network.feature_weights[input * width..][..width])
        .copied()
        .collect();
    Parameters { shape: Shape { features: squares, ..network.shape }, feature_weights, ..network }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng, rngs::SmallRng};
    use sabi::eval::nnue::{Dense, Network};
    use sabi_shogi::{Position, legal_moves};

    fn random(features: Features) -> Parameters {
        let mut rng = SmallRng::seed_from_u64(4);
        let shape = Shape { features, width: 32, hidden: [8, 8], ..Shape::KP };
        let bias = (0..shape.width).map(|_| rng.random_range(-60..120)).collect();
        let feature_weights = (0..shape.width * features.inputs()).map(|_| rng.random_range(-30..=30)).collect();
        let stack = shape.dense().map(|(inputs, outputs)| Dense {
            bias: (0..outputs).map(|_| rng.random_range(-4000..4000)).collect(),
            weights: (0..inputs * outputs).map(|_| rng.random_range(-128..=127)).collect(),
        });
        Parameters { shape, bias, feature_weights, progress: None, stacks: vec![stack] }
    }

    #[test]
    fn expanded_zones_keep_values() {
        let zones = random(Features::HalfKaZ15);
        let expanded = expand_zones(zones.clone());
        assert_eq!(expanded.shape, Shape { features: Features::HalfKa1, ..zones.shape });
        let [zones, squares] = [zones, expanded].map(|network| Network::new(&network).unwrap());
        for seed in 0..20 {
            let mut rng = SmallRng::seed_from_u64(seed);
            let mut position = Position::startpos();
            for _ in 0..120 {
                assert_eq!(zones.output(&position), squares.output(&position), "{}", position.sfen());
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                position.play(moves[rng.random_range(0..moves.len())]);
            }
        }
        let other = random(Features::Kp);
        assert_eq!(expand_zones(other.clone()), other);
    }
}
