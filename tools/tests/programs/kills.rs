//! Every program that writes files is killed at random times: its output is old or new, repeating
//! the command gives the bytes of an uninterrupted run, and no other file remains.
//!
//! `SABI_KILLS` sets the number of kills; the default is small. See `docs/robustness.md`.

use super::common::{Folder, begin, kill, run, sabi, succeed};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../book/sabi.shob");
const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/records/rinsai/floodgate.csa");

fn kills() -> u32 {
    std::env::var("SABI_KILLS").map_or(2, |count| count.parse().expect("SABI_KILLS is a number"))
}

/// A program with arguments: `DIR` is its folder, `SABI` the engine, `GAME` a record.
struct Writer {
    command: &'static str,
    /// Arguments added on repetition.
    resume: &'static str,
    /// Commands that make its inputs.
    inputs: &'static [&'static str],
    /// Name of an existing book.
    book: Option<&'static str>,
}

/// A program beside the engine, and its arguments.
fn words(command: &str, folder: &Folder) -> Vec<String> {
    let known = [("DIR", folder.name(".")), ("SABI", sabi().to_owned()), ("GAME", GAME.to_owned())];
    let filled = |word: &str| known.iter().fold(word.to_owned(), |word, (name, text)| word.replace(name, text));
    let mut words: Vec<String> = command.split_whitespace().map(filled).collect();
    let program = Path::new(sabi()).with_file_name(format!("{}{}", words[0], std::env::consts::EXE_SUFFIX));
    words[0] = program.to_str().expect("UTF-8").to_owned();
    words
}

fn run_writer(words: &[String]) {
    succeed(&words[0], &words[1..].iter().map(String::as_str).collect::<Vec<_>>());
}

/// Files of the folder.
fn content(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder.path("")).expect("a folder").map(|entry| entry.expect("an entry"));
    let file = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().expect("UTF-8"), std::fs::read(entry.path()).expect("a file"))
    };
    entries.map(file).collect()
}

fn folder_with(content: &BTreeMap<String, Vec<u8>>) -> Folder {
    let folder = Folder::new();
    content.iter().for_each(|(name, bytes)| drop(folder.with(name, bytes)));
    folder
}

impl Writer {
    fn check(&self) {
        let folder = Folder::new();
        self.inputs.iter().for_each(|command| run_writer(&words(command, &folder)));
        self.book.iter().for_each(|name| drop(folder.with(name, std::fs::read(BOOK).expect("a book"))));
        let inputs = content(&folder);
        let start = Instant::now();
        run_writer(&words(self.command, &folder));
        let (whole, expected) = (start.elapsed(), content(&folder));
        let mut random = SmallRng::seed_from_u64(7);
        for at in 1..=kills() {
            let folder = folder_with(&inputs);
            let command = words(self.command, &folder);
            let child = begin(&command[0], &command[1..]);
            thread::sleep(whole.mul_f64(random.random_range(0.0..1.1)));
            kill(child);
            for (name, old) in &inputs {
                let now = std::fs::read(folder.path(name)).expect("what was there is there");
                assert!(now == *old || now == expected[name], "{command:?}, kill {at}: {name}");
            }
            let again = words(&format!("{} {}", self.command, self.resume), &folder);
            let outcome = run(&again[0], &again[1..].iter().map(String::as_str).collect::<Vec<_>>());
            assert!(outcome.success, "{again:?}, kill {at}: {}", outcome.stderr);
            let found = content(&folder);
            assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{again:?}, kill {at}");
            let differ: Vec<_> = expected.keys().filter(|&name| found[name] != expected[name]).collect();
            assert!(differ.is_empty(), "{again:?}, kill {at}: {differ:?}");
        }
    }
}

const SELFPLAY: &str = "selfplay --out DIR/games.sabg --seed-range 0..80 --threads 1 --nodes 1 --option USI_Hash=1 \
                        --balance 3000 --max-moves 40";
const SAMPLES: &str =
    "tuner extract --dataset DIR/games.sabg --output DIR/all.samples --quiet-threshold 0 --quiet-margin 30000";
const SMALL_BOOK: &str = "book_builder --games GAME --max-ply 30 --min-games 1 --output DIR/small.shob";

macro_rules! writers {
    ($($test:ident: $command:expr, $resume:literal, $inputs:expr, $book:expr;)*) => {
        $(#[test]
        fn $test() {
            Writer { command: $command, resume: $resume, inputs: $inputs, book: $book }.check();
        })*
    };
}

writers! {
    games_of_self_play: SELFPLAY, "", &[], None;
    games_of_a_match: "match_runner --engine-a SABI --engine-b SABI --option-a USI_Hash=1 --option-b USI_Hash=1 \
        --option-a Threads=1 --option-b Threads=1 --nodes 100 --games 4 --out DIR/games.usi", "", &[], None;
    games_converted: "data_tools convert DIR/games.sabg --output DIR/out.psv", "", &[SELFPLAY], None;
    games_shuffled: "data_tools shuffle DIR/games.sabg --output DIR/out.sabg --seed 3", "", &[SELFPLAY], None;
    books_merged: "book_tools merge DIR/small.shob DIR/out.shob --output DIR/out.shob --strategy prefer-first", "",
        &[SMALL_BOOK], Some("out.shob");
    a_book_in_place: "book_tools trim DIR/out.shob --output DIR/out.shob --max-ply 12", "", &[], Some("out.shob");
    a_book_with_scores: "book_tools rescore DIR/small.shob --output DIR/out.db --nodes 1000 --hash 1", "",
        &[SMALL_BOOK], None;
    weights: "tuner fit DIR/all.samples --output DIR/w.json --iterations 25 --patience 1000", "--resume",
        &[SELFPLAY, SAMPLES], None;
    a_network: "trainer fit DIR/games.sabg --output DIR/nn.bin --width 32 --batch 256 --validation 0.2 --epochs 10 \
        --threads 1", "--resume", &[SELFPLAY], None;
    a_tuning: "spsa --engine SABI --option USI_Hash=1 --option Threads=1 --params ResignValue:step=2000,MultiPV:step=6 --nodes 50 \
        --max-moves 60 --games 8 --out DIR/tuning", "", &[], None;
    an_analysis: "sabi analyze GAME --nodes 5000 --to 29 --threads 1 --option USI_Hash=1 --out DIR/a.json", "", &[], None;
}

/// A session log: every line is complete.
#[test]
fn session_log() {
    let mut random = SmallRng::seed_from_u64(8);
    for _ in 0..kills() {
        let folder = Folder::new();
        let mut engine =
            Command::new(sabi()).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the program starts");
        let words = format!("setoption name DebugLogFile value {}\n", folder.name("io.log"));
        let mut input = engine.stdin.take().expect("piped");
        input.write_all((words + &"usi\nposition startpos\ngo depth 1\n".repeat(40)).as_bytes()).expect("it reads");
        thread::sleep(Duration::from_micros(random.random_range(0..200_000)));
        kill(engine);
        let log = std::fs::read_to_string(folder.path("io.log")).unwrap_or_default();
        assert!(log.is_empty() || log.ends_with('\n'));
        for line in log.lines() {
            let (time, rest) = line.split_once(' ').expect("two words");
            assert!(time.parse::<f64>().is_ok() && rest.starts_with(['<', '>', '#']), "{line}");
        }
    }
}
