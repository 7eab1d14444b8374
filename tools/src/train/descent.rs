//! Steps downhill, batch by batch.

use super::adam::{Adam, Pace, Slopes};
use super::gradient::Slope;
use super::lanes::{LANES, Lanes};
use super::model::Model;
use super::samples::Samples;
use super::sight::Sight;
use super::touched::Touched;
use std::thread;

/// Batches are divided into so many parts, whatever the number of threads, and their slopes are summed up in order: so the result does not
/// depend on the threads.
const PARTS: usize = 8;

/// What is kept from step to step besides the model.
pub(super) struct Descent {
    sight: Sight,
    scale: f64,
    threads: usize,
    /// The model as it will be in whole numbers.
    rounded: Model,
    /// Sums for the numbers that every step moves, and for each view of the batch the slope of the columns that it sets.
    parts: Vec<Vec<Lanes>>,
    views: Vec<Lanes>,
}

impl Descent {
    pub fn new(model: &Model, scale: f64, threads: usize) -> Self {
        let sight = Sight::new(model.shape.features);
        // Columns of which a batch touches only some are not summed up in parts.
        let places = &model.places;
        let dense = if sight.layout.is_factorised() { places.columns.start } else { places.columns.end };
        let parts = vec![vec![Lanes::ZERO; dense / LANES]; PARTS];
        Self { sight, scale, threads, rounded: model.rounded(scale), parts, views: Vec::new() }
    }

    /// Makes a step with a batch, given by the places of its samples, and gives the sum of their losses before it.
    pub fn step(&mut self, model: &mut Model, adam: &mut Adam, samples: &Samples, batch: &[u32], pace: Pace) -> f64 {
        let touched = self.sight.layout.is_factorised().then(|| Touched::new(&self.sight, samples, batch));
        self.rounded.round_again(model, touched.as_ref(), self.scale, self.threads);
        let views = if touched.is_some() { batch.len() * 2 * model.shape.width / LANES } else { 0 };
        self.views.resize(views, Lanes::ZERO);
        let loss = self.look_down(samples, batch);
        let columns = touched.as_ref().map(|touched| (touched, &self.views[..]));
        adam.step(model.numbers_mut(), Slopes { parts: &mut self.parts, columns }, pace, self.threads);
        model.clip(self.scale);
        loss
    }

    /// Finds the slopes of a batch, and gives the sum of its losses.
    fn look_down(&mut self, samples: &Samples, batch: &[u32]) -> f64 {
        let slope = &Slope::new(&self.rounded, &self.sight);
        let share = batch.len().div_ceil(PARTS);
        let mut views = self.views.chunks_mut(share * 2 * self.rounded.shape.width / LANES);
        let parts = self.parts.iter_mut().zip(batch.chunks(share));
        let mut work: Vec<_> =
            parts.map(|(sum, chosen)| (sum, chosen, views.next().unwrap_or_default(), 0.0)).collect();
        thread::scope(|scope| {
            for some in work.chunks_mut(PARTS.div_ceil(self.threads)) {
                scope.spawn(move || {
                    let mut scratch = slope.scratch();
                    for (sum, chosen, views, loss) in some {
                        *loss = slope.add(samples, chosen, &mut scratch, sum, views);
                    }
                });
            }
        });
        work.iter().map(|(.., loss)| loss).sum()
    }
}
