//! Effect of table policies and sizes on a search: nodes, time and table statistics, as Markdown.
//!
//! `cargo bench --bench policies` searches the positions of `sabi bench` to its depth on one
//! thread; about five minutes on an idle machine. The tables are hardly full there; `cargo bench
//! --bench policies -- 16` searches deeper and takes six times as long.
//!
//! Each configuration runs once for statistics and three times for time; median and minimum are
//! shown. Rounds cycle over all rows, so that a busy minute does not affect a single row. All four
//! runs must have equal nodes.
//!
//! Equal depths are not equal searches: without a tt move the search reduces a node (IIR), and
//! without bounds there are no singular extensions; so a search without a table finishes a depth
//! with fewer nodes, but sees less.

use sabi::engine::{BENCH_DEPTH, BENCH_HASH_MB, Options, bench, rows};
use sabi::search::{Resources, Signals, Statistics};
use sabi::table::{Counts, Event};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Depth under `cargo test`, as a smoke test.
const TRIAL_DEPTH: u32 = 3;
/// Timed runs.
const ROUNDS: usize = 3;
/// Depths at which searches with and without a table are compared.
const COMPARED_DEPTHS: u32 = 8;
/// Depth reduction of rows without a transposition table.
const DEPTH_REDUCTION: u32 = 2;
/// Search threads need a large stack.
const STACK: usize = 64 << 20;

const HASH_MB: [usize; 4] = [1, 8, 64, 256];
/// First and second level. A second level is compared with the row before it: the same memory in
/// the first level only.
const LEVELS: [(usize, usize); 8] = [(1, 0), (2, 0), (1, 1), (5, 0), (1, 4), (8, 0), (16, 0), (8, 8)];
const EVAL_MB: [usize; 3] = [1, 16, 64];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wanted = arguments.iter().find_map(|argument| argument.parse().ok());
    let usual = if arguments.iter().any(|argument| argument == "--bench") { BENCH_DEPTH } else { TRIAL_DEPTH };
    let depth = wanted.unwrap_or(usual).max(DEPTH_REDUCTION + 1);
    println!("{} positions, {} processors\n", sabi::engine::BENCH_POSITIONS.len(), cores());
    hash_policies(depth);
    with_and_without(depth);
    second_level(depth);
    for (hash_mb, depth) in [(BENCH_HASH_MB, depth), (1, depth), (0, depth - DEPTH_REDUCTION)] {
        evaluation_cache(hash_mb, depth);
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Option values.
fn names(option: &str) -> Vec<&'static str> {
    rows().find(|row| row.name == option).map(|row| row.kind.choice_names().collect()).expect("a combo option")
}

/// Default options with these tables.
fn with_tables(resources: Resources) -> Options {
    Options { resources: Resources { threads: 1, ..resources }, ..Options::default() }
}

/// Transposition table levels of these sizes.
fn with_sizes(hash_mb: usize, second_mb: usize) -> Options {
    with_tables(Resources { second_mb, ..Resources::new(hash_mb, 1) })
}

/// The same with a combo option set.
fn with_combo(options: &Options, option: &str, word: &str) -> Options {
    options.with(option, Some(word)).expect("one of its words")
}

/// Results of all runs of a configuration.
struct Measured {
    /// Nodes by position.
    nodes: Vec<u64>,
    statistics: Statistics,
    times: [Duration; ROUNDS],
}

impl Measured {
    fn total(&self) -> u64 {
        self.nodes.iter().sum()
    }

    fn median(&self) -> Duration {
        let mut times = self.times;
        times.sort();
        times[ROUNDS / 2]
    }

    /// Slowest over fastest run.
    fn spread(&self) -> f64 {
        let seconds = |time: &Duration| time.as_secs_f64();
        let fastest = self.times.iter().map(seconds).fold(f64::INFINITY, f64::min);
        self.times.iter().map(seconds).fold(0.0, f64::max) / fastest
    }

    /// Median and minimum time in milliseconds.
    fn times(&self) -> [String; 2] {
        let fastest = self.times.into_iter().min().unwrap_or_default();
        [self.median(), fastest].map(|time| format!("{:.0}", time.as_secs_f64() * 1000.0))
    }
}

/// Nodes by position, time, and statistics.
fn run(depth: u32, options: &Options) -> (Vec<u64>, Duration, Option<Statistics>) {
    let mut nodes = Vec::new();
    let (total, statistics) = bench(depth, options, &Signals::default(), &mut |_, result| nodes.push(result.nodes))
        .expect("memory for the tables");
    (nodes, total.time, statistics)
}

/// Runs a configuration with statistics.
fn count(depth: u32, options: &Options) -> Measured {
    let mut counting = options.clone();
    counting.search.statistics = true;
    let (nodes, _, statistics) = run(depth, &counting);
    Measured { nodes, statistics: statistics.expect("asked for"), times: [Duration::ZERO; ROUNDS] }
}

/// Measures configurations, each to its depth.
fn measure(configurations: &[(u32, Options)]) -> Vec<Measured> {
    // Statistics do not depend on time, so these runs may use all cores.
    let next = AtomicUsize::new(0);
    let counted = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..cores() {
            let work = || {
                let places = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
                for at in places.take_while(|&at| at < configurations.len()) {
                    let (depth, options) = &configurations[at];
                    let result = count(*depth, options);
                    counted.lock().expect("no thread panics").push((at, result));
                }
            };
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread");
        }
    });
    let mut counted = counted.into_inner().expect("no thread panics");
    counted.sort_by_key(|&(at, _)| at);
    let mut measured: Vec<Measured> = counted.into_iter().map(|(_, result)| result).collect();
    for round in 0..ROUNDS {
        for ((depth, options), measured) in configurations.iter().zip(&mut measured) {
            let (nodes, time, _) = run(*depth, options);
            assert_eq!(nodes, measured.nodes, "the nodes differ from run to run: depth {depth}, {options:?}");
            measured.times[round] = time;
        }
    }
    measured
}

/// Prints a table, and the spread of its times.
fn print(title: &str, columns: &[&str], rows: &[Vec<String>], measured: &[Measured]) {
    println!("### {title}\n");
    println!("| {} |", columns.join(" | "));
    println!("|---|{}", "--:|".repeat(columns.len() - 1));
    rows.iter().for_each(|row| println!("| {} |", row.join(" | ")));
    let mut spreads: Vec<f64> = measured.iter().map(|result| (result.spread() - 1.0) * 100.0).collect();
    spreads.sort_by(f64::total_cmp);
    if let Some(most) = spreads.last() {
        println!(
            "\nBetween the {ROUNDS} times of a row: {:.0}% (median), {most:.0}% (most).\n",
            spreads[spreads.len() / 2]
        );
    }
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}", part as f64 * 100.0 / whole.max(1) as f64)
}

fn found(counts: &Counts) -> String {
    percent(counts.found(), counts.probes())
}

/// Evicted entries.
fn replaced(counts: &Counts) -> u64 {
    [Event::Older, Event::Shallower, Event::Deeper].map(|event| counts.of(event)).iter().sum()
}

fn hash_policies(depth: u32) {
    let mut labels = vec![("off".to_owned(), "0".to_owned())];
    let mut configurations = vec![(depth, with_sizes(0, 0))];
    for hash_mb in HASH_MB {
        for policy in names("HashPolicy") {
            labels.push(((*policy).to_owned(), hash_mb.to_string()));
            configurations.push((depth, with_combo(&with_sizes(hash_mb, 0), "HashPolicy", policy)));
        }
    }
    let measured = measure(&configurations);
    let rows: Vec<Vec<String>> = labels
        .into_iter()
        .zip(&measured)
        .map(|((policy, size), result)| {
            let counts = result.statistics.table();
            let replaced = replaced(counts).to_string();
            let [median, fastest] = result.times();
            vec![policy, size, result.total().to_string(), median, fastest, found(counts), replaced]
        })
        .collect();
    let columns = ["HashPolicy", "MiB", "nodes", "ms", "fastest", "found %", "replaced"];
    print(&format!("Policies of the transposition table, depth {depth}"), &columns, &rows, &measured);
}

/// The depth at which a search would visit this many nodes, interpolated.
fn depth_of(nodes: u64, grown: &[(u32, u64)]) -> Option<f64> {
    let pair = grown.windows(2).find(|pair| pair[0].1 <= nodes && nodes <= pair[1].1)?;
    let [(depth, low), (_, high)] = [pair[0], pair[1]].map(|(depth, nodes)| (f64::from(depth), (nodes as f64).ln()));
    Some(depth + ((nodes as f64).ln() - low) / (high - low))
}

fn with_and_without(deepest: u32) {
    let depths: Vec<u32> = (deepest.saturating_sub(COMPARED_DEPTHS - 1).max(1)..=deepest).collect();
    let sizes = [0, BENCH_HASH_MB];
    let configurations: Vec<_> =
        sizes.iter().flat_map(|&mb| depths.iter().map(move |&depth| (depth, with_sizes(mb, 0)))).collect();
    let measured = measure(&configurations);
    let (without, with) = measured.split_at(depths.len());
    let grown: Vec<_> = depths.iter().zip(with).map(|(&depth, result)| (depth, result.total())).collect();
    let rows: Vec<Vec<String>> = depths
        .iter()
        .zip(without.iter().zip(with))
        .map(|(&depth, (without, with))| {
            let logarithms = without.nodes.iter().zip(&with.nodes).map(|(&off, &on)| (off as f64 / on as f64).ln());
            let mean = (logarithms.sum::<f64>() / with.nodes.len() as f64).exp();
            let reached = depth_of(without.total(), &grown).map(|depth| format!("{depth:.1}"));
            vec![
                depth.to_string(),
                without.total().to_string(),
                with.total().to_string(),
                format!("{:.2}", without.total() as f64 / with.total() as f64),
                format!("{mean:.2}"),
                without.times()[0].clone(),
                with.times()[0].clone(),
                reached.unwrap_or_else(|| "-".to_owned()),
            ]
        })
        .collect();
    let columns = [
        "depth",
        "nodes without",
        "nodes with",
        "without / with",
        "mean of the positions",
        "ms without",
        "ms with",
        "depth with, for the nodes without",
    ];
    print(&format!("Without a table, and with {BENCH_HASH_MB} MiB"), &columns, &rows, &measured);
}

fn second_level(depth: u32) {
    let configurations = LEVELS.map(|(first, second)| (depth, with_sizes(first, second)));
    let measured = measure(&configurations);
    let rows: Vec<Vec<String>> = LEVELS
        .iter()
        .zip(&measured)
        .map(|((first, second), result)| {
            let counts = result.statistics.table();
            let [median, fastest] = result.times();
            vec![
                format!("{first} + {second}"),
                result.total().to_string(),
                median,
                fastest,
                found(counts),
                percent(counts.of(Event::SecondHit), counts.probes()),
                counts.of(Event::SecondStore).to_string(),
            ]
        })
        .collect();
    let columns =
        ["USI_Hash + HashLevel2, MiB", "nodes", "ms", "fastest", "found %", "in level 2 %", "stored in level 2"];
    print(&format!("The second level of the transposition table, depth {depth}"), &columns, &rows, &measured);
}

fn evaluation_cache(hash_mb: usize, depth: u32) {
    let mut labels = vec![("none".to_owned(), "0".to_owned())];
    let mut configurations = vec![(depth, with_sizes(hash_mb, 0))];
    for eval_mb in EVAL_MB {
        let with_sizes = with_tables(Resources { eval_mb, ..Resources::new(hash_mb, 1) });
        for policy in names("EvalHashPolicy") {
            labels.push(((*policy).to_owned(), eval_mb.to_string()));
            configurations.push((depth, with_combo(&with_sizes, "EvalHashPolicy", policy)));
        }
    }
    let measured = measure(&configurations);
    let rows: Vec<Vec<String>> = labels
        .into_iter()
        .zip(&measured)
        .map(|((policy, size), result)| {
            let counts = result.statistics.evaluations();
            let near = percent(counts.of(Event::NearHit), counts.probes());
            let replaced = replaced(counts).to_string();
            let (nodes, probes) = (result.total().to_string(), counts.probes().to_string());
            let [median, fastest] = result.times();
            vec![policy, size, nodes, median, fastest, probes, found(counts), near, replaced]
        })
        .collect();
    let columns = ["EvalHashPolicy", "MiB", "nodes", "ms", "fastest", "probes", "found %", "near %", "replaced"];
    let title = format!("The evaluation cache beside a transposition table of {hash_mb} MiB, depth {depth}");
    print(&title, &columns, &rows, &measured);
}
