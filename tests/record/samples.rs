//! Short texts read as files.

use sabi::record::{Game, read_bytes};

/// Every game and every fault of a text, in order.
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
pub fn refusal(name: &str, text: impl AsRef<[u8]>) -> String {
    let mut games = read_all(name, text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).expect_err("a fault")
}

/// The moves of a game as the protocol spells them.
pub fn moves(game: &Game) -> String {
    game.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Result and end as words.
pub fn end(game: &Game) -> (&'static str, &'static str) {
    (game.result.name(), game.end.name())
}
