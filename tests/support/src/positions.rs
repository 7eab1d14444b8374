//! Fixture tables and random games.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use sabi_shogi::{Position, legal_moves};

/// Rows of a table, split at tabs, without comments.
pub fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// A position that must be valid.
pub fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// Plays `games` random games of up to `plies` plies, and passes every position to `look`.
pub fn random_games(seed: u64, games: usize, plies: usize, mut look: impl FnMut(&mut Position, &mut StdRng)) {
    let mut random = StdRng::seed_from_u64(seed);
    for _ in 0..games {
        let mut position = Position::startpos();
        for _ in 0..plies {
            look(&mut position, &mut random);
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.random_range(0..moves.len())]);
        }
    }
}
