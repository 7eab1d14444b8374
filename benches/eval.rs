//! What an evaluation costs.

use criterion::{Criterion, criterion_group, criterion_main};
use sabi::eval::{Evaluator, Trace, Weights, evaluate};
use sabi::movegen::legal_moves;
use sabi::position::Position;
use std::hint::black_box;

/// Middle games: a start of fighting, a race between castles, full hands.
const POSITIONS: [&str; 4] = [
    "ln1g3nl/1r1sk1gb1/p1ppppspp/1p4p2/7P1/2P1P4/PPSP1PP1P/1BG2S1R1/LN2KG1NL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 1",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
];

fn eval(criterion: &mut Criterion) {
    let weights = Weights::embedded();
    let positions = POSITIONS.map(|sfen| Position::from_sfen(sfen).expect("a valid position"));
    let count = positions.len();
    let mut group = criterion.benchmark_group("eval");
    group.throughput(criterion::Throughput::Elements(count as u64));
    group.bench_function("from_nothing", |bencher| {
        bencher.iter(|| positions.iter().map(|position| evaluate(black_box(position), weights)).sum::<i32>());
    });
    let mut evaluators = positions.clone().map(|position| {
        let mut evaluator = Evaluator::new(weights);
        evaluator.reset(&position);
        evaluator
    });
    group.bench_function("incremental", |bencher| {
        bencher.iter(|| {
            evaluators
                .iter_mut()
                .zip(&positions)
                .map(|(evaluator, position)| evaluator.evaluate(black_box(position)))
                .sum::<i32>()
        });
    });
    group.bench_function("trace", |bencher| {
        bencher.iter(|| positions.iter().map(|position| Trace::new(black_box(position), weights).value()).sum::<i32>());
    });
    group.finish();

    // All moves of each position played and taken back, with and without evaluation in between.
    let mut positions = positions;
    let moves = positions.each_ref().map(legal_moves);
    let total: usize = moves.iter().map(|moves| moves.len()).sum();
    let mut group = criterion.benchmark_group("eval_every_move");
    group.throughput(criterion::Throughput::Elements(total as u64));
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

criterion_group!(benches, eval);
criterion_main!(benches);
