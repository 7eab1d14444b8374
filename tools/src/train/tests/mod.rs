//! Training on synthetic games.

mod gradients;
mod growth;

use super::gradient::{activity, predictions};
use super::model::Model;
use super::samples::{FirstPass, SampleReader, Samples, feature_indices};
use super::*;
use crate::checkpoint::Checkpoint;
use crate::page::check_page;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi::eval::nnue::{Buckets, Features, Network, Parameters, Shape};
use sabi_records::{
    EndReason, Game, GameResult,
    sabg::{Block, Writer},
};
use sabi_shogi::{Color, PieceKind, Position, Score, legal_moves};
use sabi_test_support::at_the_same_time;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const SCALE: f64 = 600.0;

fn small(features: Features) -> Shape {
    Shape { features, width: 32, ..Shape::KP }
}

/// Material balance of the side to move; a pawn is 50, so that few exceed the limit of targets.
fn material(position: &Position) -> i32 {
    let of = |color: Color| -> i32 {
        let board = PieceKind::ALL.into_iter().map(|kind| {
            let worth = [1, 3, 3, 5, 8, 10, 6, 0, 6, 6, 6, 6, 10, 12][kind.index()];
            50 * worth * position.pieces(color, kind).count() as i32
        });
        let hand = position
            .hand(color)
            .iter()
            .map(|(kind, count)| 55 * [1, 3, 3, 5, 8, 10, 6][kind.index()] * i32::from(count));
        board.sum::<i32>() + hand.sum::<i32>()
    };
    of(position.side_to_move()) - of(!position.side_to_move())
}

/// A random game scored by material, won by the side with more material at the end.
fn game(seed: u64) -> Game {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut position = Position::startpos();
    let mut game = Game::new(position.clone());
    for _ in 0..100 {
        let moves = legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        let value = position.side_to_move().sign() * material(&position);
        game.push(mv, None, Some(Score::cp(value)));
        position.play(mv);
    }
    let value = position.side_to_move().sign() * material(&position);
    game.result = match value {
        0 => GameResult::Draw,
        _ => GameResult::won_by(if value > 0 { Color::Black } else { Color::White }),
    };
    game.end = EndReason::MaxMoves;
    game
}

pub(super) fn samples(games: u64) -> Samples {
    samples_by(games, &Buckets::NONE)
}

pub(super) fn samples_by(games: u64, buckets: &Buckets) -> Samples {
    let mut samples = Samples::default();
    let mut block = Block::default();
    (0..games).for_each(|seed| block.push(seed, &game(seed)).unwrap());
    let settings = TrainingSettings { buckets: *buckets, ..settings() };
    block.games().for_each(|game| samples.add(&game, &settings).unwrap());
    samples
}

/// A folder with a file of this many games.
fn with_games(games: u64) -> (TempDir, [PathBuf; 1]) {
    let folder = tempfile::tempdir().unwrap();
    let files = [file(folder.path(), games)];
    (folder, files)
}

fn file(folder: &Path, games: u64) -> PathBuf {
    file_of(folder.join("games.sabg"), (0..games).map(|seed| (seed, game(seed))))
}

fn file_of(path: PathBuf, games: impl Iterator<Item = (u64, Game)>) -> PathBuf {
    let mut writer = Writer::new(std::fs::File::create(&path).unwrap(), "made by a test").unwrap();
    games.for_each(|(number, game)| writer.push(number, &game).unwrap());
    writer.finish().unwrap();
    path
}

/// A game with the opposite scores.
fn turned(number: u64) -> (u64, Game) {
    let mut game = game(number);
    game.scores.iter_mut().flatten().for_each(|score| *score = -*score);
    (number, game)
}

fn settings() -> TrainingSettings {
    TrainingSettings {
        features: Features::Kp,
        width: 32,
        buckets: Buckets::NONE,
        score_share: 1.0,
        lambda: 1.0,
        scale: SCALE,
        epochs: 6,
        batch_size: 512,
        learning_rate: 0.004,
        weight_decay: 0.0,
        validation_share: 0.1,
        seed: 5,
    }
}

fn untrained(settings: &TrainingSettings, data: &TrainingData<'_>, start: Option<&Parameters>) -> Training {
    let mut fit = Training::new(settings.clone(), start).unwrap();
    fit.begin(data).unwrap();
    fit
}

fn trained(files: &[PathBuf], settings: &TrainingSettings, threads: usize) -> Training {
    let mut data = TrainingData::new(files, settings).unwrap();
    let mut fit = untrained(settings, &data, None);
    while !fit.is_over() {
        fit.advance(&mut data, threads, &mut |_| {}).unwrap();
    }
    fit
}

#[test]
fn changed_games_end_the_training() {
    let (_folder, files) = with_games(40);
    let mut data = TrainingData::new(&files, &settings()).unwrap();
    let mut fit = untrained(&settings(), &data, None);
    fit.advance(&mut data, 1, &mut |_| {}).unwrap();
    // The same numbers of games and positions.
    file_of(files[0].clone(), (0..40).map(turned));
    assert!(matches!(fit.advance(&mut data, 1, &mut |_| {}), Err(TrainingError::Changed)));
}

#[test]
fn samples_are_quiet_with_blended_targets() {
    let game = game(3);
    let mut block = Block::default();
    block.push(3, &game).unwrap();
    let settings = TrainingSettings { score_share: 0.25, scale: 400.0, ..settings() };
    let mut samples = Samples::default();
    samples.add(&block.game(0).unwrap(), &settings).unwrap();
    let mut wanted = Vec::new();
    for known in game.training_positions() {
        let (position, score) = (&known.position, known.score.unwrap());
        if position.in_check() || position.is_tactical(known.mv) {
            continue;
        }
        let result = match game.result.winner() {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == position.side_to_move())),
        };
        let expected = 1.0 / (1.0 + (-f64::from(score.get().clamp(-2000, 2000)) / 400.0).exp());
        wanted.push((feature_indices(position).unwrap(), (0.25 * expected + 0.75 * result) as f32));
    }
    assert!(wanted.len() > 30 && wanted.len() < game.moves.len());
    assert_eq!(samples.feature_indices.into_iter().zip(samples.targets).collect::<Vec<_>>(), wanted);
}

#[test]
fn decided_positions_have_limited_targets() {
    let mut game = game(3);
    game.result = GameResult::Unknown;
    let mut block = Block::default();
    block.push(3, &game).unwrap();
    game.scores = game.scores.iter().map(|score| score.map(|_| Score::mate_in(9))).collect();
    block.push(4, &game).unwrap();
    let [scored, decided] = [0, 1].map(|at| {
        let mut samples = Samples::default();
        samples.add(&block.game(at).unwrap(), &settings()).unwrap();
        samples
    });
    assert_eq!(scored.feature_indices, decided.feature_indices);
    let limit = (1.0 / (1.0 + (-2000.0 / SCALE).exp())) as f32;
    let close = |target: f32, to: f32| (target - to).abs() < 1e-6;
    assert!(decided.targets.iter().all(|&target| close(target, limit) || close(target, 1.0 - limit)));
}

/// The return of each position by its definition: a sum over the later scores and the result.
#[test]
fn targets_are_lambda_returns() {
    let mut game = game(3);
    game.result = GameResult::WhiteWins;
    // A gap, as after random moves.
    game.scores[7] = None;
    let mut block = Block::default();
    block.push(3, &game).unwrap();
    for lambda in [0.0, 0.6, 0.95, 1.0] {
        let settings = TrainingSettings { score_share: 0.25, lambda, ..settings() };
        let mut samples = Samples::default();
        samples.add(&block.game(0).unwrap(), &settings).unwrap();
        let mut wanted = Vec::new();
        for (at, known) in game.training_positions().enumerate().filter(|(_, known)| known.score.is_some()) {
            let (position, us) = (&known.position, known.position.side_to_move());
            if position.in_check() || position.is_tactical(known.mv) {
                continue;
            }
            // Scores of games are those of Black.
            let expected = |score: Score| {
                let black = 1.0 / (1.0 + (-f64::from(score.get().clamp(-2000, 2000)) / SCALE).exp());
                if us == Color::Black { black } else { 1.0 - black }
            };
            let (mut weight, mut sum) = (1.0, 0.0);
            for score in game.scores[at..].iter().copied().flatten() {
                sum += weight * (1.0 - lambda) * expected(score);
                weight *= lambda;
            }
            sum += weight * f64::from(u8::from(us == Color::White));
            wanted.push((0.25 * expected(game.scores[at].unwrap()) + 0.75 * sum) as f32);
        }
        assert!(wanted.len() > 30);
        for (target, wanted) in samples.targets.iter().zip(&wanted) {
            assert!((target - wanted).abs() < 1e-5, "{lambda}: {target} {wanted}");
        }
        assert_eq!(samples.len(), wanted.len());
    }
}

fn stacked() -> TrainingSettings {
    TrainingSettings { buckets: "K9K9Z".parse().unwrap(), ..settings() }
}

#[test]
fn networks_fit_games() {
    let cases = [
        (settings(), 0.35, 85),
        // With this little data, factorised features converge more slowly.
        (TrainingSettings { features: Features::HalfKp, ..settings() }, 0.5, 75),
        (stacked(), 0.35, 85),
    ];
    at_the_same_time(&cases, |(settings, left, right)| check_training(settings.clone(), *left, *right));
}

/// Trains for twenty epochs; checks the remaining loss, and the percentage of positions with the
/// right sign.
fn check_training(settings: TrainingSettings, left: f64, right: i32) {
    let (_folder, files) = with_games(200);
    let fit = trained(&files, &TrainingSettings { epochs: 20, batch_size: 128, ..settings.clone() }, 2);
    let losses: Vec<f64> = fit.epochs().iter().map(|epoch| epoch.validation_loss).collect();
    // Baseline: the best constant prediction.
    let samples = samples(200);
    let mean = samples.targets.iter().sum::<f32>() / samples.len() as f32;
    let baseline = samples.targets.iter().map(|target| (target - mean).powi(2)).sum::<f32>() / samples.len() as f32;
    assert!(losses[19] < left * f64::from(baseline), "{losses:?}, baseline {baseline}");
    // The quantised network, as an engine loads it.
    let network = Network::new(&fit.parameters().unwrap()).unwrap();
    let (mut agreed, mut count) = (0, 0);
    for known in (1000..1010).flat_map(|seed| game(seed).training_positions().collect::<Vec<_>>()) {
        let score = known.score.unwrap().get();
        if score.abs() > 300 {
            count += 1;
            agreed += i32::from(network.evaluate(&known.position).signum() == score.signum());
        }
    }
    assert!(count > 100 && agreed * 100 > count * right, "of {count} positions it judges {agreed} right");
    let data = TrainingData::new(&files, &settings).unwrap();
    let (mean, most) = fit.quantisation_error(&data).unwrap();
    assert!(mean < 10.0 && most < 100.0, "rounding costs {mean} on average, {most} at most");
    // A start from this network continues at its loss.
    let again = untrained(&settings, &data, Some(&fit.parameters().unwrap()));
    assert_eq!(again.parameters().unwrap(), fit.parameters().unwrap());
    let other = if settings.features == Features::Kp { Features::HalfKp } else { Features::Kp };
    for wanted in [TrainingSettings { width: 64, ..settings.clone() }, TrainingSettings { features: other, ..settings }]
    {
        let rejected = Training::new(wanted, Some(&fit.parameters().unwrap()));
        assert!(matches!(rejected, Err(TrainingError::OtherShape { .. })));
    }
}

/// A network with one stack starts one with many: every stack is the same at first.
#[test]
fn stacks_start_from_one() {
    let (_folder, files) = with_games(40);
    for features in [Features::Kp, Features::HalfKp, Features::HalfKaZ15] {
        let one = TrainingSettings { features, epochs: 1, ..settings() };
        let many = TrainingSettings { features, ..stacked() };
        let start = trained(&files, &one, 2).parameters().unwrap();
        let data = TrainingData::new(&files, &many).unwrap();
        let stacks = untrained(&many, &data, Some(&start)).parameters().unwrap();
        assert_eq!(stacks.stacks, vec![start.stacks[0].clone(); 81], "{features:?}");
        assert!(stacks.feature_weights == start.feature_weights && stacks.bias == start.bias, "{features:?}");
        let [from, to] = [start, stacks].map(|network| Network::new(&network).unwrap());
        let position = Position::startpos();
        assert_eq!(from.evaluate(&position), to.evaluate(&position), "{features:?}");
    }
}

#[test]
fn deterministic_for_threads_and_resuming() {
    check_determinism(settings());
    check_determinism(TrainingSettings { features: Features::HalfKp, epochs: 3, weight_decay: 0.1, ..settings() });
    check_determinism(TrainingSettings { epochs: 3, ..stacked() });
}

fn check_determinism(settings: TrainingSettings) {
    let (folder, files) = with_games(40);
    let path = folder.path().join("state");
    let saved = |fit: &Training| {
        fit.write(&path).unwrap();
        std::fs::read(&path).unwrap()
    };
    let whole = saved(&trained(&files, &settings, 1));
    assert!(saved(&trained(&files, &settings, 3)) == whole);
    let mut data = TrainingData::new(&files, &settings).unwrap();
    let mut fit = untrained(&settings, &data, None);
    while !fit.is_over() {
        fit.advance(&mut data, 2, &mut |_| {}).unwrap();
        fit.write(&path).unwrap();
        fit = Training::read(&path).unwrap();
    }
    assert!(saved(&fit) == whole);
    // Other games are rejected.
    let more = [file(folder.path(), 41)];
    let mut data = TrainingData::new(&more, &settings).unwrap();
    assert!(matches!(fit.advance(&mut data, 1, &mut |_| {}), Err(TrainingError::OtherSamples { .. })));
}

/// A run that starts from the network of another one must not validate on its training set.
#[test]
fn validation_set_is_that_of_any_seed() {
    let (_folder, files) = with_games(60);
    let [one, other] =
        [5, 6].map(|seed| TrainingData::new(&files, &TrainingSettings { seed, ..settings() }).unwrap().validation);
    assert!(one.feature_indices == other.feature_indices && !one.is_empty());
}

/// One step per epoch: the schedule is neither at its beginning nor at its end.
#[test]
fn short_schedule_has_usual_rates() {
    let (_folder, files) = with_games(20);
    let rates = |epochs: usize| -> Vec<f64> {
        let settings = TrainingSettings { epochs, batch_size: 1 << 16, ..settings() };
        let fit = trained(&files, &settings, 1);
        fit.epochs().iter().map(|epoch| epoch.learning_rate / settings.learning_rate).collect()
    };
    let [one, three] = [1, 3].map(rates);
    assert!(one[0] > 0.4 && one[0] < 0.6, "{one:?}");
    assert!(three[0] > 0.9 && three[1] > 0.4 && three[2] > 0.05 && three.is_sorted_by(|a, b| a > b), "{three:?}");
}

/// The last batch of a buffer is as large as the others.
#[test]
fn batches_are_of_equal_size() {
    let (_folder, files) = with_games(40);
    let count = TrainingData::new(&files, &settings()).unwrap().counts().0;
    // One or two samples would remain.
    let settings = TrainingSettings { batch_size: count.div_ceil(2) - 1, ..settings() };
    let mut data = TrainingData::new(&files, &settings).unwrap();
    let (mut fit, mut sizes) = (untrained(&settings, &data, None), Vec::new());
    fit.advance(&mut data, 2, &mut |size| sizes.push(size)).unwrap();
    assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (3, count));
    assert!(sizes.iter().all(|size| size.abs_diff(count / 3) <= 1), "{sizes:?}");
}

/// Every part of an epoch has positions of all files.
#[test]
fn files_are_interleaved() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = |seed| Game { result: GameResult::Draw, ..game(seed) };
    // Results tell the files apart.
    let won = |seed| Game { result: GameResult::BlackWins, ..game(seed) };
    let files = [
        file_of(folder.path().join("drawn.sabg"), (0..1200).map(|seed| (seed, drawn(seed % 50)))),
        file_of(folder.path().join("won.sabg"), (0..600).map(|seed| (1200 + seed, won(seed % 50)))),
    ];
    let mut reader = SampleReader::new(&files, &settings());
    let (mut samples, mut first_pass, mut parts) = (Samples::default(), FirstPass::default(), Vec::new());
    loop {
        reader.fill(&mut samples, 45_000, Some(&mut first_pass)).unwrap();
        if samples.is_empty() {
            break;
        }
        let drawn = samples.results.iter().filter(|&&result| result == Some(1)).count();
        parts.push((samples.len(), drawn as f64 / samples.len() as f64));
    }
    assert!(parts.len() > 1, "{parts:?}");
    assert!(parts.iter().all(|&(count, share)| count < 40_000 || (0.3..0.9).contains(&share)), "{parts:?}");
    // The same again, and the positions of a full validation set are counted.
    reader.rewind();
    let (mut again, mut small) = (Samples::default(), FirstPass::default());
    reader.fill(&mut again, usize::MAX, Some(&mut small)).unwrap();
    assert_eq!(again.len(), parts.iter().map(|(count, _)| count).sum::<usize>());
    assert_eq!((small.games_crc, small.unused), (first_pass.games_crc, 0));
    reader.rewind();
    let mut bounded = FirstPass::default();
    while !again.is_empty() {
        reader.fill(&mut again, 1000, Some(&mut bounded)).unwrap();
    }
    assert_eq!((bounded.validation.len(), bounded.unused), (1000, small.validation.len() - 1000));
}

/// Other games of equal number, and another start network, are not resumed with.
#[test]
fn resumes_with_same_inputs_only() {
    let (folder, files) = with_games(40);
    let data = TrainingData::new(&files, &settings()).unwrap();
    let start = trained(&files, &TrainingSettings { epochs: 1, ..settings() }, 2).parameters().unwrap();
    let fit = untrained(&settings(), &data, Some(&start));
    assert!(fit.check(&data).is_ok() && fit.check_start(&start).is_ok());
    let other = untrained(&settings(), &data, None);
    assert!(matches!(fit.check_start(&other.parameters().unwrap()), Err(TrainingError::OtherStart)));
    assert!(matches!(other.check_start(&start), Err(TrainingError::OtherStart)));
    // The same positions with other scores.
    let files = [file_of(folder.path().join("other.sabg"), (0..40).map(turned))];
    let others = TrainingData::new(&files, &settings()).unwrap();
    assert_eq!(others.counts(), data.counts());
    assert!(matches!(fit.check(&others), Err(TrainingError::OtherSamples { .. })));
}

#[test]
fn zones_with_stacks_start_from_kp_with_same_stacks() {
    let (_folder, files) = with_games(40);
    let start = trained(&files, &TrainingSettings { epochs: 1, ..stacked() }, 2);
    let zones = TrainingSettings { features: Features::HalfKaZ15, ..stacked() };
    let data = TrainingData::new(&files, &zones).unwrap();
    let fit = untrained(&zones, &data, Some(&start.parameters().unwrap()));
    let [from, to] = [&start, &fit].map(|fit| Network::new(&fit.parameters().unwrap()).unwrap());
    // Both kings where nothing is mirrored.
    for moves in ["", "7g7f 3c3d", "2g2f 8c8d 2f2e 8d8e", "7g7f 3c3d 8h2b+ 3a2b"] {
        let position = Position::startpos().with_moves(moves.split_whitespace()).unwrap();
        assert_eq!(from.evaluate(&position), to.evaluate(&position), "{moves}");
    }
}

#[test]
fn rejects_empty_data_sets() {
    let (_folder, files) = with_games(1);
    let error = TrainingData::new(&files, &settings()).err().expect("one game cannot be in both sets");
    assert!(error.to_string().contains("both are needed"), "{error}");
}

#[test]
fn samples_keep_results() {
    let (mut block, mut drawn) = (Block::default(), game(4));
    drawn.result = GameResult::Draw;
    let mut unknown = game(4);
    unknown.result = GameResult::Unknown;
    let mut won = game(4);
    won.result = GameResult::BlackWins;
    (0..).zip([&won, &drawn, &unknown]).for_each(|(number, game)| block.push(number, game).unwrap());
    let settings = TrainingSettings { score_share: 0.0, ..settings() };
    let of = |at: usize| {
        let mut samples = Samples::default();
        samples.add(&block.game(at).unwrap(), &settings).unwrap();
        samples
    };
    let (won, drawn, unknown) = (of(0), of(1), of(2));
    assert!(won.results.contains(&Some(2)) && won.results.contains(&Some(0)) && !won.results.contains(&Some(1)));
    assert!(won.targets.iter().zip(&won.results).all(|(&target, result)| f32::from(result.unwrap()) == 2.0 * target));
    assert!(drawn.results.iter().all(|&result| result == Some(1)) && drawn.targets.iter().all(|&target| target == 0.5));
    assert!(unknown.results.iter().all(Option::is_none) && unknown.targets.iter().any(|&target| target != 0.5));
}

#[test]
fn detects_dead_units() {
    let samples = samples(3);
    let mut model = Model::new(small(Features::Kp), 1).unwrap();
    let bias = model.part_ranges.bias.clone();
    // Unit 3 is always 0, unit 5 always above it.
    model.values_mut()[bias.start + 3] = -100.0;
    model.values_mut()[bias.start + 5] = 100.0;
    let parts = activity(&model, &samples, 2);
    assert_eq!((parts.len(), parts[3], parts[5]), (32, 0.0, 1.0));
    assert!(parts.iter().any(|&part| part > 0.0 && part < 1.0) && parts.iter().all(|part| (0.0..=1.0).contains(part)));
    assert_eq!(parts, activity(&model, &samples, 1));
    let predictions = predictions(&model, &samples, 2);
    assert!(predictions.len() == samples.len() && predictions.iter().all(|share| (0.0..=1.0).contains(share)));
}

#[test]
fn report_shows_training() {
    check_report(TrainingSettings { epochs: 2, ..settings() }, "K+P 32x2-32-32");
    check_report(TrainingSettings { features: Features::HalfKp, epochs: 2, ..settings() }, "HalfKP 32x2-32-32");
}

fn check_report(settings: TrainingSettings, name: &str) {
    let (folder, files) = with_games(40);
    let fit = trained(&files, &settings, 2);
    let data = TrainingData::new(&files, &settings).unwrap();
    let html = report("network <&\"> x", &fit, Some(&data), 2).unwrap();
    check_page(&html);
    assert!(html.contains("<h1>network &lt;&amp;&quot;&gt; x</h1>"));
    assert_eq!(html.matches("<svg").count(), 3);
    let (training, validation) = data.counts();
    let Epoch { training_loss, validation_loss, learning_rate } = fit.epochs()[1];
    let (mean, most) = fit.quantisation_error(&data).unwrap();
    for known in [
        format!("<dd>{name}</dd>"),
        "<dd>2 of 2</dd>".to_owned(),
        format!("{training} in the training set, 512 a step"),
        format!("<p>{validation} positions."),
        format!("<td>{training_loss:.6}</td><td>{validation_loss:.6}</td><td>{learning_rate:.6}</td>"),
        format!("mean {mean:.2} cp, maximum {most:.1} cp over"),
        " of 32, ".to_owned(),
    ] {
        assert!(html.contains(&known), "{known}");
    }
    let bytes =
        fit.parameters().unwrap().stacks[0][1].weights.iter().map(|&number| i32::from(number)).collect::<Vec<_>>();
    let (least, largest) = (bytes.iter().min().unwrap(), bytes.iter().max().unwrap());
    assert!(html.contains(&format!("third layer, weights</th><td>1024</td><td>{least}</td><td>{largest}</td>")));
    // Equal for any number of threads, and shorter without games.
    assert!(report("network <&\"> x", &fit, Some(&data), 1).unwrap() == html);
    let short = report("x", &fit, None, 1).unwrap();
    check_page(&short);
    assert!(!short.contains("Calibration") && short.contains("third layer"));
    // Before the first epoch.
    check_page(&report("x", &untrained(&settings, &data, None), Some(&data), 1).unwrap());
    let more = [file(folder.path(), 41)];
    let others = TrainingData::new(&more, &settings).unwrap();
    let rejected = report("x", &fit, Some(&others), 1).unwrap_err();
    assert!(matches!(rejected.downcast_ref(), Some(TrainingError::OtherSamples { .. })));
}

#[test]
fn model_checks_number_of_parameters() {
    let model = Model::new(small(Features::Kp), 1).unwrap();
    let values = model.values();
    assert_eq!(Model::from_values(small(Features::Kp), values).unwrap().values(), values);
    assert!(Model::from_values(small(Features::Kp), &values[1..]).is_none());
    // Damaged sizes are rejected before allocation.
    for width in [0, 33, 64, 8192, usize::MAX - 31] {
        assert!(Model::from_values(Shape { width, ..small(Features::Kp) }, values).is_none(), "{width}");
    }
    for names in ["HAND1024_K29K29", "HAND64_K9K9Z", "K3K3_PROGRESS2"] {
        assert!(Model::new(Shape { buckets: names.parse().unwrap(), ..small(Features::Kp) }, 1).is_err(), "{names}");
    }
}

/// The side with more material wins, so a trained network predicts results better than a random one.
#[test]
fn predictions_of_results_are_compared() {
    let games: Vec<Game> = (200..400).map(game).filter(|game| game.result.winner().is_some()).collect();
    let (_folder, files) = with_games(100);
    let fit = trained(&files, &TrainingSettings { epochs: 12, ..settings() }, 2);
    let good = || Network::new(&fit.parameters().unwrap()).unwrap();
    let random = Network::new(&Model::new(small(Features::Kp), 3).unwrap().parameters(SCALE)).unwrap();
    let networks = [good(), random, good()];
    let mut samples = ResultSamples::new(3);
    games.iter().for_each(|game| samples.add(game, &networks, &(41..=100)));
    let mut drawn = games[0].clone();
    drawn.result = GameResult::Draw;
    samples.add(&drawn, &networks, &(41..=100));
    let [count, positions] = samples.counts();
    assert!(count == games.len() && positions > 20 * count, "{count} games, {positions} positions");
    let [first, other, same] = samples.predictions()[..] else { panic!("three networks") };
    assert_eq!(first, same);
    assert_eq!(first.difference, [0.0; 2]);
    // No network is worse than a constant prediction, with a loss of ln 2 for equal chances.
    assert!(first.loss < other.loss && other.loss < 0.71, "{first:?} {other:?}");
    let [difference, error] = other.difference;
    assert!((difference - (other.loss - first.loss)).abs() < 1e-12 && error > 0.0 && difference > 2.0 * error);
    assert!(first.scale > 0.0);
    // The best bias and scale: none nearby has a smaller loss.
    let loss = |bias: f64, scale: f64| {
        let by_game = games.iter().map(|game| {
            let mut losses = Vec::new();
            for known in game.training_positions().skip(40) {
                let position = &known.position;
                if !position.in_check() && !position.is_tactical(known.mv) {
                    let won = Some(position.side_to_move()) == game.result.winner();
                    let odds = (f64::from(networks[0].evaluate(position)) + bias) / scale;
                    losses.push((1.0 + (if won { -odds } else { odds }).exp()).ln());
                }
            }
            losses.iter().sum::<f64>() / losses.len() as f64
        });
        by_game.sum::<f64>() / games.len() as f64
    };
    assert!((loss(first.bias, first.scale) - first.loss).abs() < 1e-9);
    for (bias, scale) in [(10.0, 1.0), (-10.0, 1.0), (0.0, 1.05), (0.0, 0.95)] {
        assert!(loss(first.bias + bias, first.scale * scale) > first.loss);
    }
}
