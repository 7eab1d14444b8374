//! How far the quantised network is from the one in floating point.

use super::fit::{Fit, FitError, Material};
use super::gradient::Slope;
use super::sight::Sight;
use sabi::eval::nnue::Network;

/// The most samples that rounding is measured on.
const ROUNDED: usize = 1 << 16;

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
