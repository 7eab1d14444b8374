//! Cost of probes and stores in the transposition table and in the evaluation cache.
//!
//! `cargo bench --package sabi-benches --bench tables`; some minutes and 2 GiB of memory. An argument
//! selects, as in `… --bench tables -- eval_cache/16MiB`. Throughput elements are probes or stores.
//!
//! All slots are filled before measuring: each probe for a hit is a hit, and each store of a new
//! position evicts an entry.
//!
//! | name | measured |
//! |---|---|
//! | `probe_hit`, `probe_miss` | independent random probes |
//! | `probe_hit_prefetched` | the same with prefetch some probes ahead, as in the search |
//! | `probe_hit_chain` | each probe depends on the result of the previous one: latency |
//! | `probe_hit_cached` | positions of eight clusters in random order: no cache misses |
//! | `probe_hit_one` | one position repeatedly: no cache misses, no branch mispredictions |
//! | `store`, `store_same` | stores of new positions, and of stored positions |
//! | `memory/SIZE/read`, `read_chain` | reads of one word: the part of the memory |
//! | `threads/store/SIZE/TABLE/N` | stores of new positions by N threads; wall time |

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sabi::machine::HugeSlice;
use sabi::table::{Entry, EvalCache, LocalEvalCache, Source, ThreadEvalCache, TranspositionTable};
use sabi_shogi::{Bound, Score, split_mix};
use std::cell::LazyCell;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Probes or stores per timing.
const BATCH: usize = 1024;
/// Prefetch distance in probes.
const PREFETCH_DISTANCE: usize = 8;
/// Clusters that are probed repeatedly.
const CACHED_CLUSTERS: u64 = 8;
/// Stores per thread and run, to amortise thread start.
const STORES: u64 = 1 << 17;

/// MiB: one size within a typical cache, and one beyond. Small under `cargo test`, as a smoke test.
fn sizes() -> &'static [usize] {
    if std::env::args().any(|argument| argument == "--bench") { &[16, 1024] } else { &[1] }
}

fn name_of(mebibytes: usize) -> String {
    if mebibytes < 1024 { format!("{mebibytes}MiB") } else { format!("{}GiB", mebibytes / 1024) }
}

fn cores() -> u64 {
    std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64)
}

/// A table under test.
trait TestedTable: Sync + Sized {
    const NAME: &'static str;

    fn new(mebibytes: usize) -> Self;
    fn bytes(&self) -> usize;
    fn probe(&self, key: u64) -> Option<i32>;
    fn store(&self, key: u64);
    fn prefetch(&self, key: u64);
}

/// Bytes and entries of a bucket of the search tables.
const BUCKET: usize = 64;
const ENTRIES: u64 = 5;

fn entry(key: u64) -> Entry {
    let number = i32::from(key as i16) / 2;
    Entry {
        mv: None,
        score: Score::raw(number),
        eval: Some(Score::raw(number)),
        depth: (key >> 16 & 15) as i32,
        bound: Some(Bound::Lower),
        pv: false,
        source: Source::Main,
    }
}

impl TestedTable for TranspositionTable {
    const NAME: &'static str = "table";

    fn new(mebibytes: usize) -> Self {
        TranspositionTable::new(mebibytes, 0).expect("enough memory")
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    #[inline]
    fn probe(&self, key: u64) -> Option<i32> {
        // The search reads the whole entry.
        self.probe(key, &mut ()).map(|entry| black_box(entry).score.get())
    }

    #[inline]
    fn store(&self, key: u64) {
        self.store(key, &entry(key), &mut ());
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        TranspositionTable::prefetch(self, key);
    }
}

impl TestedTable for EvalCache {
    const NAME: &'static str = "eval_cache";

    fn new(mebibytes: usize) -> Self {
        EvalCache::new(mebibytes).expect("enough memory")
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    #[inline]
    fn probe(&self, key: u64) -> Option<i32> {
        self.probe(key, &mut ())
    }

    #[inline]
    fn store(&self, key: u64) {
        let Entry { score, depth, .. } = entry(key);
        self.store(key, score.get(), depth, &mut ());
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        EvalCache::prefetch(self, key);
    }
}

#[inline]
fn cluster_of(key: u64, clusters: usize) -> usize {
    ((u128::from(key) * clusters as u128) >> 64) as usize
}

/// Random numbers of a seed.
struct Random {
    seed: u64,
    number: u64,
}

impl Random {
    const fn new(seed: u64) -> Self {
        Self { seed, number: 0 }
    }

    #[inline]
    fn next(&mut self) -> u64 {
        self.number += 1;
        split_mix(self.seed, self.number)
    }
}

/// A full table and its keys.
struct Filled<S> {
    table: S,
    clusters: u64,
    /// Key distance between clusters.
    step: u64,
}

impl<S: TestedTable> Filled<S> {
    fn new(mebibytes: usize) -> Self {
        let table = S::new(mebibytes);
        let clusters = (table.bytes() / BUCKET) as u64;
        let filled = Self { table, clusters, step: u64::MAX / clusters + 1 };
        let share = clusters.div_ceil(cores());
        std::thread::scope(|scope| {
            for thread in 0..cores() {
                let filled = &filled;
                let part = thread * share..((thread + 1) * share).min(clusters);
                scope.spawn(move || {
                    for (place, way) in part.flat_map(|place| (0..ENTRIES).map(move |way| (place, way))) {
                        filled.table.store(filled.known(place, way));
                    }
                });
            }
        });
        let mut random = Random::new(0);
        for _ in 0..100 * BATCH {
            assert!(filled.table.probe(filled.any_known(random.next())).is_some());
            assert_eq!(filled.table.probe(filled.absent(random.next())), None);
        }
        filled
    }

    /// Deterministic key for a cluster and `name`.
    #[inline]
    fn key(&self, place: u64, name: u64) -> u64 {
        // In the lower half of the cluster's range, so that rounding cannot reach a neighbour.
        place * self.step + (split_mix(name, 0) >> (self.step.leading_zeros() + 1))
    }

    #[inline]
    fn known(&self, place: u64, way: u64) -> u64 {
        self.key(place, place * 8 + way)
    }

    #[inline]
    fn any_cluster(&self, random: u64) -> u64 {
        ((u128::from(random) * u128::from(self.clusters)) >> 64) as u64
    }

    /// A stored key.
    #[inline]
    fn any_known(&self, random: u64) -> u64 {
        self.known(self.any_cluster(random), ((random & 0xffff_ffff) * ENTRIES) >> 32)
    }

    /// A key that was not stored.
    #[inline]
    fn absent(&self, random: u64) -> u64 {
        self.key(self.any_cluster(random), !random)
    }
}

/// Time of `work` on `times` batches of keys, excluding key generation.
fn time(times: u64, mut key: impl FnMut() -> u64, mut work: impl FnMut(&[u64; BATCH])) -> Duration {
    let mut keys = [0; BATCH];
    let mut spent = Duration::ZERO;
    for _ in 0..times {
        keys.fill_with(&mut key);
        let start = Instant::now();
        work(black_box(&keys));
        spent += start.elapsed();
    }
    spent
}

fn probe_all<S: TestedTable>(table: &S, keys: &[u64; BATCH]) {
    for &key in keys {
        black_box(table.probe(key));
    }
}

fn probe_prefetched<S: TestedTable>(table: &S, keys: &[u64; BATCH]) {
    for (at, &key) in keys.iter().enumerate() {
        table.prefetch(keys[(at + PREFETCH_DISTANCE) % BATCH]);
        black_box(table.probe(key));
    }
}

fn probe_chained<S: TestedTable>(table: &S, keys: &[u64; BATCH]) {
    // Keeps the compiler from removing the probes.
    let none = black_box(0);
    let mut number = 0;
    for &key in keys {
        number = table.probe(key ^ number as u64 & none).unwrap_or_default();
    }
    black_box(number);
}

fn store_all<S: TestedTable>(table: &S, keys: &[u64; BATCH]) {
    for &key in keys {
        table.store(key);
    }
}

fn one_thread<S: TestedTable>(criterion: &mut Criterion, mebibytes: usize) {
    // Filled only if something is measured.
    let filled = LazyCell::new(|| Filled::<S>::new(mebibytes));
    let mut group = criterion.benchmark_group(format!("{}/{}", S::NAME, name_of(mebibytes)));
    group.throughput(Throughput::Elements(BATCH as u64));
    let mut random = Random::new(1);
    let mut bench = |name: &str, key: fn(&Filled<S>, u64) -> u64, work: fn(&S, &[u64; BATCH])| {
        group.bench_function(name, |bencher| {
            let filled = &*filled;
            bencher.iter_custom(|times| time(times, || key(filled, random.next()), |keys| work(&filled.table, keys)));
        });
    };
    bench("probe_hit", Filled::any_known, probe_all);
    bench("probe_hit_prefetched", Filled::any_known, probe_prefetched);
    bench("probe_hit_chain", Filled::any_known, probe_chained);
    bench(
        "probe_hit_cached",
        |filled, random| filled.known(random % CACHED_CLUSTERS, (random >> 32) % ENTRIES),
        probe_all,
    );
    bench("probe_hit_one", |filled, _| filled.known(0, 0), probe_all);
    bench("probe_miss", Filled::absent, probe_all);
    bench("store_same", Filled::any_known, store_all);
    // Last, because it evicts the keys of the others.
    bench("store", Filled::absent, store_all);
    group.finish();
}

/// Memory latency: one word read in a line of this many MiB, on the pages of the tables.
fn memory(criterion: &mut Criterion, mebibytes: usize) {
    type Line = [u64; BUCKET / 8];
    let zeroes = LazyCell::new(|| HugeSlice::<Line>::zeroed((mebibytes << 20) / BUCKET).expect("enough memory"));
    let mut group = criterion.benchmark_group(format!("memory/{}", name_of(mebibytes)));
    group.throughput(Throughput::Elements(BATCH as u64));
    let mut random = Random::new(1);
    let mut bench = |name: &str, work: fn(&[Line], &[u64; BATCH])| {
        group.bench_function(name, |bencher| {
            let zeroes: &[Line] = &zeroes;
            bencher.iter_custom(|times| time(times, || random.next(), |keys| work(black_box(zeroes), keys)));
        });
    };
    bench("read", |lines, keys| {
        for &key in keys {
            black_box(lines[cluster_of(key, lines.len())][0]);
        }
    });
    bench("read_chain", |lines, keys| {
        black_box(keys.iter().fold(0, |last, &key| lines[cluster_of(key ^ last, lines.len())][0]));
    });
    group.finish();
}

/// The per-thread level of the evaluation cache.
fn near(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("eval_cache/near");
    group.throughput(Throughput::Elements(BATCH as u64));
    group.bench_function("probe_hit", |bencher| {
        let mut level = LocalEvalCache::new().expect("enough memory");
        let shared = <EvalCache as TestedTable>::new(1);
        let mut cached = ThreadEvalCache::new(&mut level, &shared);
        // Half as many keys as slots, one per slot, in random order.
        let count = (LocalEvalCache::BYTES / 32) as u64;
        let key = |random: u64| (split_mix(random % count, 0) << 20) | (random % count);
        (0..count).for_each(|at| assert_eq!(cached.value(key(at), 0, || 7, &mut ()), 7));
        let mut random = Random::new(1);
        bencher.iter_custom(|times| {
            let work = |keys: &[u64; BATCH]| {
                for &key in keys {
                    black_box(cached.value(key, 0, || panic!("known"), &mut ()));
                }
            };
            time(times, || key(random.next()), work)
        });
    });
    group.finish();
}

fn many_threads<S: TestedTable>(criterion: &mut Criterion, mebibytes: usize) {
    let filled = LazyCell::new(|| Filled::<S>::new(mebibytes));
    let mut group = criterion.benchmark_group(format!("threads/store/{}", name_of(mebibytes)));
    let mut seed = 0;
    for threads in [1, cores()] {
        group.throughput(Throughput::Elements(threads * STORES));
        group.bench_function(BenchmarkId::new(S::NAME, threads), |bencher| {
            let filled = &*filled;
            bencher.iter_custom(|times| {
                let start = Instant::now();
                std::thread::scope(|scope| {
                    for _ in 0..threads {
                        seed += 1;
                        let mut random = Random::new(seed);
                        scope.spawn(move || {
                            (0..times * STORES).for_each(|_| filled.table.store(filled.absent(random.next())));
                        });
                    }
                });
                start.elapsed()
            });
        });
        if cores() == 1 {
            break;
        }
    }
    group.finish();
}

fn tables(criterion: &mut Criterion) {
    for &mebibytes in sizes() {
        memory(criterion, mebibytes);
        one_thread::<TranspositionTable>(criterion, mebibytes);
        one_thread::<EvalCache>(criterion, mebibytes);
    }
    near(criterion);
    for &mebibytes in sizes() {
        many_threads::<TranspositionTable>(criterion, mebibytes);
        many_threads::<EvalCache>(criterion, mebibytes);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = tables
}
criterion_main!(benches);
