//! Short texts as files, and random games.

use sabi_records::{Game, GameResult, read_bytes};
use sabi_shogi::{Position, Score, legal_moves};

/// Games and errors of a text, in order.
pub fn read_all(name: &str, text: impl AsRef<[u8]>) -> Vec<Result<Game, String>> {
    read_bytes(name, text.as_ref().to_vec()).map(|game| game.map_err(|error| error.to_string())).collect()
}

/// The only game of a text.
pub fn read_one(name: &str, text: impl AsRef<[u8]>) -> Game {
    let mut games = read_all(name, text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap_or_else(|error| panic!("{error}"))
}

/// The only fault of a text.
pub fn rejection(name: &str, text: impl AsRef<[u8]>) -> String {
    let mut games = read_all(name, text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).expect_err("a fault")
}

/// The moves of a game as the protocol spells them.
pub fn moves(game: &Game) -> String {
    game.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Result and end reason as text.
pub fn end(game: &Game) -> (&'static str, &'static str) {
    (game.result.name(), game.end.name())
}

/// A random game with random scores.
pub fn playout(start: &str, plies: usize, mut seed: u64) -> Game {
    let mut game = Game::new(Position::from_sfen(start).unwrap());
    let mut position = game.start.clone();
    for _ in 0..plies {
        let moves = legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = moves[(seed >> 33) as usize % moves.len()];
        game.push(mv, None, Some(Score::raw((seed >> 40) as i32 % 32_001)));
        position.play(mv);
    }
    game.result = [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw][(seed >> 50) as usize % 3];
    game
}
