//! What a network makes of samples that judge it.

use super::fit::{Fit, FitError, Material};
use super::gradient::{Scratch, Slope, expected};
use super::model::Model;
use super::samples::Samples;
use super::sight::Sight;
use sabi::eval::nnue::Network;
use sabi::util::share_out;

/// Samples of a part: threads share out whole parts, so their number changes nothing.
const PART: usize = 1024;
/// The most samples that rounding is measured on.
const ROUNDED: usize = 1 << 16;

/// What `look` sees in each part of the samples, in order.
fn by_parts<T: Send>(
    model: &Model,
    samples: &Samples,
    threads: usize,
    look: impl Fn(&Slope<'_>, &[u32], &mut Scratch) -> T + Sync,
) -> Vec<T> {
    let sight = Sight::new(model.shape.features);
    let slope = Slope::new(model, &sight);
    let all: Vec<u32> = (0..samples.len() as u32).collect();
    let parts: Vec<&[u32]> = all.chunks(PART).collect();
    share_out(parts.len(), threads, |tasks| {
        let mut scratch = slope.scratch();
        tasks.work(|part| look(&slope, parts[part], &mut scratch));
    })
}

/// The mean of the losses.
pub(super) fn mean_loss(model: &Model, samples: &Samples, threads: usize) -> f64 {
    let sums = by_parts(model, samples, threads, |slope, chosen, scratch| slope.loss(samples, chosen, scratch));
    sums.iter().sum::<f64>() / samples.len() as f64
}

/// The share of the game that is predicted for each sample.
pub(super) fn shares(model: &Model, samples: &Samples, threads: usize) -> Vec<f64> {
    let outputs = by_parts(model, samples, threads, |slope, chosen, scratch| slope.outputs(samples, chosen, scratch));
    outputs.into_iter().flatten().map(|output| f64::from(expected(output))).collect()
}

/// For each output of the first layer, for what part of the samples it is above 0, each seen from both sides.
pub(super) fn activity(model: &Model, samples: &Samples, threads: usize) -> Vec<f64> {
    let counts = by_parts(model, samples, threads, |slope, chosen, scratch| {
        let mut counts = vec![0; model.shape.width];
        slope.count_active(samples, chosen, scratch, &mut counts);
        counts
    });
    let count = |unit: usize| counts.iter().map(|counts| u64::from(counts[unit])).sum::<u64>();
    (0..model.shape.width).map(|unit| count(unit) as f64 / (2 * samples.len()) as f64).collect()
}

impl Fit {
    /// How far the whole numbers of the network are from what they stand for, in centipawns: mean and most over samples that judge.
    ///
    /// # Errors
    /// When the network is damaged, or there is no memory for it.
    pub fn rounding(&self, material: &Material<'_>) -> Result<(f64, f64), FitError> {
        let model = self.model()?;
        let network = Network::new(&model.parameters(self.plan().scale))?;
        let model = model.rounded(self.plan().scale);
        let sight = Sight::new(model.shape.features);
        let chosen: Vec<u32> = (0..material.validation.len().min(ROUNDED) as u32).collect();
        let slope = Slope::new(&model, &sight);
        let outputs = slope.outputs(&material.validation, &chosen, &mut slope.scratch());
        let (mut sum, mut most) = (0.0, 0.0_f64);
        for (&at, output) in chosen.iter().zip(outputs) {
            let inputs = sight.columns(&material.validation.seen[at as usize]).map(|columns| {
                columns.iter().map(|&column| sight.layout.input_of(column as usize)).collect::<Vec<_>>()
            });
            let whole = f64::from(network.output_of(inputs.each_ref().map(Vec::as_slice)))
                / f64::from(Network::USUAL_SCALE)
                / 0.9;
            let off = (whole - f64::from(output) * self.plan().scale).abs();
            (sum, most) = (sum + off, most.max(off));
        }
        Ok((sum / chosen.len() as f64, most))
    }
}
