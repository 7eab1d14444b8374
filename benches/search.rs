//! Nodes per second in the middlegame, on one thread and on two.
//!
//! `cargo bench --package sabi-benches --bench search`. Throughput elements are nodes: a search of
//! fixed time is scaled to a fixed number of nodes. On an idle machine with two cores, two threads
//! should reach nearly twice the rate of one.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sabi::search::{Limits, Resources, Searcher, Settings, Signals, TimeControl};
use sabi_shogi::Position;
use std::time::{Duration, Instant};

const MIDDLE_GAMES: [&str; 4] = [
    "ln1g3nl/1r1sk1gb1/p1pppsppp/1p3p3/9/2P1P1P2/PPSP1P1PP/1BG2S1R1/LN2KG1NL b - 21",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "ln5nl/1r4gk1/4ppspp/pspp2p2/1p5P1/P1P1P1P2/1PSPSP2P/2G1G2R1/LN2K2NL b Bb 45",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
];
const MILLISECONDS: u64 = 500;
const NODES: u64 = 1_000_000;

/// Nodes per second over all positions.
fn rate(searcher: &mut Searcher) -> f64 {
    let mut nodes = 0;
    let mut spent = Duration::ZERO;
    for sfen in MIDDLE_GAMES {
        let position = Position::from_sfen(sfen).expect("a valid position");
        searcher.new_game();
        let start = Instant::now();
        let limits = Limits { time: TimeControl::MoveTime(MILLISECONDS), ..Limits::unlimited(start) };
        nodes += searcher.search(&position, &limits, &Settings::default(), &Signals::default(), &mut |_| {}).nodes;
        spent += start.elapsed();
    }
    nodes as f64 / spent.as_secs_f64()
}

fn nodes_per_second(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(NODES));
    for threads in [1, 2] {
        let mut searcher = Searcher::new(&Resources::new(64, threads)).expect("64 MiB");
        group.bench_function(format!("{threads}_threads"), |bencher| {
            bencher.iter_custom(|times| Duration::from_secs_f64(NODES as f64 / rate(&mut searcher)) * times as u32);
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_millis(10));
    targets = nodes_per_second
}
criterion_main!(benches);
