//! Test games, and running the tuner.

pub use crate::common::Folder;
use crate::common::{fail, succeed};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sabi_records::{Game, GameResult};
use sabi_shogi::{Color, Position, legal_moves};
use std::cmp::Ordering;

pub const TUNER: &str = env!("CARGO_BIN_EXE_tuner");

pub fn tuner(arguments: &[&str]) -> String {
    succeed(TUNER, arguments)
}

pub fn rejected(arguments: &[&str]) -> String {
    fail(TUNER, arguments)
}

/// A list of games.
pub fn game_list(folder: &Folder, count: u64) -> String {
    let lines: String = (0..count).map(|seed| game(seed).list_line() + "\n").collect();
    folder.with("games.usi", lines)
}

/// A random game, won by the side with more pieces in hand: a known dependence to fit.
fn game(seed: u64) -> Game {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut position = Position::startpos();
    for _ in 0..70 {
        let moves = legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        position.play(moves[random.random_range(0..moves.len())]);
    }
    let [black, white] =
        Color::ALL.map(|color| position.hand(color).iter().map(|(_, count)| u32::from(count)).sum::<u32>());
    let result = match black.cmp(&white) {
        Ordering::Greater => GameResult::BlackWins,
        Ordering::Less => GameResult::WhiteWins,
        Ordering::Equal => GameResult::Draw,
    };
    Game { result, ..Game::before(&position) }
}
