//! Quantisation error.

use super::feature_indexing::FeatureIndexing;
use super::fit::{Fit, FitError, TrainingData};
use super::gradient::Backprop;
use sabi::eval::nnue::Network;

/// Maximum number of samples.
const MAX_SAMPLES: usize = 1 << 16;

impl Fit {
    /// The difference between integer and floating-point arithmetic with the same rounded weights,
    /// in centipawns over the first validation positions, at most 65,536: mean and maximum.
    ///
    /// # Errors
    /// When the network is damaged, or memory is insufficient.
    pub fn quantisation_error(&self, data: &TrainingData<'_>) -> Result<(f64, f64), FitError> {
        let model = self.model()?;
        let network = Network::new(&model.parameters(self.settings().scale))?;
        let model = model.quantised(self.settings().scale);
        let indexing = FeatureIndexing::new(model.shape.features);
        let chosen: Vec<u32> = (0..data.validation.len().min(MAX_SAMPLES) as u32).collect();
        let backprop = Backprop::new(&model, &indexing);
        let outputs = backprop.outputs(&data.validation, &chosen, &mut backprop.scratch());
        let (mut sum, mut most) = (0.0, 0.0_f64);
        for (&at, output) in chosen.iter().zip(outputs) {
            let inputs = indexing.active_features(&data.validation.feature_indices[at as usize]).map(|active| {
                active.iter().map(|&feature| indexing.layout.input_of(feature as usize)).collect::<Vec<_>>()
            });
            let stack = data.validation.stack(&[at]);
            let whole = f64::from(network.output_of(inputs.each_ref().map(Vec::as_slice), stack))
                / f64::from(Network::DEFAULT_FV_SCALE)
                / 0.9;
            let off = (whole - f64::from(output) * self.settings().scale).abs();
            (sum, most) = (sum + off, most.max(off));
        }
        Ok((sum / chosen.len() as f64, most))
    }
}
