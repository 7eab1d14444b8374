//! An engine that plays the first legal move on a server.
//!
//! `cargo run -p sabi-csa --example first_move -- server.toml`, where the file holds at least
//!
//! ```toml
//! host = "localhost"
//! user = "first-move"
//! password = "secret"
//! games = 1
//! ```

use sabi_csa::{Client, Config, Engine, EngineAnswer, EngineOutput, EngineOutputs, GameRules, TurnTime};
use sabi_records::GameResult;
use sabi_shogi::{Color, Position, legal_moves};
use std::error::Error;
use std::time::Instant;
use std::{env, fs, io};

/// It thinks no time at all. Another engine would send its answers from a thread of its own.
struct FirstMove {
    outputs: EngineOutputs,
}

impl Engine for FirstMove {
    fn prepare(&mut self, _: GameRules, _new_game: bool) {
        (self.outputs)(EngineOutput::Ready);
    }

    fn ponders(&self) -> bool {
        false
    }

    fn search(&mut self, position: Position, _start: Instant, _: TurnTime, _ponder: bool) {
        let first = legal_moves(&position).iter().next().copied();
        let answer = first.map_or(EngineAnswer::Resign, |best| EngineAnswer::Move { best, ponder: None });
        (self.outputs)(EngineOutput::Answer(answer));
    }

    fn ponder_hit(&mut self, _at: Instant, _: TurnTime) {}

    fn stop(&mut self) {}

    fn game_over(&mut self, _: Position, _us: Color, _: GameResult) {}

    fn shut_down(self: Box<Self>) {}
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args_os().nth(1).ok_or("usage: first_move CONFIG.toml")?;
    let config = Config::from_toml(&fs::read_to_string(file)?)?;
    let client = Client::new(config, io::stdout(), |outputs| Ok(Box::new(FirstMove { outputs })))?;
    let counts = client.play()?;
    println!("won {}, lost {}, drawn {}", counts.won, counts.lost, counts.drawn);
    Ok(())
}
