//! Loss, predictions and activations on samples.

use super::feature_indexing::FeatureIndexing;
use super::gradient::{Backprop, Scratch, expected};
use super::model::Model;
use super::samples::Samples;
use sabi::util::parallel_map;

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
