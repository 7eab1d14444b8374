//! SPSA: tuning engine options by games.
//!
//! An iteration draws a random sign for each parameter, perturbs all values in that direction and
//! in the opposite one, and plays a pair of games between the two sides, one opening with both
//! colours. All values move a small step towards the winner. Over many iterations the noise
//! averages out.
//!
//! Method: J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation", IEEE Transactions on Automatic Control 37, 1992. Gain sequences: J. C.
//! Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization",
//! IEEE Transactions on Aerospace and Electronic Systems 34, 1998; given by their last values, as
//! is usual for chess engines.
//!
//! A [`ParameterSelection`] turns declared options into [`Parameter`]s, a [`SpsaPlan`] computes the
//! gain sequences, a [`Tuning`] holds the values, and [`tune`] plays the games.

use super::engine_process::{DeclaredOption, Spin, UsiId};
use super::match_file::Pairing;
use super::referee::EndDetail;
use super::run::{Match, MatchWorker, PlayedGame, until_over};
use super::statistics::WinDrawLoss;
use crate::checkpoint::Checkpoint;
use anyhow::{Context, anyhow, ensure};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi::machine::run_workers;
use sabi_shogi::split_mix;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet};
use std::iter;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// Default step: range / 20.
const STEPS_IN_RANGE: f64 = 20.0;
/// Minimum default step: with less, rounding would often make both sides equal.
const MIN_STEP: f64 = 0.5;
/// Exponent of the gain, as recommended by Spall.
const ALPHA: f64 = 0.602;
/// Exponent of the perturbation, as recommended by Spall.
const GAMMA: f64 = 0.101;
/// Stability constant as a share of all iterations: limits the first steps.
const STABILITY: f64 = 0.1;

/// A tuned engine option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Option name.
    pub name: String,
    /// Start value: the engine's default.
    pub start: i64,
    /// Minimum.
    pub min: i64,
    /// Maximum, above the minimum.
    pub max: i64,
    /// Perturbation in the last iteration, above 0 and at most the range.
    pub step: f64,
}

/// Options to tune.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterSelection {
    /// Every spin option with a lower-case name: the convention for search parameters; user options
    /// have capitals.
    Numbers,
    /// Named options, with a step where given.
    Listed(Vec<(String, Option<f64>)>),
}

impl FromStr for ParameterSelection {
    type Err = anyhow::Error;

    /// Reads `all`, or a list like `razor_base:step=60,aspiration_delta`.
    fn from_str(text: &str) -> anyhow::Result<Self> {
        if text == "all" {
            return Ok(Self::Numbers);
        }
        let mut names = HashSet::new();
        let parameter = |part: &str| {
            let error = || {
                anyhow!("'{part}' is not a parameter: expected NAME or NAME:step=NUMBER, separated by commas, or all")
            };
            let (name, step) = match part.rsplit_once(":step=") {
                Some((name, step)) => (name, Some(step.parse().map_err(|_| error())?)),
                None => (part, None),
            };
            ensure!(!name.is_empty(), error());
            ensure!(names.insert(name.to_owned()), "'{name}' is given twice");
            Ok((name.to_owned(), step))
        };
        text.split(',').map(parameter).collect::<Result<_, _>>().map(Self::Listed)
    }
}

impl ParameterSelection {
    /// Parameters from the options that an engine declares.
    ///
    /// # Errors
    /// When an option is missing, is not a spin option, or has no range; when a step does not fit
    /// its range.
    pub fn parameters(&self, usi_id: &UsiId) -> anyhow::Result<Vec<Parameter>> {
        match self {
            Self::Numbers => {
                let is_number = |option: &&DeclaredOption| option.kind == "spin" && is_lower_case(&option.name);
                let numbers = usi_id.options.iter().filter(is_number);
                let parameters: Vec<_> =
                    numbers.map(|option| Parameter::of(option, None)).collect::<anyhow::Result<_>>()?;
                ensure!(!parameters.is_empty(), "the engine declares no spin option with a name in lower case");
                Ok(parameters)
            }
            Self::Listed(list) => list
                .iter()
                .map(|(name, step)| {
                    let option =
                        usi_id.option(name).with_context(|| format!("the engine declares no option '{name}'"))?;
                    Parameter::of(option, *step)
                })
                .collect(),
        }
    }
}

fn is_lower_case(name: &str) -> bool {
    name.chars().any(char::is_lowercase) && !name.chars().any(char::is_uppercase)
}

impl Parameter {
    fn of(option: &DeclaredOption, step: Option<f64>) -> anyhow::Result<Self> {
        let DeclaredOption { name, kind, spin, .. } = option;
        ensure!(kind == "spin", "the option '{name}' is of type '{kind}': only numbers, of type 'spin', can be tuned");
        let range = spin.and_then(|Spin { default, min, max }| Some((default, min, max, max.checked_sub(min)?)));
        let (start, min, max, range) = range.with_context(|| {
            format!("the engine declares the option '{name}' without a valid default, minimum and maximum")
        })?;
        ensure!(range > 0, "the option '{name}' has only one value");
        let step = step.unwrap_or_else(|| (range as f64 / STEPS_IN_RANGE).max(MIN_STEP));
        let parameter = Self { name: name.clone(), start, min, max, step };
        ensure!(parameter.is_valid(), "the step of '{name}' must be above 0 and no more than its range, {range}");
        Ok(parameter)
    }

    /// Validates values read from a file.
    fn is_valid(&self) -> bool {
        let range = self.max.checked_sub(self.min).unwrap_or(0) as f64;
        (self.min..=self.max).contains(&self.start) && self.step > 0.0 && self.step <= range
    }

    /// Clamps a value to the range.
    fn clamped(&self, value: f64) -> f64 {
        value.clamp(self.min as f64, self.max as f64)
    }
}

/// Settings of a tuning run. Equal plan and results give equal values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaPlan {
    /// Tuned parameters.
    pub parameters: Vec<Parameter>,
    /// Iterations; each is a pair of games.
    pub pairs: usize,
    /// Gain in the last iteration, in units of step².
    pub gain: f64,
    /// Random seed.
    pub seed: u64,
    /// Key of all other settings of the games: engine, options, time control, openings.
    pub games: String,
}

/// Two sides that play a pair of games.
#[derive(Clone, Debug, PartialEq)]
struct Trial {
    /// Iteration number, from 0.
    number: usize,
    /// Sign of the perturbation of each parameter for the first side.
    signs: Vec<f64>,
    /// Values of both sides.
    sides: [Vec<i64>; 2],
}

impl SpsaPlan {
    /// Maximum gain, far beyond any use.
    pub const MAX_GAIN: f64 = 1000.0;

    /// Validates values read from a file.
    fn is_valid(&self) -> bool {
        let positive = |number: f64| number > 0.0 && number.is_finite();
        !self.parameters.is_empty()
            && self.parameters.iter().all(Parameter::is_valid)
            && self.pairs > 0
            && positive(self.gain)
            && self.gain <= Self::MAX_GAIN
    }

    /// Perturbation of an iteration in steps; 1 in the last iteration.
    fn perturbation(&self, number: usize) -> f64 {
        (self.pairs as f64 / (number + 1) as f64).powf(GAMMA)
    }

    /// Gain of an iteration in units of step²; [`Self::gain`] in the last iteration.
    fn gain_of(&self, number: usize) -> f64 {
        let stability = STABILITY * self.pairs as f64;
        self.gain * ((stability + self.pairs as f64) / (stability + (number + 1) as f64)).powf(ALPHA)
    }

    /// The two sides of an iteration around these values.
    ///
    /// Values are rounded stochastically, so that they are unbiased. Both sides use the same random
    /// number, so that rounding does not change their distance.
    fn trial(&self, number: usize, values: &[f64]) -> Trial {
        // Opening numbers start with the seed itself.
        let mut rng = SmallRng::seed_from_u64(split_mix(!self.seed, number as u64));
        let perturbation = self.perturbation(number);
        let mut trial = Trial { number, signs: Vec::new(), sides: [Vec::new(), Vec::new()] };
        for (parameter, value) in self.parameters.iter().zip(values) {
            let sign = if rng.random() { 1.0 } else { -1.0 };
            let rounding: f64 = rng.random();
            trial.signs.push(sign);
            for (side, direction) in trial.sides.iter_mut().zip([sign, -sign]) {
                let moved = parameter.clamped(value + direction * perturbation * parameter.step);
                side.push((moved + rounding).floor() as i64);
            }
        }
        trial
    }

    /// Change of each parameter after an iteration. `score_diff` is wins minus losses of the first
    /// side.
    fn deltas(&self, trial: &Trial, score_diff: f64) -> impl Iterator<Item = f64> {
        let rate = self.gain_of(trial.number) / self.perturbation(trial.number);
        self.parameters.iter().zip(&trial.signs).map(move |(parameter, sign)| rate * parameter.step * score_diff * sign)
    }
}

/// State of a tuning run; all that is needed to resume it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// The plan.
    pub plan: SpsaPlan,
    /// Current values, in the order of the parameters.
    pub values: Vec<f64>,
    /// All iterations below this one are done,
    next: usize,
    /// and these above it: concurrent iterations may finish out of order.
    finished_ahead: BTreeSet<usize>,
    /// All games from the view of the first side; expected to be even.
    pub counts: WinDrawLoss,
}

impl Tuning {
    /// State before the first iteration.
    pub fn new(plan: SpsaPlan) -> Self {
        let values = plan.parameters.iter().map(|parameter| parameter.start as f64).collect();
        Self { plan, values, next: 0, finished_ahead: BTreeSet::new(), counts: WinDrawLoss::default() }
    }

    /// Number of finished iterations.
    pub fn done(&self) -> usize {
        self.next + self.finished_ahead.len()
    }

    /// The first unfinished iteration from `number` on.
    fn next_unfinished(&self, number: usize) -> Option<usize> {
        (number.max(self.next)..self.plan.pairs).find(|number| !self.finished_ahead.contains(number))
    }

    /// Updates the values with the games of an iteration, from the view of the first side.
    fn update(&mut self, trial: &Trial, games: WinDrawLoss) {
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
        let in_range = |(parameter, value): (&Parameter, &f64)| parameter.clamped(*value) == *value;
        self.plan.is_valid()
            && self.values.len() == self.plan.parameters.len()
            && self.plan.parameters.iter().zip(&self.values).all(in_range)
            && self.next <= self.plan.pairs
            && self.finished_ahead.iter().all(|number| (self.next + 1..self.plan.pairs).contains(number))
    }
}

/// Plays the remaining iterations, several at a time, and calls `updated` after each update. `setup`
/// has the same engine twice.
///
/// With one iteration at a time and no clock the result is deterministic.
///
/// # Errors
/// The first error of `updated`, or when the engine fails. Pairs in progress are finished.
pub fn tune(
    setup: &Match,
    tuning: &mut Tuning,
    mut updated: impl FnMut(&Tuning) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let names: Vec<String> = tuning.plan.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let engine = setup.engines[0].program.display();
    // A trial is made when a worker takes it: by then the worker's last games have moved the values.
    let tuning = Mutex::new(tuning);
    let locked = || tuning.lock().unwrap_or_else(PoisonError::into_inner);
    let mut open = 0;
    let trials = iter::from_fn(|| {
        let tuning = locked();
        let number = tuning.next_unfinished(open)?;
        open = number + 1;
        Some(tuning.plan.trial(number, &tuning.values))
    });
    run_workers(
        (0..setup.concurrency.get()).map(|_| MatchWorker::new(setup)),
        trials,
        |mut engines, tasks| {
            tasks.work(|trial| match play_pair(&mut engines, &names, &trial) {
                Ok(games) => Ok((trial, games)),
                Err(failure) => {
                    tasks.stop();
                    Err(anyhow!("the engine '{engine}': {failure}"))
                }
            });
        },
        |results| {
            until_over(results, |(trial, games)| {
                let mut tuning = locked();
                tuning.update(&trial, games);
                updated(&tuning)?;
                Ok(true)
            })
        },
    )
    .map_err(|error| anyhow!("the engine '{engine}': cannot start a thread: {error}"))?
}

/// Plays the two games of a trial. An engine that fails in a game ends the run; the pair does not
/// count.
fn play_pair(engines: &mut MatchWorker<'_>, names: &[String], trial: &Trial) -> Result<WinDrawLoss, String> {
    let options = [0, 1].map(|side: usize| -> Vec<(String, String)> {
        names.iter().cloned().zip(trial.sides[side].iter().map(i64::to_string)).collect()
    });
    let mut counts = WinDrawLoss::default();
    for number in [2 * trial.number, 2 * trial.number + 1] {
        let pairing = Pairing::new(number, 1);
        let played = engines.play(&pairing, options.each_ref().map(Vec::as_slice));
        let PlayedGame { game, detail, .. } = played.map_err(|(_, failure)| failure.to_string())?;
        // A game without a result counts as a draw.
        let half_points = game.result.half_points(pairing.color).unwrap_or(1);
        if half_points != 1 && is_failure(&detail) {
            let loser = &options[usize::from(half_points == 2)];
            let values: Vec<String> = loser.iter().map(|(name, value)| format!("{name}={value}")).collect();
            return Err(format!("{detail}, in pair {} with {}", trial.number + 1, values.join(" ")));
        }
        counts.add_game(half_points);
    }
    Ok(counts)
}

/// Whether a loss by this end means a broken engine. A loss on time may be caused by the machine:
/// it counts.
const fn is_failure(detail: &EndDetail) -> bool {
    matches!(
        detail,
        EndDetail::IllegalMove(_)
            | EndDetail::InvalidDeclaration
            | EndDetail::NoOutput
            | EndDetail::MissingBestmove
            | EndDetail::Exited(_)
    )
}

#[cfg(test)]
mod tests {
    use super::super::statistics::expected_score;
    use super::*;
    use crate::checkpoint::CheckpointError;

    fn usi_id() -> UsiId {
        let mut usi_id = UsiId::default();
        for line in [
            "option name USI_Hash type spin default 256 min 1 max 1048576",
            "option name razor_base type spin default 320 min 50 max 1250",
            "option name null_move_base type spin default 4 min 2 max 7",
            "option name style type combo default a var a var b",
            "option name Torn type spin default 9 min 10 max 20",
            "option name Stuck type spin default 3 min 3 max 3",
        ] {
            usi_id.parse_line(line);
        }
        usi_id
    }

    fn chosen(text: &str) -> Result<Vec<(String, i64, f64)>, String> {
        let parameters = text.parse().and_then(|selection: ParameterSelection| selection.parameters(&usi_id()));
        let parameters = parameters.map_err(|error| error.to_string())?;
        Ok(parameters.into_iter().map(|parameter| (parameter.name, parameter.start, parameter.step)).collect())
    }

    #[test]
    fn parameters_from_declared_options() {
        let (razor, null) = (("razor_base".to_owned(), 320, 60.0), ("null_move_base".to_owned(), 4, 0.5));
        assert_eq!(chosen("all"), Ok(vec![razor.clone(), null.clone()]));
        assert_eq!(chosen("null_move_base,razor_base"), Ok(vec![null, razor]));
        assert_eq!(chosen("razor_base:step=7.5,USI_Hash").unwrap()[0].2, 7.5);
    }

    #[test]
    fn errors_name_the_option() {
        for (text, message) in [
            ("", "'' is not a parameter: "),
            ("razor_base,", "'' is not a parameter: "),
            (":step=3", "':step=3' is not a parameter: "),
            ("razor_base:step=x", "'razor_base:step=x' is not a parameter: "),
            ("razor_base,razor_base:step=3", "'razor_base' is given twice"),
            ("Razor_base", "the engine declares no option 'Razor_base'"),
            ("style", "the option 'style' is of type 'combo': "),
            ("Torn", "the engine declares the option 'Torn' without a valid default"),
            ("Stuck", "the option 'Stuck' has only one value"),
        ] {
            let error = chosen(text).unwrap_err();
            assert!(error.starts_with(message), "{text}: {error}");
        }
        for step in ["0", "-1", "nan", "inf", "5.1"] {
            let error = chosen(&format!("null_move_base:step={step}")).unwrap_err();
            assert_eq!(error, "the step of 'null_move_base' must be above 0 and no more than its range, 5", "{step}");
        }
        assert!(ParameterSelection::Numbers.parameters(&UsiId::default()).is_err());
    }

    fn small_plan(pairs: usize) -> SpsaPlan {
        let parameter = |name: &str, start, step| Parameter { name: name.to_owned(), start, min: 0, max: 100, step };
        let parameters = vec![parameter("a", 50, 4.0), parameter("b", 20, 0.5)];
        SpsaPlan { parameters, pairs, gain: 0.002, seed: 7, games: String::new() }
    }

    #[test]
    fn gains_decrease_to_final_value() {
        let plan = small_plan(1000);
        assert_eq!((plan.perturbation(999), plan.gain_of(999)), (1.0, 0.002));
        // (1000 / 1)^0.101 and 0.002 (1100 / 101)^0.602.
        assert!((plan.perturbation(0) - 2.009_093).abs() < 1e-6);
        assert!((plan.gain_of(0) - 0.008_420_675).abs() < 1e-8);
        for number in 1..1000 {
            assert!(plan.perturbation(number) < plan.perturbation(number - 1));
            assert!(plan.gain_of(number) < plan.gain_of(number - 1));
        }
    }

    #[test]
    fn result_moves_values_to_winner() {
        let plan = small_plan(10);
        let trial = plan.trial(9, &[50.0, 20.0]);
        let deltas: Vec<f64> = plan.deltas(&trial, 2.0).collect();
        for ((moved, sign), step) in deltas.iter().zip(&trial.signs).zip([4.0, 0.5]) {
            assert!((moved - 0.002 * step * 2.0 * sign).abs() < 1e-12);
        }
        assert!(plan.deltas(&trial, 0.0).all(|moved| moved == 0.0));
    }

    #[test]
    fn rounding_is_unbiased() {
        let plan = small_plan(4000);
        let values = [50.3, 20.25];
        let (mut sums, mut ups) = ([[0.0; 2]; 2], [0; 2]);
        for number in 0..4000 {
            let Trial { signs, sides, .. } = plan.trial(number, &values);
            for at in 0..2 {
                let far = plan.perturbation(number) * plan.parameters[at].step;
                let [plus, minus] = [0, 1].map(|side: usize| sides[side][at] as f64);
                assert!(((plus - minus) * signs[at] - 2.0 * far).abs() < 1.0 && plus != minus);
                sums[at][0] += plus - signs[at] * far;
                sums[at][1] += minus + signs[at] * far;
                ups[at] += usize::from(signs[at] > 0.0);
            }
        }
        for at in 0..2 {
            // Four standard deviations of the mean are at most 0.5 for each value.
            sums[at].iter().for_each(|sum| assert!((sum / 4000.0 - values[at]).abs() < 0.032, "{sums:?}"));
            assert!((1870..=2130).contains(&ups[at]), "{ups:?}");
        }
    }

    #[test]
    fn sides_stay_in_range() {
        let plan = small_plan(100);
        for number in 0..100 {
            for values in [[0.0, 100.0], [100.0, 0.0], [99.7, 0.4]] {
                let sides = plan.trial(number, &values).sides;
                assert!(sides.iter().flatten().all(|value| (0..=100).contains(value)), "{sides:?}");
            }
        }
    }

    #[test]
    fn trials_are_deterministic() {
        let values = [50.5, 20.5];
        let of = |seed, number| SpsaPlan { seed, ..small_plan(100) }.trial(number, &values);
        assert_eq!(of(1, 5), of(1, 5));
        let differ = |a: fn(usize) -> (u64, usize), b: fn(usize) -> (u64, usize)| {
            (0..50).any(|at| of(a(at).0, a(at).1).signs != of(b(at).0, b(at).1).signs)
        };
        assert!(differ(|at| (1, at), |at| (2, at)) && differ(|at| (1, at), |at| (1, at + 1)));
    }

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
    fn games(plan: &SpsaPlan, trial: &Trial, rng: &mut SmallRng) -> WinDrawLoss {
        let [first, second] = [0, 1].map(|side: usize| elo(plan, &trial.sides[side]));
        let mut counts = WinDrawLoss::default();
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
                let trial = tuning.plan.trial(number, &tuning.values);
                let games = games(&tuning.plan, &trial, &mut rng);
                tuning.update(&trial, games);
            }
            for ((parameter, value), best) in tuning.plan.parameters.iter().zip(&tuning.values).zip(BEST) {
                let before = (parameter.start as f64 - best).abs();
                assert!((value - best).abs() < 0.15 * before, "{seed}: {parameter:?} is {value}");
            }
            assert_eq!((tuning.done(), tuning.counts.games()), (20_000, 40_000));
        }
    }

    /// Random results cause no drift, and values stay in range.
    #[test]
    fn no_drift_without_difference() {
        let mut tuning = Tuning::new(plan(2000));
        let mut rng = SmallRng::seed_from_u64(5);
        for number in 0..2000 {
            let trial = tuning.plan.trial(number, &tuning.values);
            let wins = u64::from(rng.random_bool(0.5)) + u64::from(rng.random_bool(0.5));
            tuning.update(&trial, WinDrawLoss { wins, draws: 0, losses: 2 - wins });
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
            let trial = tuning.plan.trial(number, &tuning.values);
            let up = trial.signs[0] > 0.0;
            tuning.update(&trial, WinDrawLoss { wins: 2 * u64::from(up), draws: 0, losses: 2 * u64::from(!up) });
        }
        assert_eq!((tuning.values[0], tuning.is_valid()), (200.0, true));
    }

    #[test]
    fn iterations_may_finish_out_of_order() {
        let mut tuning = Tuning::new(plan(5));
        for (number, next, done) in [(1, 0, 1), (3, 0, 2), (0, 2, 3), (2, 4, 4), (4, 5, 5)] {
            let trial = tuning.plan.trial(number, &tuning.values);
            tuning.update(&trial, WinDrawLoss { wins: 1, draws: 1, losses: 0 });
            assert_eq!((tuning.next, tuning.done(), tuning.is_valid()), (next, done, true));
        }
        assert_eq!((tuning.next_unfinished(0), tuning.done()), (None, 5));
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
