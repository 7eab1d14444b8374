//! Openings from files or random moves.

use anyhow::{Context, ensure};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use sabi_files::crc32;
use sabi_records::{Game, read_file, usi_line};
use sabi_shogi::{Move, Position, has_legal_move, legal_moves, split_mix};
use std::collections::HashSet;
use std::path::Path;

/// Start position and moves played before the engines.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Start position.
    pub start: Position,
    /// Moves, all legal.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The start position without moves.
    pub(super) fn startpos() -> Self {
        Self { start: Position::startpos(), moves: Vec::new() }
    }

    /// The position after the moves, with history.
    pub fn position(&self) -> Position {
        let mut position = self.start.clone();
        self.moves.iter().for_each(|&mv| position.play(mv));
        position
    }

    /// A game that begins with the moves.
    pub(super) fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        self.moves.iter().for_each(|&mv| game.push(mv, None, None));
        game
    }

    /// Start position and moves in USI.
    pub fn usi(&self) -> String {
        usi_line(&self.start, &self.moves)
    }

    /// Adds random moves; `None` when the game ended.
    pub(super) fn with_random_moves(mut self, plies: usize, rng: &mut SmallRng) -> Option<Self> {
        let mut position = self.position();
        for _ in 0..plies {
            let &mv = legal_moves(&position).choose(rng)?;
            position.play(mv);
            self.moves.push(mv);
        }
        (has_legal_move(&position) && position.repetition().is_none()).then_some(self)
    }
}

/// Takes the openings of games, equal ones once.
#[derive(Debug)]
pub struct DistinctOpenings {
    plies: usize,
    seen: HashSet<String>,
}

impl DistinctOpenings {
    /// At most this many moves of each game.
    pub fn new(plies: usize) -> Self {
        Self { plies, seen: HashSet::new() }
    }

    /// The opening of a game; `None` if another began with the same moves, or if it ends the game.
    pub fn opening(&mut self, game: Game) -> Option<Opening> {
        let Game { start, mut moves, .. } = game;
        moves.truncate(self.plies);
        let opening = Opening { start, moves };
        let position = opening.position();
        let is_new = self.seen.insert(opening.usi());
        (is_new && has_legal_move(&position) && position.repetition().is_none()).then_some(opening)
    }
}

/// Source of openings. Equal seeds give equal openings in equal order.
#[derive(Clone, Debug)]
pub enum Openings {
    /// Openings of a file, in random order.
    Listed(Vec<Opening>),
    /// Random moves from the start position.
    Random {
        /// Number of moves.
        plies: usize,
        /// Random seed.
        seed: u64,
    },
}

impl Openings {
    /// Reads game records or a list of positions, at most `plies` moves of each.
    ///
    /// # Errors
    /// I/O errors, or no opening left. Openings that end the game are skipped.
    pub fn read(path: &Path, plies: usize, seed: u64) -> anyhow::Result<Self> {
        let (mut distinct, name) = (DistinctOpenings::new(plies), path.display());
        let openings = read_file(path).filter_map(|game| game.map(|game| distinct.opening(game)).transpose());
        let openings: Result<Vec<Opening>, _> = openings.collect();
        let mut openings = openings.with_context(|| format!("cannot use the openings '{name}'"))?;
        let is_empty = openings.is_empty();
        ensure!(!is_empty, "cannot use the openings '{name}': '{name}' has no opening that leaves a legal move");
        openings.shuffle(&mut SmallRng::seed_from_u64(seed));
        Ok(Self::Listed(openings))
    }

    /// The opening with this number; numbers wrap around at the end of a file.
    pub fn opening(&self, number: usize) -> Opening {
        match self {
            Self::Listed(openings) => openings[number % openings.len()].clone(),
            Self::Random { plies, seed } => {
                let mut rng = SmallRng::seed_from_u64(split_mix(*seed, number as u64));
                // Until random moves do not end the game.
                loop {
                    if let Some(opening) = Opening::startpos().with_random_moves(*plies, &mut rng) {
                        break opening;
                    }
                }
            }
        }
    }

    /// Number of different openings; `None` for several random moves, which hardly repeat.
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Listed(openings) => Some(openings.len()),
            Self::Random { plies: 0, .. } => Some(1),
            Self::Random { plies: 1, .. } => Some(legal_moves(&Position::startpos()).len()),
            Self::Random { .. } => None,
        }
    }

    /// Number of moves of the longest opening.
    pub fn longest(&self) -> usize {
        match self {
            Self::Listed(openings) => openings.iter().map(|opening| opening.moves.len()).max().unwrap_or(0),
            Self::Random { plies, .. } => *plies,
        }
    }

    /// Identifies the openings in a match key.
    pub fn fingerprint(&self) -> String {
        match self {
            Self::Listed(openings) => {
                let text: String = openings.iter().map(|opening| opening.usi() + "\n").collect();
                format!("{:08x}", crc32(text.as_bytes()))
            }
            Self::Random { plies, seed } => format!("{plies} plies of {seed}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_text(openings: &Openings, numbers: std::ops::Range<usize>) -> Vec<String> {
        numbers.map(|number| openings.opening(number).position().sfen()).collect()
    }

    fn listed(text: &str, plies: usize, seed: u64) -> anyhow::Result<Openings> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.sfen");
        std::fs::write(&path, text).unwrap();
        Openings::read(&path, plies, seed)
    }

    const LINES: &str = "startpos moves 7g7f\nstartpos moves 2g2f 8c8d\n\
        sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1\nstartpos\n";

    #[test]
    fn seed_determines_order() {
        let [first, again, other] = [1, 1, 2].map(|seed| listed(LINES, 99, seed).unwrap());
        assert_eq!(to_text(&first, 0..4), to_text(&again, 0..4));
        assert_ne!(to_text(&first, 0..4), to_text(&other, 0..4));
        assert_eq!(to_text(&first, 0..4), to_text(&first, 4..8));
        assert_eq!((first.fingerprint(), first.count()), (again.fingerprint(), Some(4)));
        assert_ne!(first.fingerprint(), other.fingerprint());
    }

    #[test]
    fn equal_openings_count_once() {
        let lines = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 3c3d 6g6f\nstartpos moves 2g2f\n";
        assert_eq!(listed(lines, 2, 1).unwrap().count(), Some(2));
        assert_eq!(listed(lines, 3, 1).unwrap().count(), Some(3));
    }

    #[test]
    fn skips_openings_that_end_the_game() {
        let mate = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b\n";
        assert_eq!(listed(&format!("{mate}startpos\n"), 99, 1).unwrap().count(), Some(1));
        for (text, message) in
            [(mate, "has no opening that"), ("", "has no opening that"), ("startpos moves 7g7e\n", "openings.sfen:1: ")]
        {
            let error = format!("{:#}", listed(text, 99, 1).unwrap_err());
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn random_openings_are_deterministic() {
        let random = |seed| Openings::Random { plies: 8, seed };
        assert_eq!(to_text(&random(3), 0..20), to_text(&random(3), 0..20));
        assert_ne!(to_text(&random(3), 0..20), to_text(&random(4), 0..20));
        let all = to_text(&random(3), 0..20);
        assert!(all.iter().all(|sfen| all.iter().filter(|other| *other == sfen).count() == 1));
        assert_eq!(random(3).opening(0).moves.len(), 8);
        let count = |plies| Openings::Random { plies, seed: 3 }.count();
        assert_eq!([0, 1, 2].map(count), [Some(1), Some(30), None]);
    }
}
