//! Opening book: time of lookup and opening, block cache hits in a game, compression ratio, and
//! memory touched by a game.
//!
//! `cargo bench --bench book`. The book is made of seeded random games; `SABI_BENCH_BOOK` may name
//! a file of real ones, one per line: result (`black`, `white` or other), tab, `startpos moves …`.

use criterion::{Criterion, criterion_group};
use sabi::book::{BookMap, BookMove, BookPosition, Shob, ShobOptions, WIN_RATE_ONE, book_key, write};
use sabi::movegen::legal_moves;
use sabi::position::Position;
use sabi::types::{Color, Move};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Book moves of a game.
const PLIES: usize = 60;
/// Number of random games, and their lengths.
const GAMES: usize = 4000;
const LENGTHS: usize = 40;
const CHILD: &str = "SABI_BENCH_CHILD";

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `limit`, biased to small values.
    fn low(&mut self, limit: usize) -> usize {
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        ((unit * unit * unit * limit as f64) as usize).min(limit - 1)
    }
}

/// A game and its winner.
struct Game {
    moves: Vec<Move>,
    winner: Option<Color>,
}

/// Games with common first moves.
fn random_games() -> Vec<Game> {
    let mut random = Random(1);
    let mut game = || {
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        for ply in 0..LENGTHS {
            let mut choice: Vec<Move> = legal_moves(&position).iter().copied().collect();
            choice.sort_by_key(|mv| Random(book_key(&position) ^ u64::from(mv.bits())).next());
            choice.truncate(2 + ply);
            if choice.is_empty() {
                break;
            }
            let mv = choice[random.low(choice.len())];
            position.play(mv);
            moves.push(mv);
        }
        let winner = [Some(Color::Black), Some(Color::White), None][random.low(3)];
        Game { moves, winner }
    };
    (0..GAMES).map(|_| game()).collect()
}

fn games_of(path: &str) -> Vec<Game> {
    let text = fs::read_to_string(path).expect("a file of games");
    let game = |line: &str| {
        let winner = match line.split('\t').next() {
            Some("black") => Some(Color::Black),
            Some("white") => Some(Color::White),
            _ => None,
        };
        let words = line.rsplit("startpos moves ").next().unwrap_or_default().split(' ');
        Game { moves: words.map_while(|word| word.parse().ok()).take(PLIES).collect(), winner }
    };
    text.lines().map(game).collect()
}

/// Times played, and half points.
type Tally = BTreeMap<Move, (u32, u32)>;

fn book_of(games: &[Game]) -> BookMap {
    let mut tallies: BTreeMap<u64, (Position, Tally)> = BTreeMap::new();
    for game in games {
        let mut position = Position::startpos();
        for &mv in &game.moves {
            let (_, tally) =
                tallies.entry(book_key(&position)).or_insert_with(|| (first_of_a_game(&position), Tally::new()));
            let (count, score) = tally.entry(mv).or_default();
            *count += 1;
            *score += match game.winner {
                Some(winner) => 2 * u32::from(winner == position.side_to_move()),
                None => 1,
            };
            position.play(mv);
        }
    }
    let entry = |(key, (position, tally)): (u64, (Position, Tally))| {
        let mut moves: Vec<BookMove> = tally
            .into_iter()
            .map(|(mv, (games, score))| BookMove {
                games: Some(games),
                win_rate: Some((u64::from(score) * u64::from(WIN_RATE_ONE) / u64::from(2 * games)) as u16),
                ..BookMove::new(mv, games)
            })
            .collect();
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.weight));
        (key, BookPosition { position, moves })
    };
    tallies.into_iter().map(entry).collect()
}

/// The position without history.
fn first_of_a_game(position: &Position) -> Position {
    // A clone has no room for a history.

    Position::from_sfen(&position.sfen()).expect("a position").clone()
}

/// Position keys of a game.
fn keys_of(game: &Game) -> Vec<u64> {
    let mut position = Position::startpos();
    let key = |&mv: &Move| {
        let key = book_key(&position);
        position.play(mv);
        key
    };
    game.moves.iter().map(key).collect()
}

struct Bench {
    folder: tempfile::TempDir,
    games: Vec<Game>,
    keys: Vec<u64>,
}

impl Bench {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

const PLAIN: ShobOptions = ShobOptions { compress: false, positions: true };
const PACKED: ShobOptions = ShobOptions { compress: true, positions: true };

/// Makes the books and prints their sizes.
fn prepare() -> Bench {
    let games = env::var("SABI_BENCH_BOOK").map_or_else(|_| random_games(), |path| games_of(&path));
    let book = book_of(&games);
    let folder = tempfile::tempdir().expect("a folder");
    let bench = Bench { folder, games, keys: book.keys().copied().collect() };
    let moves: usize = book.values().map(|entry| entry.moves.len()).sum();
    println!("{} games, {} positions, {moves} moves", bench.games.len(), book.len());
    for positions in [false, true] {
        let size = |compress, name| {
            let start = Instant::now();
            write(&book, ShobOptions { compress, positions }, &bench.path(name)).expect("a book is written");
            println!("  written in {:.2?}", start.elapsed());
            fs::metadata(bench.path(name)).expect("a file").len() as f64
        };
        let (plain, packed) = (size(false, "plain"), size(true, "packed"));
        println!(
            "{} positions: {plain} bytes, compressed {packed} ({:.1} a position), ratio {:.2}",
            if positions { "with" } else { "without" },
            packed / book.len() as f64,
            plain / packed
        );
    }
    let small: BookMap = book.into_iter().take(100).collect();
    write(&small, PACKED, &bench.path("small")).expect("a book is written");
    write(&small, PLAIN, &bench.path("small_plain")).expect("a book is written");
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
        let some: Vec<&Game> = bench.games.iter().step_by(bench.games.len() / 200).collect();
        for round in ["first", "second"] {
            let before = book.cache_counts();
            let of_game =
                |game: &&Game| keys_of(game).into_iter().map(|key| timed(|| book.lookup(key))).collect::<Vec<_>>();
            print_times(&format!("{name}, {} games, {round} time", some.len()), &times(some.iter().flat_map(of_game)));
            let counts = book.cache_counts();
            let (hits, misses) = (counts.hits - before.hits, counts.misses - before.misses);
            println!(
                "  blocks: {hits} hits, {misses} misses, {:.1} % hits",
                100.0 * hits as f64 / (hits + misses).max(1) as f64
            );
        }
        let mut random = Random(2);
        let mut key = || bench.keys[random.next() as usize % bench.keys.len()];
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

/// Resident memory in KiB, private and file-backed, where available.
fn resident() -> Option<[u64; 2]> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let value = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_end_matches("kB").trim().parse().ok()
    };
    Some([value("RssAnon:")?, value("RssFile:")?])
}

/// Runs in its own process: memory before and after the lookups of a game, whose keys are in a
/// file.
fn child(folder: &Path) {
    let keys: Vec<u64> = fs::read(folder.join("keys"))
        .expect("keys")
        .chunks_exact(8)
        .map(|key| u64::from_le_bytes(key.try_into().expect("eight bytes")))
        .collect();
    for name in ["plain", "packed"] {
        let Some(before) = resident() else { return };
        let book = Shob::open(&folder.join(name)).expect("a book");
        let found = keys.iter().filter(|&&key| book.lookup(key).expect("a whole book").is_some()).count();
        let after = resident().unwrap_or(before);
        let [own, of_files] = [0, 1].map(|kind| after[kind].saturating_sub(before[kind]));
        println!("{name}, a game of {found} positions: {own} KiB more of its own, {of_files} KiB of files");
    }
}

fn print_memory(bench: &Bench) {
    let longest = bench.games.iter().max_by_key(|game| game.moves.len()).expect("a game");
    let keys: Vec<u8> = keys_of(longest).iter().flat_map(|key| key.to_le_bytes()).collect();
    fs::write(bench.path("keys"), keys).expect("a file");
    let program = env::current_exe().expect("a program");
    let status = Command::new(program).env(CHILD, bench.folder.path()).status().expect("a process");
    assert!(status.success());
}

fn lookups(criterion: &mut Criterion) {
    let bench = prepare();
    print_lookups(&bench);
    print_memory(&bench);
    for name in ["plain", "packed"] {
        let book = Shob::open(&bench.path(name)).expect("a book");
        let keys = keys_of(&bench.games[0]);
        let mut at = 0;
        let mut next = || {
            at = (at + 1) % keys.len();
            keys[at]
        };
        criterion.bench_function(&format!("book/lookup_{name}"), |bencher| bencher.iter(|| book.lookup(next())));
        criterion.bench_function(&format!("book/miss_{name}"), |bencher| bencher.iter(|| book.lookup(!next())));
    }
    for name in ["small_plain", "small", "plain", "packed"] {
        let path = bench.path(name);
        criterion.bench_function(&format!("book/open_{name}"), |bencher| bencher.iter(|| Shob::open(&path)));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2));
    targets = lookups
}

fn main() {
    match env::var_os(CHILD) {
        Some(folder) => child(Path::new(&folder)),
        None => {
            benches();
            Criterion::default().configure_from_args().final_summary();
        }
    }
}
