//! Adam with weight decay (AdamW: Loshchilov and Hutter, "Decoupled Weight Decay Regularization",
//! 2019, <https://arxiv.org/abs/1711.05101>).
//!
//! Where a batch touches few of very many columns, only these are stepped; the moments of the
//! others stay ("lazy" Adam, such as PyTorch's `SparseAdam`). So the bias of the moments of a
//! column is corrected with the number of its own steps.

use super::lanes::{LANES, Lanes, add_rows, numbers_of, numbers_of_mut};
use super::touched::TouchedColumns;
use sabi::util::distribute;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Decay of the first moment.
const BETA1: f32 = 0.9;
/// Decay of the second moment.
const BETA2: f32 = 0.999;
/// Avoids division by zero.
const EPSILON: f32 = 1e-8;

/// First and second moments of the gradients.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: u32,
    /// Steps of each sparse column.
    column_steps: Vec<u32>,
}

/// Step settings.
#[derive(Copy, Clone)]
pub(super) struct LearningRate {
    /// Factor of the summed gradients.
    pub share: f32,
    pub rate: f32,
    /// Weight decay per unit of `rate`.
    pub decay: f32,
}

/// Gradients of a batch.
pub(super) struct Gradients<'s> {
    /// Partial sums for the dense parameters.
    pub parts: &'s mut [Vec<Lanes>],
    /// Sparse part: gradient of each view, which applies to all its columns; only touched columns
    /// are stepped.
    pub columns: Option<(&'s TouchedColumns, &'s [Lanes])>,
}

impl Adam {
    /// `count` parameters, the last ones in `columns` sparse columns, or none.
    pub fn new(count: usize, columns: usize) -> Self {
        Self { means: vec![0.0; count], squares: vec![0.0; count], steps: 0, column_steps: vec![0; columns] }
    }

    /// Whether it is one for these numbers of parameters and of sparse columns.
    pub fn fits(&self, count: usize, columns: usize) -> bool {
        [self.means.len(), self.squares.len()] == [count; 2] && self.column_steps.len() == columns
    }

    /// Makes a step and clears the partial sums.
    pub fn step(&mut self, numbers: &mut [f32], gradients: Gradients<'_>, learning_rate: LearningRate, threads: usize) {
        self.steps = self.steps.saturating_add(1);
        let dense = gradients.parts.first().map_or(0, |part| numbers_of(part).len());
        let (numbers, columns) = numbers.split_at_mut(dense);
        let (means, column_means) = self.means.split_at_mut(dense);
        let (squares, column_squares) = self.squares.split_at_mut(dense);
        let factors = StepFactors::new(learning_rate, self.steps);
        step_all(State { numbers, means, squares }, gradients.parts, factors, threads);
        if let Some((touched, views)) = gradients.columns {
            let state = State { numbers: columns, means: column_means, squares: column_squares };
            step_touched(state, &mut self.column_steps, touched, views, learning_rate, threads);
        }
    }
}

/// Parameters with moments.
struct State<'s> {
    numbers: &'s mut [f32],
    means: &'s mut [f32],
    squares: &'s mut [f32],
}

impl<'s> State<'s> {
    /// Splits off the first `count`.
    fn take(&mut self, count: usize) -> State<'s> {
        let take = |from: &mut &'s mut [f32]| from.split_off_mut(..count).unwrap_or_default();
        State { numbers: take(&mut self.numbers), means: take(&mut self.means), squares: take(&mut self.squares) }
    }

    /// A range of them.
    fn part(&mut self, place: Range<usize>) -> State<'_> {
        let Self { numbers, means, squares } = self;
        State { numbers: &mut numbers[place.clone()], means: &mut means[place.clone()], squares: &mut squares[place] }
    }

    #[inline(always)]
    fn step(self, gradients: &[f32], factors: StepFactors) {
        let moments = self.means.iter_mut().zip(self.squares);
        for ((number, &gradient), (mean, square)) in self.numbers.iter_mut().zip(gradients).zip(moments) {
            let gradient = gradient * factors.share;
            *mean = BETA1 * *mean + (1.0 - BETA1) * gradient;
            *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
            let step = factors.rate * *mean / ((*square / factors.square_share).sqrt() + EPSILON);
            // The decay is added to the step: a factor of the number would round to 1 when it is
            // small.
            *number -= step + factors.decay * *number;
        }
    }
}

/// Factors of a step.
#[derive(Copy, Clone)]
struct StepFactors {
    share: f32,
    decay: f32,
    rate: f32,
    square_share: f32,
}

impl StepFactors {
    /// `steps` is the number of steps of these parameters, this one included.
    fn new(learning_rate: LearningRate, steps: u32) -> Self {
        let steps = i32::try_from(steps).unwrap_or(i32::MAX);
        let (mean_share, square_share) = (1.0 - BETA1.powi(steps), 1.0 - BETA2.powi(steps));
        let LearningRate { share, rate, decay } = learning_rate;
        Self { share, decay: rate * decay, rate: rate / mean_share, square_share }
    }
}

fn step_all(mut state: State<'_>, parts: &mut [Vec<Lanes>], factors: StepFactors, threads: usize) {
    let share = state.numbers.len().div_ceil(threads).next_multiple_of(LANES);
    let mut parts: Vec<_> = parts.iter_mut().map(|part| numbers_of_mut(part).chunks_mut(share)).collect();
    let tasks = (0..threads).map(|_| {
        let gradients: Vec<&mut [f32]> = parts.iter_mut().filter_map(Iterator::next).collect();
        (state.take(share.min(state.numbers.len())), gradients)
    });
    distribute(tasks, threads, |tasks| {
        tasks.work(|(state, mut gradients)| {
            let Some((sum, others)) = gradients.split_first_mut() else { return };
            for other in others {
                sum.iter_mut().zip(&**other).for_each(|(sum, gradient)| *sum += gradient);
                other.fill(0.0);
            }
            state.step(sum, factors);
            sum.fill(0.0);
        });
    });
}

fn step_touched(
    mut state: State<'_>,
    mut steps: &mut [u32],
    touched: &TouchedColumns,
    views: &[Lanes],
    learning_rate: LearningRate,
    threads: usize,
) {
    let tasks = touched.partition(threads).into_iter();
    let width = state.numbers.len() / touched.columns();
    let tasks = tasks.map(|share| {
        let steps = steps.split_off_mut(..share.len()).unwrap_or_default();
        (state.take(share.len() * width), steps, share)
    });
    distribute(tasks, threads, |tasks| {
        tasks.work(|(state, steps, share)| step_groups(state, steps, touched, share, views, learning_rate));
    });
}

/// Steps whole groups of columns. The gradient of a shared column is the sum over its group.
fn step_groups(
    mut state: State<'_>,
    mut steps: &mut [u32],
    touched: &TouchedColumns,
    columns: Range<usize>,
    views: &[Lanes],
    learning_rate: LearningRate,
) {
    let width = state.numbers.len() / steps.len().max(1);
    let factors = |steps: &mut u32| {
        *steps = steps.saturating_add(1);
        StepFactors::new(learning_rate, *steps)
    };
    let (mut sum, mut total) = (vec![Lanes::ZERO; width / LANES], vec![Lanes::ZERO; width / LANES]);
    for group in touched.groups(columns) {
        let mut group_state = state.take(group.len() * width);
        let steps = steps.split_off_mut(..group.len()).unwrap_or_default();
        let mut is_touched = false;
        total.fill(Lanes::ZERO);
        for (at, column) in group.clone().enumerate() {
            let setters = touched.views(column);
            if !setters.is_empty() {
                is_touched = true;
                sum.fill(Lanes::ZERO);
                add_rows(views, setters, &mut sum);
                total.iter_mut().zip(&sum).for_each(|(total, sum)| *total += *sum);
                group_state.part(at * width..(at + 1) * width).step(numbers_of(&sum), factors(&mut steps[at]));
            }
        }
        if is_touched {
            let shared = (group.len() - 1) * width..group.len() * width;
            group_state.part(shared).step(numbers_of(&total), factors(&mut steps[group.len() - 1]));
        }
    }
}
