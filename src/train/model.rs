//! A network in floating point, as it is trained.

use crate::eval::nnue::{Dense, Features, Network, Parameters, Shape};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::ops::Range;
use wide::f32x16;

/// Outputs of both small layers.
pub(super) const HIDDEN: usize = 32;

/// No network is wider.
const WIDEST: usize = 4096;

/// What the integer network has for an activation of 1.
const ACTIVATION: f32 = 127.0;
/// What it has for a weight of 1 in the layers that are divided by it afterwards.
const WEIGHT: f32 = 64.0;
/// Half of that: the division rounds down, and this makes it round to the nearest.
const HALF: f32 = 32.0;

/// Numbers are computed so many at a time; every part of a model is a multiple of it.
pub(super) const LANES: usize = 16;
/// So many numbers.
pub(super) type Lanes = f32x16;

/// Where each part stands among the numbers of a model.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// For each input its column.
    pub columns: Range<usize>,
    pub bias: Range<usize>,
    /// Weights of the small layers are kept by input.
    pub first: Range<usize>,
    pub first_bias: Range<usize>,
    pub second: Range<usize>,
    pub second_bias: Range<usize>,
    pub last: Range<usize>,
    /// The first number is the bias, the others are none.
    pub last_bias: Range<usize>,
}

impl Places {
    pub fn new(shape: &Shape) -> Self {
        let mut end = 0;
        let mut next = |length: usize| {
            end += length;
            end - length..end
        };
        Self {
            columns: next(shape.features.inputs() * shape.width),
            bias: next(shape.width),
            first: next(2 * shape.width * HIDDEN),
            first_bias: next(HIDDEN),
            second: next(HIDDEN * HIDDEN),
            second_bias: next(HIDDEN),
            last: next(HIDDEN),
            last_bias: next(LANES),
        }
    }
}

/// A network in floating point. Its output is the logarithm of the odds that the side to move wins.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) shape: Shape,
    pub(super) places: Places,
    pub(super) lanes: Vec<Lanes>,
}

/// A shape that cannot be trained.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("only K+P networks with two hidden layers of {HIDDEN} and a width that is a multiple of 32 are trained")]
pub struct UnknownShape;

impl Model {
    /// A network that knows nothing yet.
    ///
    /// # Errors
    /// When such a shape cannot be trained.
    pub fn new(shape: Shape, seed: u64) -> Result<Self, UnknownShape> {
        let mut model = Self::zero(shape)?;
        let mut rng = SmallRng::seed_from_u64(seed);
        // As far as the sum of so many inputs stays within what is not cut off.
        let Places { columns, first, second, last, .. } = model.places.clone();
        for (place, inputs) in [(columns, 40), (first, 2 * shape.width), (second, HIDDEN), (last, HIDDEN)] {
            let reach = (1.0 / inputs as f32).sqrt();
            model.numbers_mut()[place].iter_mut().for_each(|number| *number = rng.random_range(-reach..reach));
        }
        let Places { bias, first_bias, second_bias, .. } = model.places.clone();
        for place in [bias, first_bias, second_bias] {
            model.numbers_mut()[place].fill(0.25);
        }
        Ok(model)
    }

    fn zero(shape: Shape) -> Result<Self, UnknownShape> {
        let known = shape.features == Features::Kp && shape.hidden == [HIDDEN; 2] && shape.width.is_multiple_of(32);
        if !known {
            return Err(UnknownShape);
        }
        let places = Places::new(&shape);
        let lanes = vec![Lanes::ZERO; places.last_bias.end / LANES];
        Ok(Self { shape, places, lanes })
    }

    /// A network of these numbers; `None` when they are not as many as such a network has, which is known before there is memory for it.
    pub(super) fn of_numbers(shape: Shape, numbers: &[f32]) -> Option<Self> {
        let fits = (1..=WIDEST).contains(&shape.width) && Places::new(&shape).last_bias.end == numbers.len();
        let mut model = if fits { Self::zero(shape).ok()? } else { return None };
        model.numbers_mut().copy_from_slice(numbers);
        Some(model)
    }

    /// All numbers, one by one.
    pub(super) fn numbers(&self) -> &[f32] {
        bytemuck::cast_slice(&self.lanes)
    }

    pub(super) fn numbers_mut(&mut self) -> &mut [f32] {
        bytemuck::cast_slice_mut(&mut self.lanes)
    }

    /// A network to be trained on.
    ///
    /// # Errors
    /// When such a shape cannot be trained.
    pub fn from_parameters(parameters: &Parameters, scale: f64) -> Result<Self, UnknownShape> {
        let mut model = Self::zero(parameters.shape)?;
        let output = output_unit(scale);
        let places = model.places.clone();
        let mut fill = |place: Range<usize>, numbers: &mut dyn Iterator<Item = f32>| {
            model.numbers_mut()[place].iter_mut().zip(numbers).for_each(|(number, read)| *number = read);
        };
        fill(places.columns, &mut parameters.columns.iter().map(|&number| f32::from(number) / ACTIVATION));
        fill(places.bias, &mut parameters.bias.iter().map(|&number| f32::from(number) / ACTIVATION));
        let [first, second, last] = &parameters.dense;
        for (dense, weights, bias) in
            [(first, places.first, places.first_bias), (second, places.second, places.second_bias)]
        {
            let inputs = dense.weights.len() / HIDDEN;
            let by_input = (0..inputs).flat_map(|input| (0..HIDDEN).map(move |output| output * inputs + input));
            fill(weights, &mut by_input.map(|at| f32::from(dense.weights[at]) / WEIGHT));
            fill(bias, &mut dense.bias.iter().map(|&number| (number as f32 - HALF) / (ACTIVATION * WEIGHT)));
        }
        fill(places.last, &mut last.weights.iter().map(|&number| f32::from(number) * ACTIVATION / output));
        fill(places.last_bias, &mut last.bias.iter().map(|&number| number as f32 / output));
        Ok(model)
    }

    /// The network in whole numbers. `scale` is the number of centipawns for an output of 1.
    pub fn parameters(&self, scale: f64) -> Parameters {
        let Places { columns, bias, first, first_bias, second, second_bias, last, last_bias } = self.places.clone();
        let output = output_unit(scale);
        let numbers = self.numbers();
        let of = |place: Range<usize>| numbers[place].iter();
        let shorts = |place| of(place).map(|number| (number * ACTIVATION).round() as i16).collect();
        let hidden = |weights: Range<usize>, bias: Range<usize>| {
            let weights = &numbers[weights];
            let by_output = (0..HIDDEN).flat_map(|output| weights[output..].iter().step_by(HIDDEN));
            Dense {
                bias: of(bias).map(|number| (number * ACTIVATION * WEIGHT + HALF).round() as i32).collect(),
                weights: by_output.map(|number| (number * WEIGHT).round() as i8).collect(),
            }
        };
        let last = Dense {
            bias: vec![(numbers[last_bias.start] * output).round() as i32],
            weights: of(last).map(|number| (number * output / ACTIVATION).round() as i8).collect(),
        };
        Parameters {
            shape: self.shape,
            bias: shorts(bias),
            columns: shorts(columns),
            dense: [hidden(first, first_bias), hidden(second, second_bias), last],
        }
    }

    /// The model with every weight as it will be in whole numbers. Slopes are taken here and followed from where the numbers really are
    /// ("straight-through", Bengio et al. 2013, <https://arxiv.org/abs/1308.3432>), so that training makes up for the rounding.
    pub(super) fn rounded(&self, scale: f64) -> Self {
        let mut rounded = self.clone();
        let Places { columns, bias, first, second, last, .. } = self.places.clone();
        let last_unit = output_unit(scale) / ACTIVATION;
        for (place, unit) in
            [(columns, ACTIVATION), (bias, ACTIVATION), (first, WEIGHT), (second, WEIGHT), (last, last_unit)]
        {
            rounded.numbers_mut()[place].iter_mut().for_each(|number| *number = (*number * unit).round() / unit);
        }
        rounded
    }

    /// Brings weights back into what whole numbers can hold.
    pub(super) fn clip(&mut self, scale: f64) {
        let most = f32::from(i8::MAX);
        let Places { first, second, last, .. } = self.places.clone();
        for (place, unit) in [(first, WEIGHT), (second, WEIGHT), (last, output_unit(scale) / ACTIVATION)] {
            let most = most / unit;
            self.numbers_mut()[place].iter_mut().for_each(|number| *number = number.clamp(-most, most));
        }
    }
}

/// What the integer network has for an output of 1: 90 for a pawn of 100 centipawns, times what it is divided by.
fn output_unit(scale: f64) -> f32 {
    (scale * 0.9 * f64::from(Network::USUAL_SCALE)) as f32
}
