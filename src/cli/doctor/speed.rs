//! Two seconds of search compared with the expected speed of this machine.
//!
//! The expectation is measured in the same run: between the parts of the search a loop of simple
//! arithmetic with L1 reads runs on the same core, and `expected = loop steps per second *
//! NODES_PER_STEP`. A busy or throttled machine slows down both, so the ratio stays; a slow build
//! or network slows down only the search. The share of processor time received shows whether the
//! processor was shared.

use super::problem::Problem;
use crate::engine::BENCH_POSITIONS;
use crate::eval::Evaluation;
use crate::search::{Limits, Resources, Searcher, Settings, Signals, TimeControl};
use sabi_shogi::Position;
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Search nodes per loop step of a release build with the embedded network on an x86-64 processor
/// with AVX-512 VNNI. `docs/commands.md` documents the measurement.
const NODES_PER_STEP: f64 = 1.0 / 330.0;

/// Bench positions searched: an opening, two middlegames, an endgame.
const SEARCHED: [usize; 4] = [3, 7, 9, 15];
const SEARCH: Duration = Duration::from_millis(450);
const LOOP: Duration = Duration::from_millis(50);
const HASH_MB: usize = 16;

/// Below this share of the expected speed, a problem is reported.
const SLOW: f64 = 0.5;
/// Below this share of processor time, the processor is shared.
const SHARED: f64 = 0.8;

#[derive(Serialize)]
pub struct Speed {
    nodes_per_second: u64,
    expected: u64,
    /// Processor time / time, if known.
    processor_share: Option<f64>,
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
    /// Searches and runs the loop for two seconds. `None` when out of memory.
    pub fn measure(evaluation: Evaluation, problems: &mut Vec<Problem>) -> Option<Self> {
        let searcher = Searcher::with_evaluation(&Resources::new(HASH_MB, 1), evaluation);
        let mut searcher =
            searcher.map_err(|error| problems.push(Problem::new(error.to_string(), "end other programs"))).ok()?;
        let (start, processor_time) = (Instant::now(), processor_time());
        let (mut nodes, mut searched, mut steps, mut counted) = (0, Duration::ZERO, 0.0, Duration::ZERO);
        for index in SEARCHED {
            let loop_start = Instant::now();
            steps += run_loop(LOOP);
            counted += loop_start.elapsed();
            let position = Position::from_sfen(BENCH_POSITIONS[index]).ok()?;
            let search_start = Instant::now();
            let time = TimeControl::MoveTime(SEARCH.as_millis() as u64);
            let limits = Limits { time, ..Limits::unlimited(search_start) };
            nodes += searcher.search(&position, &limits, &Settings::default(), &Signals::default(), &mut |_| {}).nodes;
            searched += search_start.elapsed();
        }
        let used = processor_time.zip(self::processor_time()).map(|(before, after)| after.saturating_sub(before));
        let speed = Self {
            nodes_per_second: (nodes as f64 / searched.as_secs_f64()) as u64,
            expected: (steps / counted.as_secs_f64() * NODES_PER_STEP) as u64,
            processor_share: used.map(|used| used.as_secs_f64() / start.elapsed().as_secs_f64()),
        };
        speed.check(problems);
        Some(speed)
    }

    fn check(&self, problems: &mut Vec<Problem>) {
        let ratio = self.nodes_per_second as f64 / (self.expected as f64).max(1.0);
        if ratio < SLOW {
            problems.push(Problem::new(
                format!("the search has {:.0} % of the expected speed", 100.0 * ratio),
                "use a release build for this processor (docs/builds.md); a larger network or EvalType hand changes the speed too",
            ));
        }
        if let Some(share) = self.processor_share.filter(|&share| share < SHARED) {
            problems.push(Problem::new(
                format!("the engine got {:.0} % of a processor", 100.0 * share),
                "end other programs, or raise the limit of the container",
            ));
        }
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
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in brackets, may contain blanks. Fields 14 and 15 are in hundredths of a second.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(Duration::from_millis(10 * (user + system)))
}

#[cfg(not(target_os = "linux"))]
fn processor_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_searches_are_reported() {
        let problems = |nodes_per_second, processor_share| {
            let mut problems = Vec::new();
            Speed { nodes_per_second, expected: 1_000_000, processor_share }.check(&mut problems);
            problems.len()
        };
        assert_eq!(problems(900_000, Some(0.99)), 0);
        assert_eq!(problems(400_000, Some(0.99)), 1);
        assert_eq!(problems(900_000, Some(0.4)), 1);
        assert_eq!(problems(900_000, None), 0);
    }
}
