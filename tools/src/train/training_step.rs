//! One training step with a batch.
//!
//! The optimiser is Adam with weight decay (AdamW: Loshchilov and Hutter, "Decoupled Weight Decay
//! Regularization", 2019, <https://arxiv.org/abs/1711.05101>).
//!
//! Where a batch touches few of very many features, only these are stepped; the moments of the
//! others stay ("lazy" Adam, such as PyTorch's `SparseAdam`). So the bias of the moments of a
//! feature is corrected with the number of its own steps. The second moments of a group's features
//! are at least those of its shared one: a rare feature would move as far as a frequent one, by the
//! noise of few positions.

use super::features::{FeatureIndexing, TouchedFeatures};
use super::gradient::Backprop;
use super::model::{LANES, Lanes, Model, add_rows, values_of, values_of_mut};
use super::samples::Samples;
use sabi::machine::parallel_map;
use serde::{Deserialize, Serialize};
use std::iter;
use std::ops::Range;

/// A batch is divided into this many parts for any number of threads, and their gradients are
/// summed in order: the result does not depend on the threads.
const PARTS: usize = 8;

/// State between steps besides the model.
pub(super) struct TrainingStep {
    indexing: FeatureIndexing,
    scale: f64,
    threads: usize,
    /// The model with quantised weights.
    quantised: Model,
    /// Partial sums for the dense parameters, and the feature gradient of each perspective of the batch.
    parts: Vec<Vec<Lanes>>,
    perspectives: Vec<Lanes>,
}

impl TrainingStep {
    pub fn new(model: &Model, scale: f64, threads: usize) -> Self {
        let indexing = FeatureIndexing::new(model.shape.features);
        // Sparse features have no partial sums.
        let weights = &model.part_ranges.feature_weights;
        let dense = if indexing.layout.is_factorised() { weights.start } else { weights.end };
        let parts = vec![vec![Lanes::ZERO; dense / LANES]; PARTS];
        Self { indexing, scale, threads, quantised: model.quantised(scale), parts, perspectives: Vec::new() }
    }

    /// Makes a step with a batch of sample indices, and returns the summed loss before it.
    pub fn run(
        &mut self,
        model: &mut Model,
        adam: &mut AdamW,
        samples: &Samples,
        batch: &[u32],
        settings: StepSettings,
    ) -> f64 {
        // The samples of each part by layer stack.
        let (share, mut batch) = (batch.len().div_ceil(PARTS), batch.to_vec());
        batch.chunks_mut(share).for_each(|part| part.sort_by_key(|&at| samples.stacks[at as usize]));
        let touched =
            self.indexing.layout.is_factorised().then(|| TouchedFeatures::new(&self.indexing, samples, &batch));
        self.quantised.requantise(model, touched.as_ref(), self.scale, self.threads);
        let perspectives = if touched.is_some() { batch.len() * 2 * model.shape.width / LANES } else { 0 };
        self.perspectives.resize(perspectives, Lanes::ZERO);
        let loss = self.compute_gradient(samples, &batch, share);
        let sparse = touched.as_ref().map(|touched| (touched, &self.perspectives[..]));
        adam.step(model.values_mut(), &mut self.parts, sparse, settings, self.threads);
        model.clip(self.scale);
        loss
    }

    /// Computes the gradient of a batch in parts of `share` samples, and returns the summed loss.
    fn compute_gradient(&mut self, samples: &Samples, batch: &[u32], share: usize) -> f64 {
        let backprop = &Backprop::new(&self.quantised, &self.indexing);
        let mut perspectives = self.perspectives.chunks_mut(share * 2 * self.quantised.shape.width / LANES);
        let parts = self.parts.iter_mut().zip(batch.chunks(share));
        let tasks = parts.map(|(sum, chosen)| (sum, chosen, perspectives.next().unwrap_or_default()));
        let losses = parallel_map(tasks, self.threads, |tasks| {
            let mut scratch = backprop.scratch();
            tasks.work(|(sum, chosen, perspectives)| {
                let loss = backprop.add(samples, chosen, &mut scratch, sum, perspectives);
                backprop.add_shared(sum);
                loss
            });
        });
        losses.iter().sum()
    }
}

/// Decay of the first moment.
const BETA1: f32 = 0.9;
/// Decay of the second moment.
const BETA2: f32 = 0.999;
/// Avoids division by zero.
const EPSILON: f32 = 1e-8;

/// First and second moments of the gradients: `m` and `v` of the paper.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct AdamW {
    m: Vec<f32>,
    v: Vec<f32>,
    steps: u32,
    /// Steps of each sparse feature.
    feature_steps: Vec<u32>,
}

/// Step settings.
#[derive(Copy, Clone)]
pub(super) struct StepSettings {
    /// Factor of the summed gradients.
    pub gradient_scale: f32,
    pub learning_rate: f32,
    /// Weight decay per unit of the learning rate.
    pub weight_decay: f32,
}

impl AdamW {
    /// `count` parameters, the last ones in `features` sparse features, or none.
    pub fn new(count: usize, features: usize) -> Self {
        Self { m: vec![0.0; count], v: vec![0.0; count], steps: 0, feature_steps: vec![0; features] }
    }

    /// Whether it is one for these numbers of parameters and of sparse features.
    pub fn fits(&self, count: usize, features: usize) -> bool {
        [self.m.len(), self.v.len()] == [count; 2] && self.feature_steps.len() == features
    }

    /// Makes a step with `parts`, partial sums of the gradient of the dense parameters, and clears
    /// them. For the sparse ones there is the gradient of each perspective, which applies to all its
    /// features; only touched features are stepped.
    pub fn step(
        &mut self,
        values: &mut [f32],
        parts: &mut [Vec<Lanes>],
        sparse: Option<(&TouchedFeatures, &[Lanes])>,
        settings: StepSettings,
        threads: usize,
    ) {
        self.steps = self.steps.saturating_add(1);
        let dense = parts.first().map_or(0, |part| values_of(part).len());
        let (values, features) = values.split_at_mut(dense);
        let (m, feature_m) = self.m.split_at_mut(dense);
        let (v, feature_v) = self.v.split_at_mut(dense);
        let factors = StepFactors::new(settings, self.steps);
        step_all(State { values, m, v }, parts, factors, threads);
        if let Some((touched, perspectives)) = sparse {
            let state = State { values: features, m: feature_m, v: feature_v };
            step_touched(state, &mut self.feature_steps, touched, perspectives, settings, threads);
        }
    }
}

/// Parameters with moments.
struct State<'s> {
    values: &'s mut [f32],
    m: &'s mut [f32],
    v: &'s mut [f32],
}

impl<'s> State<'s> {
    /// Splits off the first `count`.
    fn take(&mut self, count: usize) -> State<'s> {
        let take = |from: &mut &'s mut [f32]| from.split_off_mut(..count).unwrap_or_default();
        State { values: take(&mut self.values), m: take(&mut self.m), v: take(&mut self.v) }
    }

    /// A range of them.
    fn part(&mut self, place: Range<usize>) -> State<'_> {
        let Self { values, m, v } = self;
        State { values: &mut values[place.clone()], m: &mut m[place.clone()], v: &mut v[place] }
    }

    /// `bounds` are lower bounds of the second moments.
    #[inline(always)]
    fn step(&mut self, gradients: &[f32], factors: StepFactors, bounds: impl Iterator<Item = f32>) {
        let moments = self.m.iter_mut().zip(&mut *self.v).zip(bounds);
        for ((value, &gradient), ((m, v), bound)) in self.values.iter_mut().zip(gradients).zip(moments) {
            let gradient = gradient * factors.gradient_scale;
            *m = BETA1 * *m + (1.0 - BETA1) * gradient;
            *v = BETA2 * *v + (1.0 - BETA2) * gradient * gradient;
            let second_moment = (*v / factors.v_correction).max(bound);
            let step = factors.learning_rate * *m / (second_moment.sqrt() + EPSILON);
            // The decay is added to the step: a factor of the value would round to 1 when it is
            // small.
            *value -= step + factors.decay * *value;
        }
    }
}

/// Factors of a step.
#[derive(Copy, Clone)]
struct StepFactors {
    gradient_scale: f32,
    decay: f32,
    /// With the bias correction of `m`.
    learning_rate: f32,
    /// Bias correction of `v`.
    v_correction: f32,
}

impl StepFactors {
    /// `steps` is the number of steps of these parameters, this one included.
    fn new(settings: StepSettings, steps: u32) -> Self {
        let steps = i32::try_from(steps).unwrap_or(i32::MAX);
        let (m_correction, v_correction) = (1.0 - BETA1.powi(steps), 1.0 - BETA2.powi(steps));
        let StepSettings { gradient_scale, learning_rate, weight_decay } = settings;
        let (decay, learning_rate) = (learning_rate * weight_decay, learning_rate / m_correction);
        Self { gradient_scale, decay, learning_rate, v_correction }
    }
}

fn step_all(mut state: State<'_>, parts: &mut [Vec<Lanes>], factors: StepFactors, threads: usize) {
    let share = state.values.len().div_ceil(threads).next_multiple_of(LANES);
    let mut parts: Vec<_> = parts.iter_mut().map(|part| values_of_mut(part).chunks_mut(share)).collect();
    let tasks = (0..threads).map(|_| {
        let gradients: Vec<&mut [f32]> = parts.iter_mut().filter_map(Iterator::next).collect();
        (state.take(share.min(state.values.len())), gradients)
    });
    parallel_map(tasks, threads, |tasks| {
        tasks.work(|(mut state, mut gradients)| {
            let Some((sum, others)) = gradients.split_first_mut() else { return };
            for other in others {
                sum.iter_mut().zip(&**other).for_each(|(sum, gradient)| *sum += gradient);
                other.fill(0.0);
            }
            state.step(sum, factors, iter::repeat(0.0));
            sum.fill(0.0);
        });
    });
}

fn step_touched(
    mut state: State<'_>,
    mut steps: &mut [u32],
    touched: &TouchedFeatures,
    perspectives: &[Lanes],
    settings: StepSettings,
    threads: usize,
) {
    let tasks = touched.partition(threads).into_iter();
    let width = state.values.len() / touched.feature_count();
    let tasks = tasks.map(|share| {
        let steps = steps.split_off_mut(..share.len()).unwrap_or_default();
        (state.take(share.len() * width), steps, share)
    });
    parallel_map(tasks, threads, |tasks| {
        tasks.work(|(state, steps, share)| step_groups(state, steps, touched, share, perspectives, settings));
    });
}

/// Steps whole groups of features. The gradient of a shared feature is the sum over its group.
fn step_groups(
    mut state: State<'_>,
    mut steps: &mut [u32],
    touched: &TouchedFeatures,
    features: Range<usize>,
    perspectives: &[Lanes],
    settings: StepSettings,
) {
    let width = state.values.len() / steps.len().max(1);
    let factors = |steps: &mut u32| {
        *steps = steps.saturating_add(1);
        StepFactors::new(settings, *steps)
    };
    let (mut sums, mut total, mut bounds) = (Vec::new(), vec![Lanes::ZERO; width / LANES], vec![0.0; width]);
    for group in touched.groups(features) {
        let mut own_state = state.take((group.len() - 1) * width);
        let mut shared_state = state.take(width);
        let group_steps = steps.split_off_mut(..group.len()).unwrap_or_default();
        let Some((shared_steps, own_steps)) = group_steps.split_last_mut() else { continue };
        let own: Vec<_> =
            (0..own_steps.len()).filter(|at| !touched.perspectives(group.start + at).is_empty()).collect();
        if own.is_empty() {
            continue;
        }
        sums.clear();
        sums.resize(own.len() * total.len(), Lanes::ZERO);
        total.fill(Lanes::ZERO);
        for (&at, sum) in own.iter().zip(sums.chunks_exact_mut(total.len())) {
            add_rows(perspectives, touched.perspectives(group.start + at), sum);
            total.iter_mut().zip(sum).for_each(|(total, sum)| *total += *sum);
        }
        let shared_factors = factors(shared_steps);
        shared_state.step(values_of(&total), shared_factors, iter::repeat(0.0));
        let second_moments = bounds.iter_mut().zip(&*shared_state.v);
        second_moments.for_each(|(bound, v)| *bound = v / shared_factors.v_correction);
        for (&at, sum) in own.iter().zip(sums.chunks_exact(total.len())) {
            let mut part = own_state.part(at * width..(at + 1) * width);
            part.step(values_of(sum), factors(&mut own_steps[at]), bounds.iter().copied());
        }
    }
}
