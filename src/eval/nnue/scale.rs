//! Output scale of a network.
//!
//! Output sizes differ between networks, but search margins are in centipawns. The divisor
//! normalises the median absolute deviation of the outputs over a fixed set of positions.

use super::Network;
use crate::eval::sample::sample;
use crate::machine::median_by;

/// Deviation of the network for which the search was tuned, with divisor 16.
const REFERENCE: i64 = 5667;

impl Network {
    /// `16 * median(|output - median(output)|) / REFERENCE`, from 1 to 128; 16 if all outputs are
    /// equal.
    pub fn measured_scale(&self) -> i32 {
        let outputs: Vec<i64> = sample().map(|position| self.output(&position).into()).collect();
        let center = median_by(outputs.clone(), i64::cmp);
        let spread = median_by(outputs.iter().map(|output| (output - center).abs()).collect(), i64::cmp);
        if spread == 0 {
            return Self::DEFAULT_FV_SCALE;
        }
        let scale = (i64::from(Self::DEFAULT_FV_SCALE) * spread + REFERENCE / 2) / REFERENCE;
        scale.clamp(1, Self::MAX_SCALE.into()) as i32
    }

    /// The network with its measured scale.
    #[must_use]
    pub fn with_measured_scale(self) -> Self {
        let scale = self.measured_scale();
        self.with_scale(scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::{Parameters, Shape};

    fn measured(change: impl FnOnce(&mut Parameters)) -> i32 {
        let file = include_bytes!("../../../nets/kp.bin");
        let mut parameters = Parameters::from_bytes(file).unwrap();
        assert_eq!(parameters.shape, Shape::KP);
        change(&mut parameters);
        Network::new(&parameters).unwrap().measured_scale()
    }

    #[test]
    fn measured_scale_follows_output_spread() {
        let shipped = measured(|_| {});
        assert!((11..=15).contains(&shipped), "{shipped}");
        let halved = measured(|parameters| {
            parameters.stacks[0][2].weights.iter_mut().for_each(|weight| *weight /= 2);
            parameters.stacks[0][2].bias[0] /= 2;
        });
        assert!((shipped / 2 - 1..=shipped / 2 + 1).contains(&halved), "{halved} of {shipped}");
        let silent = measured(|parameters| {
            parameters.stacks[0][2].weights.fill(0);
            parameters.stacks[0][2].bias[0] = 0;
        });
        assert_eq!(silent, Network::DEFAULT_FV_SCALE);
    }
}
