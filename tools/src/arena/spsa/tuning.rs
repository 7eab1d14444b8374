//! State of a tuning run.

use super::plan::{SpsaPlan, Trial};
use crate::arena::statistics::Counts;
use crate::checkpoint::Checkpoint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// State of a tuning run; all that is needed to resume it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    plan: SpsaPlan,
    values: Vec<f64>,
    /// All iterations below this one are done,
    next: usize,
    /// and these above it: concurrent iterations may finish out of order.
    finished_ahead: BTreeSet<usize>,
    counts: Counts,
}

impl Tuning {
    /// State before the first iteration.
    pub fn new(plan: SpsaPlan) -> Self {
        let values = plan.parameters.iter().map(|parameter| parameter.start as f64).collect();
        Self { plan, values, next: 0, finished_ahead: BTreeSet::new(), counts: Counts::default() }
    }

    /// The plan.
    pub const fn plan(&self) -> &SpsaPlan {
        &self.plan
    }

    /// Current values, in the order of the parameters.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Current values rounded to integers.
    pub fn rounded(&self) -> impl Iterator<Item = (&str, i64)> {
        self.plan.parameters.iter().zip(&self.values).map(|(parameter, value)| (&*parameter.name, value.round() as i64))
    }

    /// All games from the view of the first side; expected to be even.
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Number of finished iterations.
    pub fn done(&self) -> usize {
        self.next + self.finished_ahead.len()
    }

    /// Whether all iterations are done.
    pub fn is_over(&self) -> bool {
        self.done() == self.plan.pairs
    }

    /// The first unfinished iteration from `number` on.
    pub(super) fn next_unfinished(&self, number: usize) -> Option<usize> {
        (number.max(self.next)..self.plan.pairs).find(|number| !self.finished_ahead.contains(number))
    }

    /// The two sides of an iteration around the current values.
    pub(super) fn trial(&self, number: usize) -> Trial {
        self.plan.trial(number, &self.values)
    }

    /// Updates the values with the games of an iteration, from the view of the first side.
    pub(super) fn update(&mut self, trial: &Trial, games: Counts) {
        let score_diff = games.wins as f64 - games.losses as f64;
        let deltas = self.plan.deltas(trial, score_diff).zip(&self.plan.parameters);
        for (value, (moved, parameter)) in self.values.iter_mut().zip(deltas) {
            *value = parameter.clamped(*value + moved);
        }
        self.counts = self.counts + games;
        self.finished_ahead.insert(trial.number);
        while self.finished_ahead.remove(&self.next) {
            self.next += 1;
        }
    }
}

impl Checkpoint for Tuning {
    const MAGIC: [u8; 8] = *b"SABISPSA";
    const VERSION: u32 = 2;
    const NAME: &str = "saved tuning";

    fn is_valid(&self) -> bool {
        let in_range = |(parameter, value): (&super::Parameter, &f64)| parameter.clamped(*value) == *value;
        self.plan.is_valid()
            && self.values.len() == self.plan.parameters.len()
            && self.plan.parameters.iter().zip(&self.values).all(in_range)
            && self.next <= self.plan.pairs
            && self.finished_ahead.iter().all(|number| (self.next + 1..self.plan.pairs).contains(number))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Parameter;
    use super::*;
    use crate::arena::statistics::expected_score;
    use crate::checkpoint::CheckpointError;
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    /// An engine whose strength falls quadratically with the distance from these values: 100 Elo at
    /// a quarter of the range.
    const BEST: [f64; 4] = [150.0, 60.0, 3.0, -400.0];

    fn plan(pairs: usize) -> SpsaPlan {
        let parameter = |name: &str, start, min, max, step| Parameter { name: name.to_owned(), start, min, max, step };
        let parameters = vec![
            parameter("up", 50, 0, 200, 10.0),
            parameter("down", 150, 0, 200, 10.0),
            parameter("small", 6, 2, 8, 0.5),
            parameter("below", -700, -1000, 0, 50.0),
        ];
        SpsaPlan { parameters, pairs, gain: 0.002, seed: 1, games: String::new() }
    }

    fn elo(plan: &SpsaPlan, values: &[i64]) -> f64 {
        let lost = plan.parameters.iter().zip(values).zip(BEST).map(|((parameter, &value), best)| {
            let distance = (value as f64 - best) / ((parameter.max - parameter.min) as f64 / 4.0);
            100.0 * distance * distance
        });
        -lost.sum::<f64>()
    }

    /// Two games of a trial with a draw rate of one in five.
    fn games(plan: &SpsaPlan, trial: &Trial, rng: &mut SmallRng) -> Counts {
        let [first, second] = [0, 1].map(|side: usize| elo(plan, &trial.sides[side]));
        let mut counts = Counts::default();
        for _ in 0..2 {
            let is_draw = rng.random_bool(0.2);
            let half_points = if is_draw { 1 } else { 2 * u8::from(rng.random_bool(expected_score(first - second))) };
            counts.add_game(half_points);
        }
        counts
    }

    /// 20,000 pairs in a space of 283 million points bring every value at least 85 % of its way,
    /// for every seed.
    #[test]
    fn converges_with_noise() {
        for seed in 0..5 {
            let mut tuning = Tuning::new(SpsaPlan { seed, ..plan(20_000) });
            let mut rng = SmallRng::seed_from_u64(seed);
            for number in 0..20_000 {
                let trial = tuning.trial(number);
                let games = games(&tuning.plan, &trial, &mut rng);
                tuning.update(&trial, games);
            }
            for ((parameter, value), best) in tuning.plan.parameters.iter().zip(&tuning.values).zip(BEST) {
                let before = (parameter.start as f64 - best).abs();
                assert!((value - best).abs() < 0.15 * before, "{seed}: {parameter:?} is {value}");
            }
            assert!(tuning.is_over() && tuning.counts.games() == 40_000);
        }
    }

    /// Random results cause no drift, and values stay in range.
    #[test]
    fn no_drift_without_difference() {
        let mut tuning = Tuning::new(plan(2000));
        let mut rng = SmallRng::seed_from_u64(5);
        for number in 0..2000 {
            let trial = tuning.trial(number);
            let wins = u64::from(rng.random_bool(0.5)) + u64::from(rng.random_bool(0.5));
            tuning.update(&trial, Counts { wins, draws: 0, losses: 2 - wins });
            assert!(tuning.is_valid());
        }
        for (parameter, value) in tuning.plan.parameters.iter().zip(&tuning.values) {
            assert!((value - parameter.start as f64).abs() < parameter.step, "{parameter:?} is {value}");
        }
    }

    #[test]
    fn values_stay_in_range() {
        let mut tuning = Tuning::new(SpsaPlan { gain: 5.0, ..plan(50) });
        for number in 0..50 {
            let trial = tuning.trial(number);
            let up = trial.signs[0] > 0.0;
            tuning.update(&trial, Counts { wins: 2 * u64::from(up), draws: 0, losses: 2 * u64::from(!up) });
        }
        assert_eq!((tuning.values[0], tuning.is_valid()), (200.0, true));
    }

    #[test]
    fn iterations_may_finish_out_of_order() {
        let mut tuning = Tuning::new(plan(5));
        for (number, next, done) in [(1, 0, 1), (3, 0, 2), (0, 2, 3), (2, 4, 4), (4, 5, 5)] {
            let trial = tuning.trial(number);
            tuning.update(&trial, Counts { wins: 1, draws: 1, losses: 0 });
            assert_eq!((tuning.next, tuning.done(), tuning.is_valid()), (next, done, true));
        }
        assert_eq!((tuning.next_unfinished(0), tuning.is_over()), (None, true));
        let overtaken = Tuning { next: 1, finished_ahead: [2, 3].into(), ..tuning };
        assert_eq!([0, 2, 5].map(|from| overtaken.next_unfinished(from)), [Some(1), Some(4), None]);
    }

    #[test]
    fn rejects_inconsistent_state() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuning");
        let sound = Tuning::new(plan(9));
        let plan = |change: &dyn Fn(&mut SpsaPlan)| {
            let mut tuning = sound.clone();
            change(&mut tuning.plan);
            tuning
        };
        for bad in [
            Tuning { values: vec![1.0], ..sound.clone() },
            Tuning { values: vec![f64::NAN; 4], ..sound.clone() },
            Tuning { values: vec![1e9; 4], ..sound.clone() },
            Tuning { next: 10, ..sound.clone() },
            Tuning { finished_ahead: [0].into(), ..sound.clone() },
            Tuning { finished_ahead: [9].into(), ..sound.clone() },
            plan(&|plan| plan.pairs = 0),
            plan(&|plan| plan.gain = f64::INFINITY),
            plan(&|plan| plan.parameters[0].step = 0.0),
            plan(&|plan| (plan.parameters[0].min, plan.parameters[0].max) = (i64::MIN, i64::MAX)),
            Tuning::new(SpsaPlan { parameters: Vec::new(), ..sound.plan.clone() }),
        ] {
            bad.write(&path).unwrap();
            assert!(matches!(Tuning::read(&path), Err(CheckpointError::Damaged)), "{bad:?}");
        }
    }
}
