//! Cost of evaluation.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi::eval::nnue::{Dense, Features, Kernel, Network, Parameters, Shape};
use sabi::eval::{Evaluation, Evaluator, Trace, Weights};
use sabi_shogi::{Position, legal_moves};
use std::hint::black_box;

/// Middlegames: opening battle, race between castles, full hands.
const POSITIONS: [&str; 4] = [
    "ln1g3nl/1r1sk1gb1/p1ppppspp/1p4p2/7P1/2P1P4/PPSP1PP1P/1BG2S1R1/LN2KG1NL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 1",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
];

/// A random network: the same work as any other.
fn network(shape: Shape) -> Network {
    let mut rng = SmallRng::seed_from_u64(1);
    let parameters = Parameters {
        shape,
        bias: (0..shape.width).map(|_| rng.random_range(-60..120)).collect(),
        feature_weights: (0..shape.width * shape.features.inputs()).map(|_| rng.random_range(-40..=40)).collect(),
        progress: None,
        stacks: vec![shape.dense().map(|(inputs, outputs)| Dense {
            bias: (0..outputs).map(|_| rng.random_range(-4000..4000)).collect(),
            weights: (0..inputs * outputs).map(|_| rng.random_range(-128..=127)).collect(),
        })],
    };
    Network::new(&parameters).expect("enough memory")
}

/// Refresh, and all moves of each position made and unmade, with and without evaluation.
fn evaluation(criterion: &mut Criterion, name: &str, evaluation: &Evaluation) {
    let mut positions = POSITIONS.map(|sfen| Position::from_sfen(sfen).expect("a valid position"));
    let moves = positions.each_ref().map(legal_moves);
    let total: usize = moves.iter().map(|moves| moves.len()).sum();
    let mut evaluators = positions.clone().map(|position| {
        let mut evaluator = Evaluator::new(evaluation);
        evaluator.reset(&position);
        evaluator
    });
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("from_nothing", |bencher| {
        bencher.iter(|| positions.iter().map(|position| evaluation.evaluate(black_box(position))).sum::<i32>());
    });
    group.bench_function("of_the_same", |bencher| {
        bencher.iter(|| {
            let each = evaluators.iter_mut().zip(&positions);
            each.map(|(evaluator, position)| evaluator.evaluate(black_box(position))).sum::<i32>()
        });
    });
    group.throughput(Throughput::Elements(total as u64));
    group.bench_function("play_observed", |bencher| {
        bencher.iter(|| {
            for ((position, moves), evaluator) in positions.iter_mut().zip(&moves).zip(&mut evaluators) {
                for &mv in moves {
                    evaluator.push();
                    position.play_observed(mv, evaluator);
                    position.undo();
                    evaluator.pop();
                }
            }
        });
    });
    group.bench_function("play_and_evaluate", |bencher| {
        bencher.iter(|| {
            let mut sum = 0;
            for ((position, moves), evaluator) in positions.iter_mut().zip(&moves).zip(&mut evaluators) {
                for &mv in moves {
                    evaluator.push();
                    position.play_observed(mv, evaluator);
                    sum += evaluator.evaluate(position);
                    position.undo();
                    evaluator.pop();
                }
            }
            sum
        });
    });
    group.finish();
}

fn eval(criterion: &mut Criterion) {
    let mut positions = POSITIONS.map(|sfen| Position::from_sfen(sfen).expect("a valid position"));
    let moves = positions.each_ref().map(legal_moves);
    let total: usize = moves.iter().map(|moves| moves.len()).sum();
    let mut group = criterion.benchmark_group("eval");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("trace", |bencher| {
        let weights = Weights::embedded();
        bencher.iter(|| positions.iter().map(|position| Trace::new(black_box(position), weights).value).sum::<i32>());
    });
    group.throughput(Throughput::Elements(total as u64));
    group.bench_function("play_unobserved", |bencher| {
        bencher.iter(|| {
            for (position, moves) in positions.iter_mut().zip(&moves) {
                for &mv in moves {
                    position.play(mv);
                    position.undo();
                }
            }
        });
    });
    group.finish();

    evaluation(criterion, "eval_hand", &Evaluation::HandCrafted(Weights::embedded().clone()));
    for kernel in Kernel::all() {
        // The shape of the embedded network.
        let shape = Shape { features: Features::HalfKaZ15, ..Shape::KP };
        evaluation(criterion, &format!("eval_zones_{kernel}"), &network(shape).with_kernel(kernel).into());
    }
    evaluation(criterion, "eval_half_kp", &network(Shape::HALF_KP).into());
}

criterion_group!(benches, eval);
criterion_main!(benches);
