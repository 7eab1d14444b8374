//! One engine plays, analyses, ponders, solves mates, changes options, books and networks: memory
//! stays constant, and no answer is late. `SABI_SOAK` sets the seconds.

use std::time::{Duration, Instant};

use super::client::{Client, SLACK, ms};
use super::fuzz::Random;
use super::positions::{BUSY, DECLARATION, HOPELESS, KINGLESS_MATE_IN_ELEVEN, KINGLESS_MAZE, WINNING};
use super::rules::Board;
use super::system::resident;

/// Memory allowed beside the tables, in kB.
const MAX_GROWTH: u64 = 24 << 10;
/// Rounds until memory is stable.
const WARM_UP_ROUNDS: u32 = 40;

const STANDARD: [(&str, &str); 12] = [
    ("USI_Hash", "16"),
    ("HashLevel2", "0"),
    ("EvalHash", "0"),
    ("Threads", "1"),
    ("MultiPV", "1"),
    ("Level", "0"),
    ("BookFile", "no_book"),
    ("EvalFile", "<empty>"),
    ("EvalType", "network"),
    ("EnteringKingRule", "CSARule27"),
    ("Stochastic_Ponder", "false"),
    ("BookOnTheFly", "false"),
];

const BOOKS: [&str; 5] = [
    "book/sabi.shob",
    "tests/fixtures/books/shogihome.db",
    "tests/fixtures/books/samebook.sbk",
    "tests/fixtures/books/samebook-apery.bin",
    "tests/fixtures/books/README.md",
];

const EVALUATIONS: [&str; 3] = ["nets/kp.bin", "nets/weights.json", "tests/fixtures/perft.tsv"];

struct Soak {
    engine: Client,
    random: Random,
    moves: u32,
    games: u32,
    /// Excess of an answer over 10 ms.
    latest: Duration,
}

impl Soak {
    fn set(&mut self, name: &str, values: &[&str]) {
        let value: &str = self.random.pick::<&str>(values);
        self.engine.set(name, value);
    }

    fn go(&mut self, board: &Board, limits: &str) -> String {
        let thought = self.engine.go(board, limits);
        self.moves += 1;
        if limits == "movetime 10" {
            self.latest = self.latest.max(thought.took.saturating_sub(ms(10)));
        }
        thought.best().to_owned()
    }

    /// A self-play game at 10 ms per move.
    fn play(&mut self) {
        self.engine.send("usinewgame");
        let (mut line, mut board) = ("startpos moves".to_owned(), Board::startpos());
        for _ in 0..self.random.below(120) {
            self.engine.send(&format!("position {line}"));
            let best = self.go(&board, "movetime 10");
            if !board.play(&best) {
                break;
            }
            line += &format!(" {best}");
        }
        self.engine.send("gameover draw");
        self.engine.sync();
        self.games += 1;
    }

    fn analyse(&mut self) {
        let board = self.engine.position(self.random.pick::<&str>(&[BUSY, HOPELESS, WINNING, DECLARATION]));
        let words = *self.random.pick::<&str>(&["infinite", "infinite depth 6", "ponder btime 1000 wtime 1000"]);
        self.engine.send(&format!("go {words}"));
        let watched = ms(self.random.below(150) as u64);
        self.engine.collect_for(watched);
        if words.starts_with("ponder") && self.random.below(2) == 0 {
            self.engine.send("ponderhit btime 0 wtime 0 byoyomi 50");
            self.engine.bestmove(&board, ms(50) + SLACK);
        } else {
            self.engine.stop(&board);
        }
    }

    fn solve(&mut self) {
        self.engine.send(&format!("position {}", self.random.pick::<&str>(&[KINGLESS_MATE_IN_ELEVEN, KINGLESS_MAZE])));
        self.engine.send("go mate 50");
        self.engine.wait_for("checkmate", ms(50) + SLACK);
    }

    fn change_options(&mut self) {
        self.set("USI_Hash", &["1", "16", "64", "nonsense"]);
        self.set("HashLevel2", &["0", "4"]);
        self.set("EvalHash", &["0", "3"]);
        self.set("Threads", &["1", "2", "3"]);
        self.set("MultiPV", &["1", "3"]);
        self.set("Level", &["0", "3"]);
        self.set("EnteringKingRule", &["CSARule24", "CSARule27", "TryRule"]);
        self.set("Stochastic_Ponder", &["false", "true"]);
        self.read("BookFile", &BOOKS);
        self.read("EvalFile", &EVALUATIONS);
        self.set("EvalType", &["network", "hand"]);
        self.set("BookOnTheFly", &["false", "true"]);
    }

    fn read(&mut self, option: &str, files: &[&str]) {
        let file: &str = self.random.pick::<&str>(files);
        self.engine.set(option, &format!("{}/{file}", env!("CARGO_MANIFEST_DIR")));
    }

    /// Memory in kB with the usual options.
    fn memory(&mut self) -> u64 {
        STANDARD.iter().for_each(|(name, value)| self.engine.set(name, value));
        self.engine.sync();
        let board = self.engine.position(BUSY);
        self.go(&board, "nodes 5000");
        self.engine.assert_settled();
        resident(&self.engine)
    }
}

#[test]
fn memory_is_stable_and_answers_are_in_time() {
    let seconds = std::env::var("SABI_SOAK").map_or(0, |seconds| seconds.parse().expect("SABI_SOAK is a number"));
    let (start, time) = (Instant::now(), Duration::from_secs(seconds));
    let mut soak =
        Soak { engine: Client::ready(), random: Random::new(17), moves: 0, games: 0, latest: Duration::ZERO };
    let (mut round, mut first) = (0, None);
    while start.elapsed() < time || round <= WARM_UP_ROUNDS + 5 {
        match soak.random.below(if seconds == 0 { 6 } else { 12 }) {
            0 => soak.change_options(),
            1 => soak.solve(),
            2..=4 => soak.analyse(),
            5 => drop(soak.engine.replies("position startpos moves 7g7f 7g7f")),
            _ => soak.play(),
        }
        soak.engine.assert_settled();
        round += 1;
        if round == WARM_UP_ROUNDS {
            soak.play();
            first = Some(soak.memory());
        } else if round % 500 == 0 {
            let (memory, took) = (soak.memory(), start.elapsed().as_secs());
            println!("{took} s, {round} rounds, {} games, {} moves, {memory} kB", soak.games, soak.moves);
        }
    }
    let (first, last) = (first.expect("enough rounds"), soak.memory());
    println!(
        "{} s, {round} rounds, {} games, {} moves, memory {first} to {last} kB, answers at most {:?} late",
        start.elapsed().as_secs(),
        soak.games,
        soak.moves,
        soak.latest
    );
    assert!(last < first + MAX_GROWTH, "{first} kB, and {last} kB in the end");
    assert!(soak.latest < SLACK, "an answer was {:?} late", soak.latest);
}
