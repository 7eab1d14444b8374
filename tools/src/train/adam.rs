//! Adam with decay of the weights (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019,
//! <https://arxiv.org/abs/1711.05101>).
//!
//! Where a batch touches few of very many columns, only these are stepped, and the others with what has been seen of them are left alone
//! ("lazy" Adam, such as PyTorch's `SparseAdam`).

use super::lanes::{LANES, Lanes, add_rows, numbers_of, numbers_of_mut};
use super::touched::Touched;
use serde::{Deserialize, Serialize};
use std::ops::Range;
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

/// How far a step goes.
#[derive(Copy, Clone)]
pub(super) struct Pace {
    /// What the sum of the slopes is multiplied with.
    pub share: f32,
    pub rate: f32,
    /// The part of every number that goes away for each unit of `rate`.
    pub decay: f32,
}

/// Which way is down from where a batch was looked at.
pub(super) struct Slopes<'s> {
    /// Sums for the first numbers in several parts.
    pub parts: &'s mut [Vec<Lanes>],
    /// For the columns behind them, of which only those that are touched move: a slope for each view, which is that of all its columns.
    pub columns: Option<(&'s Touched, &'s [Lanes])>,
}

impl Adam {
    pub fn new(count: usize) -> Self {
        Self { means: vec![0.0; count], squares: vec![0.0; count], steps: 0 }
    }

    /// For how many numbers it is.
    pub fn len(&self) -> usize {
        self.means.len()
    }

    /// Moves the numbers one step downhill, and sets the slopes of the parts to zero.
    pub fn step(&mut self, numbers: &mut [f32], slopes: Slopes<'_>, pace: Pace, threads: usize) {
        self.steps = self.steps.saturating_add(1);
        let stride = Stride::new(pace, self.steps);
        let dense = slopes.parts.first().map_or(0, |part| numbers_of(part).len());
        let (numbers, columns) = numbers.split_at_mut(dense);
        let (means, column_means) = self.means.split_at_mut(dense);
        let (squares, column_squares) = self.squares.split_at_mut(dense);
        step_all(State { numbers, means, squares }, slopes.parts, stride, threads);
        if let Some((touched, views)) = slopes.columns {
            let state = State { numbers: columns, means: column_means, squares: column_squares };
            step_touched(state, touched, views, stride, threads);
        }
    }
}

/// Numbers, with what has been seen of their slopes.
struct State<'s> {
    numbers: &'s mut [f32],
    means: &'s mut [f32],
    squares: &'s mut [f32],
}

impl<'s> State<'s> {
    /// Takes the first ones away.
    fn take(&mut self, count: usize) -> State<'s> {
        let take = |from: &mut &'s mut [f32]| from.split_off_mut(..count).unwrap_or_default();
        State { numbers: take(&mut self.numbers), means: take(&mut self.means), squares: take(&mut self.squares) }
    }

    /// Some of them.
    fn part(&mut self, place: Range<usize>) -> State<'_> {
        let Self { numbers, means, squares } = self;
        State { numbers: &mut numbers[place.clone()], means: &mut means[place.clone()], squares: &mut squares[place] }
    }

    #[inline(always)]
    fn step(self, slopes: &[f32], stride: Stride) {
        let seen = self.means.iter_mut().zip(self.squares);
        for ((number, &slope), (mean, square)) in self.numbers.iter_mut().zip(slopes).zip(seen) {
            let downhill = slope * stride.share;
            *mean = MEAN * *mean + (1.0 - MEAN) * downhill;
            *square = SQUARE * *square + (1.0 - SQUARE) * downhill * downhill;
            *number = *number * stride.keep - stride.rate * *mean / ((*square / stride.square_share).sqrt() + SMALL);
        }
    }
}

/// A pace when so many steps have been made.
#[derive(Copy, Clone)]
struct Stride {
    share: f32,
    keep: f32,
    rate: f32,
    square_share: f32,
}

impl Stride {
    fn new(pace: Pace, steps: u32) -> Self {
        let steps = i32::try_from(steps).unwrap_or(i32::MAX);
        let (mean_share, square_share) = (1.0 - MEAN.powi(steps), 1.0 - SQUARE.powi(steps));
        let Pace { share, rate, decay } = pace;
        Self { share, keep: 1.0 - rate * decay, rate: rate / mean_share, square_share }
    }
}

fn step_all(mut state: State<'_>, parts: &mut [Vec<Lanes>], stride: Stride, threads: usize) {
    let share = state.numbers.len().div_ceil(threads).next_multiple_of(LANES);
    let mut parts: Vec<_> = parts.iter_mut().map(|part| numbers_of_mut(part).chunks_mut(share)).collect();
    thread::scope(|scope| {
        while !state.numbers.is_empty() {
            let state = state.take(share.min(state.numbers.len()));
            let mut slopes: Vec<&mut [f32]> = parts.iter_mut().filter_map(Iterator::next).collect();
            scope.spawn(move || {
                let Some((sum, others)) = slopes.split_first_mut() else { return };
                for other in others {
                    sum.iter_mut().zip(&**other).for_each(|(sum, slope)| *sum += slope);
                    other.fill(0.0);
                }
                state.step(sum, stride);
                sum.fill(0.0);
            });
        }
    });
}

fn step_touched(mut state: State<'_>, touched: &Touched, views: &[Lanes], stride: Stride, threads: usize) {
    let width = state.numbers.len() / touched.columns();
    thread::scope(|scope| {
        for share in touched.shares(threads) {
            let state = state.take(share.len() * width);
            scope.spawn(move || step_groups(state, width, touched, share, views, stride));
        }
    });
}

/// Steps columns of whole groups, each of so many numbers. The slope of a shared one is the sum of those of its group.
fn step_groups(
    mut state: State<'_>,
    width: usize,
    touched: &Touched,
    columns: Range<usize>,
    views: &[Lanes],
    stride: Stride,
) {
    let (mut sum, mut total) = (vec![Lanes::ZERO; width / LANES], vec![Lanes::ZERO; width / LANES]);
    for group in touched.groups(columns) {
        let mut group_state = state.take(group.len() * width);
        let mut is_touched = false;
        total.fill(Lanes::ZERO);
        for (at, column) in group.clone().enumerate() {
            let setters = touched.views(column);
            if !setters.is_empty() {
                is_touched = true;
                sum.fill(Lanes::ZERO);
                add_rows(views, setters, &mut sum);
                total.iter_mut().zip(&sum).for_each(|(total, sum)| *total += *sum);
                group_state.part(at * width..(at + 1) * width).step(numbers_of(&sum), stride);
            }
        }
        if is_touched {
            let shared = (group.len() - 1) * width..group.len() * width;
            group_state.part(shared).step(numbers_of(&total), stride);
        }
    }
}
