//! What machine and build are, and how fast they search.

use crate::engine::BENCH_POSITIONS;
use crate::eval::Evaluation;
use crate::eval::nnue::Kernel;
use crate::machine::system_memory;
use crate::search::{Limits, Resources, Searcher, Settings, Signals, TimeControl};
use sabi_shogi::Position;
use serde::Serialize;
use std::fmt;
use std::fs;
use std::hint::black_box;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

const MEBIBYTE: u64 = 1 << 20;

#[derive(Serialize)]
pub struct Machine {
    build: String,
    /// Target features enabled at compile time.
    compiled_for: Vec<&'static str>,
    processor: Option<String>,
    /// Processor features that the engine can use.
    features: Vec<&'static str>,
    /// Inference kernel.
    pub kernel: String,
    cores: usize,
    /// Cores available to this process, by affinity and control groups.
    pub usable_cores: usize,
    /// Control group quota, in processors.
    pub processor_quota: Option<f64>,
    /// In MB, like all of these.
    memory: Option<u64>,
    pub memory_free: Option<u64>,
    /// Memory left under the limit of the control group.
    memory_quota: Option<u64>,
    pub huge_pages: Option<String>,
}

impl Machine {
    pub fn detect() -> Self {
        let usable_cores = thread::available_parallelism().map_or(1, usize::from);
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let listed = info.lines().filter(|line| line.starts_with("processor")).count();
        let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
        let (architecture, system) = (std::env::consts::ARCH, std::env::consts::OS);
        #[cfg(target_os = "linux")]
        let (processor_quota, memory_quota) = (crate::machine::processor_quota(), crate::machine::memory_left());
        #[cfg(not(target_os = "linux"))]
        let (processor_quota, memory_quota): (Option<f64>, Option<u64>) = (None, None);
        let [memory, memory_free] =
            system_memory().map_or([None; 2], |bytes| bytes.map(|bytes| Some(bytes / MEBIBYTE)));
        // Version 1 control groups report a huge number if unlimited.
        let memory_quota =
            memory_quota.map(|bytes| bytes / MEBIBYTE).filter(|&quota| memory.is_none_or(|all| quota < all));
        Self {
            build: format!("{profile}, {architecture}, {system}"),
            compiled_for: compiled_for(),
            // Windows: `Intel64 Family 6 …`.
            processor: field(&info, "model name").or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok()),
            features: features(),
            kernel: Kernel::best().to_string(),
            cores: listed.max(usable_cores),
            usable_cores,
            processor_quota,
            memory,
            memory_free,
            memory_quota,
            huge_pages: huge_pages(),
        }
    }

    pub fn write(&self, line: &mut dyn FnMut(&str, String) -> io::Result<()>) -> io::Result<()> {
        let mb = |amount: Option<u64>| amount.map_or_else(|| "unknown".to_owned(), |mb| format!("{mb} MB"));
        line("build", format!("{}; compiled for {}", self.build, list(&self.compiled_for)))?;
        line("processor", self.processor.clone().unwrap_or_else(|| "unknown".to_owned()))?;
        line("features", list(&self.features))?;
        line("kernel", self.kernel.clone())?;
        let quota = self.processor_quota.map_or_else(String::new, |quota| format!("; control group: {quota:.2}"));
        line("cores", format!("{}, usable {}{quota}", self.cores, self.usable_cores))?;
        let quota = self.memory_quota.map_or_else(String::new, |mb| format!("; control group leaves {mb} MB"));
        line("memory", format!("{}, free {}{quota}", mb(self.memory), mb(self.memory_free)))?;
        line("huge pages", self.huge_pages.clone().unwrap_or_else(|| "unknown".to_owned()))
    }
}

fn list(words: &[&str]) -> String {
    if words.is_empty() { "nothing special".to_owned() } else { words.join(" ") }
}

/// The first value of a key in a list of `key : value`.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The selected word is in brackets.
fn huge_pages() -> Option<String> {
    let text = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").ok()?;
    let (_, rest) = text.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

/// The names of the available features.
fn available(list: &[(bool, &'static str)]) -> Vec<&'static str> {
    list.iter().filter(|(is_available, _)| *is_available).map(|&(_, name)| name).collect()
}

macro_rules! compiled {
    ($($name:tt),*) => { available(&[$((cfg!(target_feature = $name), $name)),*]) };
}

fn compiled_for() -> Vec<&'static str> {
    compiled!("sse4.1", "sse4.2", "popcnt", "bmi2", "avx2", "avx512f", "avx512bw", "avx512vnni", "neon")
}

#[cfg(target_arch = "x86_64")]
macro_rules! detected {
    ($($name:tt),*) => { available(&[$((std::arch::is_x86_feature_detected!($name), $name)),*]) };
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    detected!("sse4.1", "sse4.2", "popcnt", "bmi2", "avx2", "avx512f", "avx512bw", "avx512vnni")
}

#[cfg(target_arch = "aarch64")]
fn features() -> Vec<&'static str> {
    available(&[(std::arch::is_aarch64_feature_detected!("neon"), "neon")])
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> Vec<&'static str> {
    Vec::new()
}

/// Search nodes per loop step of a release build with the embedded network on an x86-64 processor
/// with AVX-512 VNNI. `docs/commands.md` documents the measurement.
const NODES_PER_STEP: f64 = 1.0 / 330.0;

/// Bench positions searched: an opening, two middlegames, an endgame.
const SEARCHED: [usize; 4] = [3, 7, 9, 15];
const SEARCH: Duration = Duration::from_millis(450);
const LOOP: Duration = Duration::from_millis(50);
const HASH_MB: usize = 16;

#[derive(Serialize)]
pub struct Speed {
    pub nodes_per_second: u64,
    pub expected: u64,
    /// Processor time / time, if known.
    pub processor_share: Option<f64>,
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes_per_second, expected, processor_share } = self;
        let percent = 100 * nodes_per_second / (*expected).max(1);
        write!(f, "{nodes_per_second} nodes a second on one thread, {percent} % of the expected {expected}")?;
        processor_share.map_or(Ok(()), |share| write!(f, "; share of a processor {:.0} %", 100.0 * share))
    }
}

impl Speed {
    /// Searches and runs the loop for two seconds.
    ///
    /// The expectation is measured in the same run: between the parts of the search a loop of simple
    /// arithmetic with L1 reads runs on the same core, and `expected = loop steps per second *
    /// NODES_PER_STEP`. A busy or throttled machine slows down both, so the ratio stays; a slow build
    /// or network slows down only the search. The share of processor time received shows whether the
    /// processor was shared.
    pub fn measure(evaluation: Evaluation) -> anyhow::Result<Self> {
        let mut searcher = Searcher::with_evaluation(&Resources::new(HASH_MB, 1), evaluation)?;
        let (start, processor_time) = (Instant::now(), processor_time());
        let (mut nodes, mut searched, mut steps, mut counted) = (0, Duration::ZERO, 0.0, Duration::ZERO);
        for index in SEARCHED {
            let loop_start = Instant::now();
            steps += run_loop(LOOP);
            counted += loop_start.elapsed();
            let position = Position::from_sfen(BENCH_POSITIONS[index])?;
            let search_start = Instant::now();
            let time = TimeControl::MoveTime(SEARCH.as_millis() as u64);
            let limits = Limits { time, ..Limits::unlimited(search_start) };
            nodes += searcher.search(&position, &limits, &Settings::default(), &Signals::default(), &mut |_| {}).nodes;
            searched += search_start.elapsed();
        }
        let used = processor_time.zip(self::processor_time()).map(|(before, after)| after.saturating_sub(before));
        Ok(Self {
            nodes_per_second: (nodes as f64 / searched.as_secs_f64()) as u64,
            expected: (steps / counted.as_secs_f64() * NODES_PER_STEP) as u64,
            processor_share: used.map(|used| used.as_secs_f64() / start.elapsed().as_secs_f64()),
        })
    }
}

/// Runs the loop for this time and counts its steps.
fn run_loop(time: Duration) -> f64 {
    const BATCH: u32 = 100_000;
    let table: [u64; 1024] = std::array::from_fn(|at| (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let table = black_box(table);
    let (mut x, mut batches, start) = (1_u64, 0.0, Instant::now());
    while start.elapsed() < time {
        for _ in 0..BATCH {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x = x.wrapping_add(table[(x % 1024) as usize]) | 1;
        }
        x = black_box(x);
        batches += 1.0;
    }
    batches * f64::from(BATCH)
}

/// Processor time used by all threads of this process.
#[cfg(target_os = "linux")]
fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in brackets, may contain blanks. Fields 14 and 15 are in hundredths of a second.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(Duration::from_millis(10 * (user + system)))
}

#[cfg(not(target_os = "linux"))]
fn processor_time() -> Option<Duration> {
    None
}
