//! Perft leaves per second: moves as lists, and moves counted by target sets.
//!
//! `cargo bench --package sabi-benches --bench perft`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sabi_shogi::{PerftMode, Position, STARTPOS_SFEN, perft};
use std::hint::black_box;

/// Name, SFEN, depth.
const POSITIONS: [(&str, &str, u32); 3] = [
    ("start", STARTPOS_SFEN, 5),
    ("middle", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1", 3),
    ("most_moves", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 3),
];

fn leaves(criterion: &mut Criterion) {
    for (name, sfen, depth) in POSITIONS {
        let mut position = Position::from_sfen(sfen).expect("a valid position");
        let mut group = criterion.benchmark_group(format!("perft/{name}"));
        for mode in [PerftMode::List, PerftMode::Bulk] {
            let total = perft(&mut position, depth, mode, &|| false).expect("it is not stopped");
            group.throughput(Throughput::Elements(total));
            group.bench_function(format!("{mode:?}"), |bencher| {
                bencher.iter(|| perft(&mut position, black_box(depth), mode, &|| false));
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = leaves
}
criterion_main!(benches);
