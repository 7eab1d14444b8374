//! Hundreds of commands in any order, good and bad, without waiting for answers.

use std::thread;

use super::client::{Client, Line, TIMEOUT, ms};
use super::positions::{
    BUSY, DECLARATION, HOPELESS, KINGLESS_MATE_IN_THREE, MATE_IN_ONE, MATED, ONLY_MOVE, STALEMATED,
};

/// xorshift64*: seeds stay valid independent of crates.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        (high as usize * n) >> 32
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    fn word(&mut self, from: &[&'static str]) -> &'static str {
        self.pick::<&str>(from)
    }
}

const GAMES: [&str; 4] = [
    "startpos",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e",
    "startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b",
    "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
];

const POSITIONS: [&str; 8] =
    [BUSY, MATED, STALEMATED, ONLY_MOVE, MATE_IN_ONE, DECLARATION, HOPELESS, KINGLESS_MATE_IN_THREE];

/// Each is answered by one `bestmove`.
const SEARCHES: [&str; 19] = [
    "go infinite",
    "go",
    "go ponder",
    "go ponder btime 1000 wtime 1000 byoyomi 0",
    "go ponder depth 1",
    "go ponder btime 0 wtime 0 binc 100 winc 100",
    "go btime 100 wtime 100 byoyomi 10",
    "go btime 0 wtime 0 byoyomi 0",
    "go btime -20 wtime -30",
    "go movetime 20",
    "go depth 1",
    "go depth 3",
    "go nodes 500",
    "go binc 30 winc 30",
    "go infinite depth 2",
    "go depth x",
    "go nodes",
    "go btime None wtime 100.5 periods 1",
    "go ponder searchmoves 1a1a byoyomi -0.5",
];

/// Each is answered by one `checkmate`.
const MATES: [&str; 5] = ["go mate", "go mate infinite", "go mate 20", "go mate nodes 200", "go mate x"];

/// None is answered by a search.
const WORDS: [&str; 36] = [
    "usi",
    "usinewgame",
    "d",
    "help",
    "go perft 1",
    "go perft 2",
    "ponderhit",
    "ponderhit btime 50 wtime 50 byoyomi 10",
    "ponderhit btime 50.5 wtime x periods 1",
    "go perft x",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name Threads value 2",
    "setoption name Threads value 1",
    "setoption name USI_Hash value 8",
    "setoption name USI_Hash value 16",
    "setoption name Stochastic_Ponder value true",
    "setoption name Stochastic_Ponder value false",
    "setoption name USI_Ponder value true",
    "setoption name ResignValue value 300",
    "setoption name ResignValue value 99999",
    "setoption name PvInterval value 0",
    "setoption name PvInterval value 300",
    "setoption name EnteringKingRule value CSARule24",
    "setoption name MaxMovesToDraw value 10",
    "setoption name MaxMovesToDraw value 0",
    "setoption name HashPolicy value always",
    "setoption name HashPolicy value exact-preferred",
    "setoption name HashLevel2 value 0",
    "setoption name HashLevel2 value 2",
    "setoption name EvalHash value 0",
    "setoption name EvalHash value 3",
    "setoption name EvalHashPolicy value two-tier",
    "setoption name Clear_Hash",
    "setoption name TableStats value true",
    "setoption name TableStats value false",
];

/// Rejected, or ignored.
const GARBAGE: [&[u8]; 14] = [
    b"",
    b" \t ",
    b"foo",
    b"position",
    b"position sfen 9/9 b - 1",
    b"position startpos moves 7g7f 7g7f",
    b"setoption",
    b"setoption name",
    b"setoption name Threads value -1",
    b"setoption name \x95\x5d value \x89\xbf",
    b"\x00",
    b"\xff\xfe\x00go",
    b"setoption name MultiPV value 9999999999999",
    b"usi\x00",
];

/// What the engine owes by now.
#[derive(Debug, Default)]
struct Ledger {
    bestmoves: usize,
    checkmates: usize,
    readyoks: usize,
    /// `gameover` may swallow the answer of the search it ends.
    free_bestmoves: usize,
    free_checkmates: usize,
}

fn session(seed: u64, commands: usize) {
    let mut random = Random::new(seed);
    let mut ledger = Ledger::default();
    let mut last_search = "";
    let mut engine = Client::ready();
    for _ in 0..commands {
        match random.below(20) {
            0..=2 => engine.send(&format!("position {}", random.word(&GAMES))),
            3 => engine.send(&format!("position {}", random.word(&POSITIONS))),
            4..=8 => {
                last_search = random.word(&SEARCHES);
                ledger.bestmoves += 1;
                engine.send(last_search);
            }
            9 => {
                last_search = random.word(&MATES);
                ledger.checkmates += 1;
                engine.send(last_search);
            }
            10..=12 => {
                last_search = "";
                engine.send("stop");
            }
            13 => {
                match last_search {
                    "" => {}
                    search if MATES.contains(&search) => ledger.free_checkmates += 1,
                    _ => ledger.free_bestmoves += 1,
                }
                last_search = "";
                engine.send(random.word(&["gameover win", "gameover lose", "gameover draw"]));
            }
            14 => {
                ledger.readyoks += 1;
                engine.send("isready");
            }
            15..=17 => engine.send(random.word(&WORDS)),
            _ => {
                engine.send_bytes(&[random.pick(&GARBAGE), b"\r\n".as_slice()].concat());
            }
        }
        // Mostly in bursts, sometimes with a delay.
        if random.below(4) == 0 {
            thread::sleep(ms(random.below(30) as u64));
        }
    }
    assert_settles(&mut engine, &ledger);
    for (name, value) in
        [("MultiPV", "1"), ("Stochastic_Ponder", "false"), ("ResignValue", "99999"), ("MaxMovesToDraw", "0")]
    {
        engine.set(name, value);
    }
    engine.think(BUSY, "depth 2");
    engine.assert_settled();
}

fn assert_settles(engine: &mut Client, ledger: &Ledger) {
    engine.send_bytes(b"stop\nisready\n");
    let mut lines = Vec::new();
    for _ in 0..=ledger.readyoks {
        lines.extend(engine.wait_for("readyok", TIMEOUT));
    }
    lines.extend(engine.sync());
    let count = |word: &str| lines.iter().filter(|line: &&Line| line.text.starts_with(word)).count();
    let bestmoves = ledger.bestmoves - ledger.free_bestmoves..=ledger.bestmoves;
    let checkmates = ledger.checkmates - ledger.free_checkmates..=ledger.checkmates;
    assert!(bestmoves.contains(&count("bestmove")), "{} bestmoves, {ledger:?}", count("bestmove"));
    assert!(checkmates.contains(&count("checkmate")), "{} checkmates, {ledger:?}", count("checkmate"));
}

#[test]
fn random_commands() {
    let sessions = [1, 2, 3, 4].map(|seed| (seed, thread::spawn(move || session(seed, 300))));
    let results = sessions.map(|(seed, session)| (seed, session.join()));
    let failed = results.into_iter().filter(|(_, result)| result.is_err()).map(|(seed, _)| seed);
    assert_eq!(failed.collect::<Vec<_>>(), [0_u64; 0], "seeds of failed sessions");
}
