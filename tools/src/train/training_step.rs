//! One training step with a batch.

use super::adam::{Adam, Gradients, StepSettings};
use super::feature_indexing::FeatureIndexing;
use super::gradient::Backprop;
use super::lanes::{LANES, Lanes};
use super::model::Model;
use super::samples::Samples;
use super::touched::TouchedFeatures;
use sabi::util::parallel_map;

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
        let part_ranges = &model.part_ranges;
        let dense = if indexing.layout.is_factorised() {
            part_ranges.feature_weights.start
        } else {
            part_ranges.feature_weights.end
        };
        let parts = vec![vec![Lanes::ZERO; dense / LANES]; PARTS];
        Self { indexing, scale, threads, quantised: model.quantised(scale), parts, perspectives: Vec::new() }
    }

    /// Makes a step with a batch of sample indices, and returns the summed loss before it.
    pub fn run(
        &mut self,
        model: &mut Model,
        adam: &mut Adam,
        samples: &Samples,
        batch: &[u32],
        settings: StepSettings,
    ) -> f64 {
        let batch = &by_stack(samples, batch)[..];
        let touched =
            self.indexing.layout.is_factorised().then(|| TouchedFeatures::new(&self.indexing, samples, batch));
        self.quantised.requantise(model, touched.as_ref(), self.scale, self.threads);
        let perspectives = if touched.is_some() { batch.len() * 2 * model.shape.width / LANES } else { 0 };
        self.perspectives.resize(perspectives, Lanes::ZERO);
        let loss = self.compute_gradient(samples, batch);
        let sparse = touched.as_ref().map(|touched| (touched, &self.perspectives[..]));
        adam.step(model.values_mut(), Gradients { parts: &mut self.parts, sparse }, settings, self.threads);
        model.clip(self.scale);
        loss
    }

    /// Computes the gradient of a batch, and returns the summed loss.
    fn compute_gradient(&mut self, samples: &Samples, batch: &[u32]) -> f64 {
        let backprop = &Backprop::new(&self.quantised, &self.indexing);
        let share = share_of(batch);
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

/// Samples of a part.
fn share_of(batch: &[u32]) -> usize {
    batch.len().div_ceil(PARTS)
}

/// The batch with the samples of each part by layer stack.
fn by_stack(samples: &Samples, batch: &[u32]) -> Vec<u32> {
    let mut sorted = batch.to_vec();
    sorted.chunks_mut(share_of(batch)).for_each(|part| part.sort_by_key(|&at| samples.stacks[at as usize]));
    sorted
}
