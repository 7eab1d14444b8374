//! Start time: from start to `usiok`, and from `isready` to `readyok` with a large table.
//!
//! `cargo bench --package sabi-benches --bench startup`

use criterion::{Criterion, criterion_group};
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// With this variable this program is the engine: cargo builds no program of another package.
const ENGINE: &str = "SABI_BENCH_ENGINE";

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Self {
        let mut child = Command::new(env::current_exe().expect("this program"))
            .env(ENGINE, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output }
    }

    fn ask(&mut self, command: &str, answer: &str) {
        writeln!(self.input, "{command}").expect("the engine listens");
        let mut line = String::new();
        while line.trim_end() != answer {
            line.clear();
            assert!(self.output.read_line(&mut line).expect("the engine speaks") > 0, "no {answer}");
        }
    }

    fn quit(mut self) {
        writeln!(self.input, "quit").expect("the engine listens");
        self.child.wait().expect("the engine ends");
    }
}

fn start_up(criterion: &mut Criterion) {
    criterion.bench_function("startup/usiok", |bencher| {
        bencher.iter_custom(|times| {
            (0..times).fold(Duration::ZERO, |sum, _| {
                let start = Instant::now();
                let mut engine = Engine::start();
                engine.ask("usi", "usiok");
                let taken = start.elapsed();
                engine.quit();
                sum + taken
            })
        });
    });
    criterion.bench_function("startup/readyok_1GiB", |bencher| {
        bencher.iter_custom(|times| {
            (0..times).fold(Duration::ZERO, |sum, _| {
                let mut engine = Engine::start();
                engine.ask("usi", "usiok");
                writeln!(engine.input, "setoption name USI_Hash value 1024").expect("the engine listens");
                let start = Instant::now();
                engine.ask("isready", "readyok");
                let taken = start.elapsed();
                engine.quit();
                sum + taken
            })
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(3));
    targets = start_up
}

fn main() -> ExitCode {
    if env::var_os(ENGINE).is_some() {
        return sabi::cli::main();
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
    ExitCode::SUCCESS
}
