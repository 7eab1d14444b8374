//! Every program that writes files, killed at any moment: what it replaces is old or new, and repeating the command gives the bytes
//! of a run that was not killed, and leaves nothing else behind.
//!
//! `SABI_KILLS` says how often each is killed, which is seldom unless it is said: see `docs/robustness.md`.

mod common;

use common::{Folder, run, succeed};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const SABI: &str = env!("CARGO_BIN_EXE_sabi");
const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/book/sabi.shob");

fn kills() -> u32 {
    std::env::var("SABI_KILLS").map_or(2, |count| count.parse().expect("SABI_KILLS is a number"))
}

/// A program and its words. `{}` in them stands for the folder in which it works.
struct Writer {
    program: &'static str,
    words: &'static str,
    /// What is said besides when it is repeated.
    resume: &'static str,
    /// What makes its inputs.
    inputs: &'static [(&'static str, &'static str)],
    /// What it replaces, if that is there already.
    old: Option<(&'static str, &'static str)>,
}

impl Writer {
    fn words(&self, folder: &Folder) -> Vec<String> {
        split(self.words, folder)
    }

    /// A folder with the inputs, made once.
    fn desk(&self, inputs: &BTreeMap<String, Vec<u8>>) -> Folder {
        let folder = Folder::new();
        inputs.iter().for_each(|(name, bytes)| drop(folder.with(name, bytes)));
        folder
    }

    fn check(&self) {
        let making = Folder::new();
        for (program, words) in self.inputs {
            succeed(program, &refs(&split(words, &making)));
        }
        if let Some((name, from)) = self.old {
            making.with(name, std::fs::read(from).expect("a file"));
        }
        let inputs = content(&making);
        let desk = self.desk(&inputs);
        let start = Instant::now();
        succeed(self.program, &refs(&self.words(&desk)));
        let (whole, expected) = (start.elapsed(), content(&desk));
        let (mut random, mut unfinished) = (SmallRng::seed_from_u64(7), 0);
        for kill in 0..kills() {
            let desk = self.desk(&inputs);
            let mut child = Command::new(self.program)
                .args(self.words(&desk))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts");
            thread::sleep(whole.mul_f64(random.random_range(0.0..1.1)));
            child.kill().expect("a child of ours");
            unfinished += u32::from(!child.wait().expect("a child of ours").success());
            for (name, old) in &inputs {
                let now = std::fs::read(desk.path(name)).expect("what was there is there");
                assert!(now == *old || now == expected[name], "{} {}: {name}", self.program, self.words);
            }
            let words = [self.words(&desk), split(self.resume, &desk)].concat();
            let outcome = run(self.program, &refs(&words));
            assert!(outcome.success, "{words:?} after kill {kill}: {}", outcome.stderr);
            let found = content(&desk);
            assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{words:?}");
            let others: Vec<_> = expected.iter().filter(|&(name, bytes)| found[name] != *bytes).collect();
            assert!(others.is_empty(), "{words:?} after kill {kill}: {:?}", others[0].0);
        }
        println!("{} {}: {unfinished} of {} killed before their end", self.program, self.words, kills());
    }
}

fn split(words: &str, folder: &Folder) -> Vec<String> {
    words.split_whitespace().map(|word| word.replace("{}", &folder.name("."))).collect()
}

fn refs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// The files of a folder.
fn content(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder.path("")).expect("a folder").map(|entry| entry.expect("an entry"));
    let file = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().expect("UTF-8"), std::fs::read(entry.path()).expect("a file"))
    };
    entries.map(file).collect()
}

const SELFPLAY: &str = "selfplay --out {}/games.sabg --seed-range 0..80 --threads 1 --nodes 1 --option USI_Hash=1 \
                        --balance 3000 --max-moves 40";
const GAMES: &[(&str, &str)] = &[(SABI, SELFPLAY)];
const SMALL: &[(&str, &str)] = &[(
    env!("CARGO_BIN_EXE_book_builder"),
    concat!(
        "--games ",
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/records/rinsai/floodgate.csa --max-ply 30 \
        --min-games 1 --output {}/small.shob"
    ),
)];

macro_rules! writers {
    ($($test:ident: $program:literal, $words:expr, $resume:literal, $inputs:expr, $old:expr;)*) => {
        $(#[test]
        fn $test() {
            let program = env!(concat!("CARGO_BIN_EXE_", $program));
            Writer { program, words: $words, resume: $resume, inputs: $inputs, old: $old }.check();
        })*
    };
}

writers! {
    games_of_self_play: "sabi", SELFPLAY, "", &[], None;
    games_of_a_match: "match_runner", concat!(
        "--engine-a ", env!("CARGO_BIN_EXE_sabi"), " --engine-b ", env!("CARGO_BIN_EXE_sabi"),
        " --option-a USI_Hash=1 --option-b USI_Hash=1 --nodes 100 --games 4 --out {}/games.usi"
    ), "", &[], None;
    games_converted: "data_tools", "convert {}/games.sabg --output {}/out.psv", "", GAMES, None;
    games_shuffled: "data_tools", "shuffle {}/games.sabg --output {}/out.sabg --seed 3", "", GAMES, None;
    books_merged: "book_tools", "merge {}/small.shob {}/out.shob --output {}/out.shob --strategy prefer-first", "", SMALL,
        Some(("out.shob", BOOK));
    a_book_in_place: "book_tools", "trim {}/out.shob --output {}/out.shob --max-ply 12", "", &[],
        Some(("out.shob", BOOK));
    a_book_judged: "book_tools", "rescore {}/small.shob --output {}/out.db --nodes 1000 --hash 1", "", SMALL, None;
    weights: "tuner", "fit {}/all.samples --output {}/w.json --iterations 25 --patience 1000", "--resume",
        &[(SABI, SELFPLAY), (env!("CARGO_BIN_EXE_tuner"), "extract --dataset {}/games.sabg --output {}/all.samples \
            --quiet-threshold 0 --quiet-margin 30000")], None;
    a_network: "trainer", "fit {}/games.sabg --output {}/nn.bin --width 32 --batch 256 --validation 0.2 --epochs 10 \
        --threads 1", "--resume", GAMES, None;
    a_tuning: "spsa", concat!("--engine ", env!("CARGO_BIN_EXE_sabi"), " --option USI_Hash=1 --params \
        ResignValue:step=2000,MultiPV:step=6 --nodes 50 --max-moves 60 --games 8 --out {}/tuning"), "", &[], None;
    an_analysis: "sabi", concat!("analyze ", env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/records/rinsai/floodgate.csa \
        --nodes 5000 --to 29 --threads 1 --option USI_Hash=1 --out {}/a.json"), "", &[], None;
}

/// The log of a session: every line that is there is a whole one.
#[test]
fn a_log() {
    let mut random = SmallRng::seed_from_u64(8);
    for _ in 0..kills() {
        let folder = Folder::new();
        let mut engine =
            Command::new(SABI).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the program starts");
        let words = format!("setoption name DebugLogFile value {}\n", folder.name("io.log"));
        let mut input = engine.stdin.take().expect("piped");
        input.write_all((words + &"usi\nposition startpos\ngo depth 1\n".repeat(40)).as_bytes()).expect("it reads");
        thread::sleep(Duration::from_micros(random.random_range(0..200_000)));
        engine.kill().expect("a child of ours");
        engine.wait().expect("a child of ours");
        let log = std::fs::read_to_string(folder.path("io.log")).unwrap_or_default();
        assert!(log.is_empty() || log.ends_with('\n'));
        for line in log.lines() {
            let (time, rest) = line.split_once(' ').expect("two words");
            assert!(time.parse::<f64>().is_ok() && rest.starts_with(['<', '>', '#']), "{line}");
        }
    }
}
