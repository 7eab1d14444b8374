//! Adam with decay of the weights (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019,
//! <https://arxiv.org/abs/1711.05101>).

use super::model::Lanes;
use serde::{Deserialize, Serialize};
use std::thread;

/// How much of the mean of slopes stays from step to step.
const MEAN: f32 = 0.9;
/// How much of the mean of their squares stays.
const SQUARE: f32 = 0.999;
/// Keeps what is never seen from being divided by nothing.
const SMALL: f32 = 1e-8;

/// What has been seen of the slopes.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: u32,
}

impl Adam {
    pub fn new(count: usize) -> Self {
        Self { means: vec![0.0; count], squares: vec![0.0; count], steps: 0 }
    }

    /// For how many numbers it is.
    pub fn len(&self) -> usize {
        self.means.len()
    }

    /// Moves all numbers one step downhill, by the sum of the slopes times `share`, and sets the slopes to zero. `decay` is the part of
    /// every number that goes away for each unit of `rate`.
    pub fn step(
        &mut self,
        numbers: &mut [f32],
        slopes: &mut [Vec<Lanes>],
        share: f32,
        rate: f32,
        decay: f32,
        threads: usize,
    ) {
        self.steps = self.steps.saturating_add(1);
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let (mean_share, square_share) = (1.0 - MEAN.powi(steps), 1.0 - SQUARE.powi(steps));
        let (keep, rate) = (1.0 - rate * decay, rate / mean_share);
        let part = numbers.len().div_ceil(threads).next_multiple_of(16);
        let mut slopes: Vec<_> = slopes.iter_mut().map(|slope| numbers_of(slope).chunks_mut(part)).collect();
        thread::scope(|scope| {
            let states = self.means.chunks_mut(part).zip(self.squares.chunks_mut(part));
            for (numbers, (means, squares)) in numbers.chunks_mut(part).zip(states) {
                let mut slopes: Vec<&mut [f32]> = slopes.iter_mut().filter_map(Iterator::next).collect();
                scope.spawn(move || {
                    let Some((sum, others)) = slopes.split_first_mut() else { return };
                    for other in others {
                        sum.iter_mut().zip(&**other).for_each(|(sum, slope)| *sum += slope);
                        other.fill(0.0);
                    }
                    let state = means.iter_mut().zip(squares);
                    for ((number, slope), (mean, square)) in numbers.iter_mut().zip(&mut **sum).zip(state) {
                        let downhill = *slope * share;
                        *mean = MEAN * *mean + (1.0 - MEAN) * downhill;
                        *square = SQUARE * *square + (1.0 - SQUARE) * downhill * downhill;
                        *number = *number * keep - rate * *mean / ((*square / square_share).sqrt() + SMALL);
                        *slope = 0.0;
                    }
                });
            }
        });
    }
}

fn numbers_of(lanes: &mut [Lanes]) -> &mut [f32] {
    bytemuck::cast_slice_mut(lanes)
}
