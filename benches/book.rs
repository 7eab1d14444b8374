//! Opening book: size, time of opening, of lookups and of lookups along games, block cache hits.
//!
//! `cargo bench --package sabi-benches --bench book`. `SABI_BENCH_BOOK` may name another SHOB file
//! with positions than the one in the repository, as a path from its root.

use criterion::{Criterion, criterion_group, criterion_main};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi_books::{BookMap, Shob, ShobOptions, book_key, write};
use sabi_shogi::Position;
use std::env;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Games played along the book.
const GAMES: usize = 200;

struct Bench {
    folder: tempfile::TempDir,
    /// Keys of the positions of each game.
    games: Vec<Vec<u64>>,
    keys: Vec<u64>,
}

impl Bench {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// The positions of a game of random book moves.
fn random_game(book: &BookMap, random: &mut SmallRng) -> Vec<u64> {
    let mut position = Position::startpos();
    let mut keys = vec![book_key(&position)];
    while let Some(entry) = book.get(&keys[keys.len() - 1])
        && !entry.moves.is_empty()
    {
        position.play(entry.moves[random.random_range(0..entry.moves.len())].mv);
        keys.push(book_key(&position));
    }
    keys
}

/// Writes the book with and without compression, and prints the sizes.
fn prepare() -> Bench {
    env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).expect("the root of the repository");
    let path = env::var("SABI_BENCH_BOOK").unwrap_or_else(|_| "book/scored.shob".to_owned());
    let book = Shob::open(Path::new(&path)).and_then(|book| book.to_map()).expect("a SHOB book with positions");
    let mut random = SmallRng::seed_from_u64(1);
    let games = (0..GAMES).map(|_| random_game(&book, &mut random)).collect();
    let bench = Bench { folder: tempfile::tempdir().expect("a folder"), games, keys: book.keys().copied().collect() };
    for (name, compress) in [("plain", false), ("packed", true)] {
        for positions in [false, true] {
            write(&book, ShobOptions { compress, positions }, &bench.path(name)).expect("a book is written");
            let size = fs::metadata(bench.path(name)).expect("a file").len();
            let each = size as f64 / book.len() as f64;
            println!("{name}, positions kept: {positions}: {size} bytes, {each:.1} a position");
        }
    }
    bench
}

/// Sorted times of the calls.
fn times(mut calls: impl Iterator<Item = Duration>) -> Vec<Duration> {
    let mut times: Vec<Duration> = calls.by_ref().collect();
    times.sort_unstable();
    times
}

fn print_times(what: &str, times: &[Duration]) {
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!("{what}: median {:?}, p99 {:?}, most {:?}", at(0.5), at(0.99), at(1.0));
}

fn timed<T>(call: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(call());
    start.elapsed()
}

/// Lookups along games, random lookups, and the first lookup after opening.
fn print_lookups(bench: &Bench) {
    for name in ["plain", "packed"] {
        let path = bench.path(name);
        let book = Shob::open(&path).expect("a book");
        for round in ["first", "second"] {
            let before = book.cache_counts();
            let along = bench.games.iter().flatten().map(|&key| timed(|| book.lookup(key)));
            print_times(&format!("{name}, {GAMES} games, {round} time"), &times(along));
            let counts = book.cache_counts();
            let (hits, misses) = (counts.hits - before.hits, counts.misses - before.misses);
            println!(
                "  blocks: {hits} hits, {misses} misses, {:.1} % hits",
                100.0 * hits as f64 / (hits + misses).max(1) as f64
            );
        }
        let mut random = SmallRng::seed_from_u64(2);
        let mut key = || bench.keys[random.random_range(0..bench.keys.len())];
        print_times(&format!("{name}, anywhere"), &times((0..50_000).map(|_| timed(|| book.lookup(key())))));
        let first = (0..2000).map(|_| {
            let book = Shob::open(&path).expect("a book");
            timed(|| book.lookup(key()))
        });
        print_times(&format!("{name}, first after opening"), &times(first));
        if drop_page_cache(&path) {
            let from_disk = (0..200).map(|_| {
                drop_page_cache(&path);
                let book = Shob::open(&path).expect("a book");
                timed(|| book.lookup(key()))
            });
            print_times(&format!("{name}, first after opening, from disk"), &times(from_disk));
        }
        print_times(&format!("{name}, opening"), &times((0..2000).map(|_| timed(|| Shob::open(&path)))));
        print_times(
            &format!("{name}, verifying"),
            &times((0..3).map(|_| timed(|| book.verify().expect("a whole book")))),
        );
    }
}

/// Asks the system to drop the page cache of a file, so that the next lookup reads the disk.
/// Returns whether that was possible.
fn drop_page_cache(path: &Path) -> bool {
    let mut target = std::ffi::OsString::from("of=");
    target.push(path);
    let words = ["if=/dev/null", "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none"];
    Command::new("dd").arg(target).args(words).status().is_ok_and(|status| status.success())
}

fn lookups(criterion: &mut Criterion) {
    let bench = prepare();
    print_lookups(&bench);
    for name in ["plain", "packed"] {
        let path = bench.path(name);
        let book = Shob::open(&path).expect("a book");
        let mut keys = bench.games[0].iter().cycle();
        let mut next = || *keys.next().expect("a game has positions");
        criterion.bench_function(&format!("book/lookup_{name}"), |bencher| bencher.iter(|| book.lookup(next())));
        criterion.bench_function(&format!("book/miss_{name}"), |bencher| bencher.iter(|| book.lookup(!next())));
        criterion.bench_function(&format!("book/open_{name}"), |bencher| bencher.iter(|| Shob::open(&path)));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2));
    targets = lookups
}
criterion_main!(benches);
