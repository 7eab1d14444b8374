//! The crate `sabi-shogi` beside other crates of rules, in one run.
//!
//! `cargo bench --package sabi-benches --bench crates`

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use haitaka::Board;
use sabi_shogi::{PerftMode, Position, STARTPOS_SFEN, legal_moves, perft};
use shogi_core::PartialPosition;
use shogi_legality_lite::all_legal_moves_partial;
use shogi_usi_parser::FromUsi;
use std::hint::black_box;

/// Name, SFEN.
const POSITIONS: [(&str, &str); 3] = [
    ("start", STARTPOS_SFEN),
    ("middle", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"),
    ("most_moves", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"),
];
/// Depth of perft.
const DEPTH: u32 = 2;

fn core_position(sfen: &str) -> PartialPosition {
    PartialPosition::from_usi(&format!("sfen {sfen}")).expect("a valid position")
}

/// Perft with move lists and copies: neither crate has undo.
fn core_perft(position: &PartialPosition, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let leaves = all_legal_moves_partial(position).into_iter().map(|mv| {
        let mut next = position.clone();
        next.make_move(mv).expect("a legal move");
        core_perft(&next, depth - 1)
    });
    leaves.sum()
}

fn haitaka_perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            leaves += haitaka_perft(&next, depth - 1);
        }
        false
    });
    leaves
}

/// One task for every crate.
fn compare(
    group: &mut BenchmarkGroup<'_, WallTime>,
    elements: u64,
    mut sabi: impl FnMut() -> u64,
    mut core: impl FnMut() -> u64,
    mut haitaka: impl FnMut() -> u64,
) {
    assert_eq!((sabi(), core(), haitaka()), (elements, elements, elements));
    group.throughput(Throughput::Elements(elements));
    group.bench_function("sabi-shogi", |bencher| bencher.iter(&mut sabi));
    group.bench_function("shogi_core, shogi_legality_lite", |bencher| bencher.iter(&mut core));
    group.bench_function("haitaka", |bencher| bencher.iter(&mut haitaka));
}

fn tasks(criterion: &mut Criterion) {
    for (name, sfen) in POSITIONS {
        let mut position = Position::from_sfen(sfen).expect("a valid position");
        let (core, board) = (core_position(sfen), Board::from_sfen(sfen).expect("a valid position"));
        let moves = legal_moves(&position).len() as u64;
        compare(
            &mut criterion.benchmark_group(format!("{name}/legal_moves")),
            moves,
            || legal_moves(black_box(&position)).len() as u64,
            || all_legal_moves_partial(black_box(&core)).len() as u64,
            || {
                let mut list = Vec::new();
                black_box(&board).generate_moves(|moves| {
                    list.extend(moves);
                    false
                });
                list.len() as u64
            },
        );
        let leaves = perft(&mut position, DEPTH, PerftMode::List, &|| false).expect("it is not stopped");
        compare(
            &mut criterion.benchmark_group(format!("{name}/perft")),
            leaves,
            || perft(&mut position, black_box(DEPTH), PerftMode::List, &|| false).expect("it is not stopped"),
            || core_perft(black_box(&core), DEPTH),
            || haitaka_perft(black_box(&board), DEPTH),
        );
        compare(
            &mut criterion.benchmark_group(format!("{name}/sfen")),
            1,
            || u64::from(Position::from_sfen(black_box(sfen)).is_ok_and(|read| !read.sfen().is_empty())),
            || u64::from(!core_position(black_box(sfen)).to_sfen_owned().is_empty()),
            || u64::from(Board::from_sfen(black_box(sfen)).is_ok_and(|read| !read.to_string().is_empty())),
        );
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = tasks
}
criterion_main!(benches);
