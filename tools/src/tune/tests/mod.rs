//! The tuner against arithmetic and against known weights.

mod report;

use super::extract::GameSamples;
use super::loss::Objective;
use super::optimiser::{Function, Optimiser};
use super::samples::Label;
use super::*;
use crate::checkpoint::{Checkpoint, CheckpointError};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi::eval::{Block, EvalType, Evaluation, Feature, Group, MAX_PHASE, Trace, Weights};
use sabi::search::with_quiescence;
use sabi_files::crc32;
use sabi_records::{EndReason, Game, GameResult, Headers};
use sabi_shogi::{Position, Score, legal_moves};

/// Positions of random games, with pieces on unusual squares and in hand.
fn positions(games: usize, seed: u64) -> Vec<Position> {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut all = Vec::new();
    for _ in 0..games {
        let mut position = Position::startpos();
        for _ in 0..120 {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.random_range(0..moves.len())]);
            all.push(Position::from_sfen(&position.sfen()).unwrap());
        }
    }
    all
}

fn random_weights(seed: u64) -> Weights {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut weights = Weights::zero();
    for index in 0..Weights::COUNT {
        let weight = weights.get_mut(index).unwrap();
        [weight.mg, weight.eg] = [0, 1].map(|_| random.random_range(-300..300));
    }
    weights
}

#[test]
fn evaluation_is_linear_in_features() {
    for weights in [Weights::untuned(), random_weights(1)] {
        let values = weight_values(&weights);
        let mut samples = Samples::default();
        let mut expected = Vec::new();
        for position in positions(20, 2) {
            let trace = Trace::new(&position, &weights);
            samples.push(&trace.features, trace.phase, Label { half_points: 1, score: None });
            let sum = trace.sum(&weights);
            let share = f64::from(trace.phase) / f64::from(MAX_PHASE);
            expected.push(f64::from(sum.mg) * (1.0 - share) + f64::from(sum.eg) * share);
            // The difference to the evaluation is rounding only, as long as nothing is clipped.
            let black = f64::from(trace.value * trace.side.sign());
            let exact = samples.value(samples.len() - 1, &values);
            assert!((exact - black).abs() < 1.0 || exact.abs() > 12_000.0, "{exact} {black}");
        }
        for (at, expected) in expected.iter().enumerate() {
            assert!((samples.value(at, &values) - expected).abs() < 1e-6);
        }
    }
}

#[test]
fn feature_counts_round_trip() {
    let features: Vec<Feature> =
        (-40..=40).filter(|&count| count != 0).map(|count| Feature { index: (count + 50) as u16 * 7, count }).collect();
    let mut samples = Samples::default();
    samples.push(&features, 5, Label { half_points: 2, score: Some(-321) });
    let last = Feature { index: (Weights::COUNT - 1) as u16, count: i16::MIN };
    samples.push(&[last], MAX_PHASE, Label { half_points: 0, score: None });
    let unpacked: Vec<Feature> =
        samples.features(0).map(|(index, count)| Feature { index: index as u16, count: count as i16 }).collect();
    assert_eq!(unpacked, features);
    assert_eq!(samples.features(1).collect::<Vec<_>>(), [(Weights::COUNT - 1, i32::from(i16::MIN))]);
    assert_eq!((samples.score(0), samples.score(1)), (Some(-321), None));
    assert_eq!((samples.result(0), samples.result(1), samples.end_game_share(1)), (1.0, 0.0, 1.0));
}

/// Indices of a few weights; a table that is zero elsewhere; samples labelled with its values as
/// search scores, and with random results.
fn synthetic(count: usize) -> (Vec<usize>, Vec<[f64; 2]>, Samples) {
    let names = ["material.0.0", "material.0.6", "hand.0.1", "hand.6.1", "tempo.0.0"];
    let indices = names.map(|name| Weights::index_of(name).unwrap()).to_vec();
    let mut truth = vec![[0.0; 2]; Weights::COUNT];
    for (at, &index) in indices.iter().enumerate() {
        truth[index] = [40.0 + 37.0 * at as f64, 150.0 - 31.0 * at as f64];
    }
    let target = Target { k: 1.0 / 400.0, score_share: 0.0, loss_function: LossFunction::Squares };
    let mut random = SmallRng::seed_from_u64(9);
    let mut samples = Samples::default();
    for at in 0..count {
        let mut features: Vec<Feature> = indices
            .iter()
            .map(|&index| Feature { index: index as u16, count: random.random_range(-2..=2) })
            .filter(|feature| feature.count != 0)
            .collect();
        features.sort_by_key(|feature| feature.index);
        let phase = random.random_range(0..=MAX_PHASE);
        samples.push(&features, phase, Label { half_points: 0, score: None });
        let value = samples.value(at, &truth);
        samples.scores[at] = value.round() as i16;
        samples.half_points[at] = if random.random_bool(target.expected(value)) { 2 } else { 0 };
        if at % 10 == 9 {
            samples.end_game();
        }
    }
    samples.end_game();
    (indices, truth, samples)
}

pub(super) fn settings(method: OptimiserKind) -> FitSettings {
    FitSettings {
        method,
        learning_rate: 5.0,
        iterations: 1500,
        patience: 1500,
        tolerance: 0.0,
        regularization: 0.0,
        score_share: 1.0,
        loss_function: LossFunction::Squares,
        groups: Group::ALL.to_vec(),
        seed: 3,
    }
}

#[test]
fn optimisers_recover_known_weights() {
    let (indices, truth, samples) = synthetic(6000);
    let split = Split::new(&samples, 0.2, 1);
    let data = FitData::new(&samples, &split, 2);
    for method in [OptimiserKind::Descent, OptimiserKind::Adam, OptimiserKind::Lbfgs] {
        for loss_function in [LossFunction::Squares, LossFunction::CrossEntropy] {
            let mut fit = Fit::new(&data, truth.clone(), FitSettings { loss_function, ..settings(method) });
            // The labels come from the true weights, so `k` does not matter; the fit starts at
            // zero.
            let k = fit.target().k;
            assert!((1.0 / k - 400.0).abs() < 40.0, "scale {}", 1.0 / k);
            fit = Fit::with_k(vec![[0.0; 2]; Weights::COUNT], k, &data, fit.settings().clone());
            while fit.advance(&data).is_none() {}
            let found = fit.table();
            for &index in &indices {
                for part in 0..2 {
                    let (found, truth) = (found[index][part], truth[index][part]);
                    assert!((found - truth).abs() < 1.0, "{method:?} {loss_function:?}: {found} for {truth}");
                }
            }
            assert!((0..Weights::COUNT).all(|index| indices.contains(&index) || found[index] == [0.0; 2]));
        }
    }
}

/// A genetic algorithm has no gradient, so the problem is small.
#[test]
fn genetic_algorithm_finds_minimum() {
    struct Bowl;
    impl Function for Bowl {
        fn value(&self, point: &[f64]) -> f64 {
            point.iter().zip([30.0, -70.0, 5.0, 110.0, 0.0]).map(|(a, b)| (a - b) * (a - b)).sum()
        }

        fn gradient(&self, _: &[f64]) -> (f64, Vec<f64>) {
            panic!("it has none")
        }
    }
    let mut method = Optimiser::new(OptimiserKind::Genetic, vec![0.0; 5], 20.0, 7);
    let values: Vec<f64> = (0..400).filter_map(|_| method.step(&Bowl)).collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "the best is never lost");
    assert!(values[399] < 0.5, "{}", values[399]);
    assert_eq!(Bowl.value(method.point()), values[399]);
}

#[test]
fn gradient_equals_finite_differences() {
    let weights = random_weights(4);
    let mut samples = Samples::default();
    let mut random = SmallRng::seed_from_u64(5);
    for (at, position) in positions(4, 6).iter().enumerate() {
        let score = (at % 3 == 0).then(|| random.random_range(-900..900));
        let trace = Trace::new(position, &weights);
        samples.push(&trace.features, trace.phase, Label { half_points: random.random_range(0..=2), score });
        if at % 50 == 49 {
            samples.end_game();
        }
    }
    samples.end_game();
    let games: Vec<usize> = (0..samples.game_count()).collect();
    let sample_set = SampleSet::new(&samples, &games, 2);
    let start = weight_values(&weights).iter().map(|pair| pair.map(|n| n / 20.0)).collect::<Vec<_>>();
    let groups = [Group::Material, Group::Hands, Group::King, Group::Tempo];
    for loss_function in [LossFunction::Squares, LossFunction::CrossEntropy] {
        let target = Target { k: 1.0 / 300.0, score_share: 0.4, loss_function };
        let objective = Objective::new(&sample_set, target, &start, &groups, 0.1);
        let mut point = objective.start_point.clone();
        point.iter_mut().for_each(|number| *number += random.random_range(-5.0..5.0));
        let (cost, gradients) = objective.gradient(&point);
        assert!((cost - objective.value(&point)).abs() < 1e-12);
        let mut seen = 0;
        for at in (0..point.len()).step_by(7) {
            let step = 1e-3;
            let [up, down] = [step, -step].map(|step| {
                let mut point = point.clone();
                point[at] += step;
                objective.value(&point)
            });
            let difference = (up - down) / (2.0 * step);
            assert!(
                (difference - gradients[at]).abs() < 1e-9 + 1e-4 * difference.abs(),
                "{at}: {difference} {}",
                gradients[at]
            );
            seen += usize::from(difference.abs() > 1e-8);
        }
        assert!(seen > 10, "most gradients are not zero");
    }
}

#[test]
fn deterministic_for_threads_and_resuming() {
    let (_, _, samples) = synthetic(30_000);
    let split = Split::new(&samples, 0.2, 1);
    let folder = tempfile::tempdir().unwrap();
    for method in [OptimiserKind::Descent, OptimiserKind::Adam, OptimiserKind::Lbfgs, OptimiserKind::Genetic] {
        let settings = FitSettings { iterations: 12, ..settings(method) };
        let run = |threads: usize, stops: &[usize]| {
            let data = FitData::new(&samples, &split, threads);
            let mut fit = Fit::new(&data, vec![[1.0; 2]; Weights::COUNT], settings.clone());
            while fit.advance(&data).is_none() {
                if stops.contains(&fit.steps().len()) {
                    let path = folder.path().join("state");
                    Saved { fit, samples: samples.fingerprint(), test_split: 0.2 }.write(&path).unwrap();
                    fit = Saved::read(&path).unwrap().fit;
                }
            }
            (fit.table(), fit.steps().to_vec())
        };
        let whole = run(1, &[]);
        assert_eq!(whole.1.len(), 12, "{method:?}");
        assert_eq!(run(3, &[]), whole, "{method:?}");
        assert_eq!(run(2, &[1, 5, 11]), whole, "{method:?}");
    }
}

#[test]
fn regularization_and_fixed_groups() {
    let (indices, _, samples) = synthetic(3000);
    let split = Split::new(&samples, 0.2, 1);
    let data = FitData::new(&samples, &split, 1);
    let start = vec![[10.0; 2]; Weights::COUNT];
    let distance = |settings: FitSettings| {
        let mut fit = Fit::new(&data, start.clone(), settings);
        while fit.advance(&data).is_none() {}
        let table = fit.table();
        let moved = |index: usize| (table[index][0] - 10.0).abs() + (table[index][1] - 10.0).abs();
        (indices.iter().map(|&index| moved(index)).sum::<f64>(), moved(Weights::index_of("tempo.0.0").unwrap()))
    };
    let adam = FitSettings { iterations: 200, ..settings(OptimiserKind::Adam) };
    let (free, tempo) = distance(adam.clone());
    let (priced, _) = distance(FitSettings { regularization: 1e5, ..adam.clone() });
    assert!(priced < free / 10.0 && tempo > 1.0, "{priced} {free} {tempo}");
    assert_eq!(distance(FitSettings { groups: vec![Group::Material], ..adam }).1, 0.0);
}

#[test]
fn splits_by_game() {
    let (_, _, samples) = synthetic(1000);
    let split = Split::new(&samples, 0.2, 1);
    assert_eq!((split.train.len(), split.validation.len(), split.test.len()), (64, 16, 20));
    let mut all = [split.train.clone(), split.validation.clone(), split.test.clone()].concat();
    all.sort_unstable();
    assert_eq!(all, (0..100).collect::<Vec<_>>());
    assert_eq!(Split::new(&samples, 0.2, 1), split);
    assert_ne!(Split::new(&samples, 0.2, 2), split);
    let folds = split.folds(4, 1);
    let mut held: Vec<usize> = folds.iter().flat_map(|fold| fold.test.clone()).collect();
    held.sort_unstable();
    assert_eq!(held.len(), 80);
    assert!(held.is_sorted_by(|a, b| a < b) && held.iter().all(|game| !split.test.contains(game)));
    for fold in &folds {
        let mut all = [fold.train.clone(), fold.validation.clone(), fold.test.clone()].concat();
        all.sort_unstable();
        assert_eq!(all, held, "each game is in one set");
        assert_eq!((fold.train.len(), fold.validation.len(), fold.test.len()), (40, 20, 20));
    }
}

fn game(moves: &str, result: GameResult) -> Game {
    let last = Position::startpos().with_moves(moves.split_whitespace()).unwrap();
    Game { result, ..Game::before(&last) }
}

const BISHOPS: &str = "7g7f 3c3d 8h2b+ 3a2b 2g2f 2b3c 3i3h 8c8d 2f2e 7a6b 6i7h 4a3b 9g9f 9c9d 1g1f 1c1d";

#[test]
fn counts_by_filter_reason() {
    let filter = Filter {
        min_rating: Some(1500.0),
        skip_opening: 1,
        skip_end: 2,
        max_per_game: 100,
        quiet_plies: 2,
        quiet_margin: 100,
        seed: 1,
    };
    let take = |filter: &Filter, game: &Game| {
        with_quiescence(&Evaluation::embedded(EvalType::HandCrafted), |quiescence| {
            filter.game_samples(game, 0, Weights::embedded(), quiescence)
        })
        .unwrap()
    };
    let won = game(BISHOPS, GameResult::BlackWins);
    let GameSamples { samples, keys, counts } = take(&filter, &won);
    // 16 positions before moves; 13 without the first one and the last two. After the exchange on
    // 2b two plies are not quiet.
    assert_eq!((counts.positions, keys.len()), (13, samples.len()));
    assert!(counts.after_capture >= 3, "{counts:?}");
    assert_eq!(counts.in_check + counts.after_capture + counts.noisy + samples.len() as u64, 13);
    assert!((0..samples.len()).all(|at| samples.result(at) == 1.0));
    let few = take(&Filter { max_per_game: 3, ..filter.clone() }, &won);
    assert_eq!(few.samples.len(), 3);
    assert!(few.counts.over_cap > 0 && few.keys.iter().all(|key| keys.contains(key)));
    for (game, count) in [
        (game(BISHOPS, GameResult::Unknown), |counts: &FilterCounts| counts.no_result),
        (Game { end: EndReason::Timeout, ..won.clone() }, |counts: &FilterCounts| counts.unfinished),
        (
            Game { headers: Headers { ratings: [Some(1499.0), None], ..Headers::default() }, ..won.clone() },
            |counts: &FilterCounts| counts.rating,
        ),
    ] as [(Game, fn(&FilterCounts) -> u64); 3]
    {
        let game_samples = take(&filter, &game);
        assert_eq!((game_samples.samples.len(), count(&game_samples.counts)), (0, 1));
    }
    let scored = Game { scores: vec![Some(Score::cp(-77)); 16], ..won };
    let samples = take(&filter, &scored).samples;
    assert!((0..samples.len()).all(|at| samples.score(at) == Some(-77)));
}

#[test]
fn duplicates_count_once() {
    let filter = Filter {
        min_rating: None,
        skip_opening: 0,
        skip_end: 0,
        max_per_game: 5,
        quiet_plies: 0,
        quiet_margin: 50,
        seed: 1,
    };
    let run = |threads: usize| {
        let mut extraction = Extraction::new(filter.clone(), threads, Weights::embedded());
        for at in 0..30 {
            let cut: Vec<&str> = BISHOPS.split(' ').take(4 + at % 13).collect();
            extraction
                .add(game(&cut.join(" "), if at % 2 == 0 { GameResult::WhiteWins } else { GameResult::Draw }))
                .unwrap();
        }
        extraction.finish().unwrap()
    };
    let (samples, counts) = run(1);
    assert!(samples.len() <= 17 && counts.duplicates > 0, "{} {counts:?}", samples.len());
    assert_eq!(counts.positions_used, samples.len() as u64);
    assert_eq!(run(4), (samples, counts));
}

#[test]
fn sample_files_round_trip_or_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples");
    let (_, _, samples) = synthetic(500);
    samples.write(&path).unwrap();
    assert_eq!(Samples::read(&path).unwrap(), samples);
    let bytes = std::fs::read(&path).unwrap();
    let (mut random, mut rejected) = (SmallRng::seed_from_u64(8), 0);
    for _ in 0..300 {
        let mut broken = bytes.clone();
        if random.random_bool(0.5) {
            broken.truncate(random.random_range(0..bytes.len()));
        } else {
            broken[random.random_range(0..bytes.len())] ^= 1 << random.random_range(0..8);
        }
        std::fs::write(&path, &broken).unwrap();
        // Some bits change the compression but not the content.
        match Samples::read(&path) {
            Err(_) => rejected += 1,
            Ok(read) => assert_eq!(read, samples),
        }
    }
    assert!(rejected > 280, "{rejected}");
    std::fs::write(&path, [&*bytes, b"x"].concat()).unwrap();
    assert!(matches!(Samples::read(&path), Err(CheckpointError::Damaged)));
    Samples::default().write(&path).unwrap();
    assert!(Samples::read(&path).unwrap().is_empty());
}

/// Sample files contain weight indices.
#[test]
fn layout_of_sample_files() {
    let shape = |block: &Block| format!("{} {} {},", block.name, block.rows, block.columns);
    let layout = crc32(Weights::blocks().iter().map(shape).collect::<String>().as_bytes());
    assert_eq!((layout, Samples::VERSION), (105_299_583, 2), "another layout needs another version");
}

#[test]
fn fingerprint_of_everything() {
    let (_, _, samples) = synthetic(20);
    let changed = |change: fn(&mut Samples)| {
        let mut other = samples.clone();
        change(&mut other);
        other.fingerprint()
    };
    assert_eq!(changed(|_| ()), samples.fingerprint());
    let changes: [fn(&mut Samples); 6] = [
        |samples| samples.words[0] ^= 1,
        |samples| samples.ends[0] ^= 1,
        |samples| samples.scores[0] ^= 1,
        |samples| samples.phases[0] ^= 1,
        |samples| samples.half_points[0] ^= 1,
        |samples| samples.games[0] -= 1,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        assert_ne!(changed(change), samples.fingerprint(), "change {number}");
    }
}
