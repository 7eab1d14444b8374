//! Counting games into positions.
//!
//! A win counts 1 for the side that played the move, a draw half. Games with an unknown result
//! count as games but not in the win rate. A move repeated in the same position of one game counts
//! once.

use super::sort_moves;
use sabi_books::{BookMap, BookMove, BookPosition, WIN_RATE_ONE, book_key};
use sabi_records::{Game, GameResult};
use sabi_shogi::{MAX_MOVE_NUMBER, Move, PackedSfen, Position};
use std::collections::{BTreeMap, HashSet};

/// Which games and moves count.
#[derive(Clone, Debug)]
pub struct GameFilter {
    /// Last move that counts, by the number of its position.
    pub max_ply: u32,
    /// Minimum rating of both sides, where known.
    pub min_rating: Option<f64>,
    /// Require both ratings.
    pub rated_only: bool,
    /// Require a known result.
    pub decided_only: bool,
}

impl GameFilter {
    /// Whether a game passes the filter.
    fn passes(&self, game: &Game) -> bool {
        let fine = |rating: &f64| self.min_rating.is_none_or(|least| *rating >= least);
        let known = game.headers.ratings.iter().flatten().count();
        game.headers.ratings.iter().flatten().all(fine)
            && (known == 2 || !self.rated_only)
            && (game.result != GameResult::Unknown || !self.decided_only)
    }
}

/// Numbers of games used and left out.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Games used.
    pub used: u64,
    /// Used games with an unknown result.
    pub unknown_result: u64,
    /// Games rejected by rating or for an unknown result.
    pub filtered: u64,
    /// Games without a move in range.
    pub empty: u64,
    /// Positions that the book format cannot hold: a king is missing and too many pieces are there.
    pub unpackable: u64,
}

/// Games counted into positions, more compact than a book.
#[derive(Debug)]
pub struct OpeningStatistics {
    filter: GameFilter,
    positions: BTreeMap<u64, PositionCounts>,
    counts: GameCounts,
}

#[derive(Debug)]
struct PositionCounts {
    position: PackedSfen,
    ply: u32,
    moves: Vec<MoveCounts>,
}

#[derive(Copy, Clone, Debug)]
struct MoveCounts {
    mv: Move,
    games: u32,
    /// Games with a known result.
    decided: u32,
    /// Half points from them.
    half_points: u32,
}

impl OpeningStatistics {
    /// No games yet.
    pub fn new(filter: GameFilter) -> Self {
        Self { filter, positions: BTreeMap::new(), counts: GameCounts::default() }
    }

    /// Numbers of games so far.
    pub fn counts(&self) -> GameCounts {
        self.counts
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        if !self.filter.passes(game) {
            self.counts.filtered += 1;
            return;
        }
        let mut position = game.start.clone();
        if game.moves.is_empty() || position.ply() > self.filter.max_ply {
            self.counts.empty += 1;
            return;
        }
        self.counts.used += 1;
        self.counts.unknown_result += u64::from(game.result == GameResult::Unknown);
        let mut seen = HashSet::new();
        for &mv in &game.moves {
            if position.ply() > self.filter.max_ply {
                break;
            }
            let key = book_key(&position);
            if seen.insert((key, mv)) {
                self.count(key, &position, mv, game.result);
            }
            position.play(mv);
        }
    }

    fn count(&mut self, key: u64, position: &Position, mv: Move, result: GameResult) {
        if !self.positions.contains_key(&key) {
            let Some(packed) = PackedSfen::of(position) else {
                self.counts.unpackable += 1;
                return;
            };
            self.positions
                .insert(key, PositionCounts { position: packed, ply: position.ply(), moves: Vec::with_capacity(1) });
        }
        let Some(counted) = self.positions.get_mut(&key) else { return };
        counted.ply = counted.ply.min(position.ply());
        let at = counted.moves.iter().position(|played| played.mv == mv).unwrap_or_else(|| {
            counted.moves.push(MoveCounts { mv, games: 0, decided: 0, half_points: 0 });
            counted.moves.len() - 1
        });
        let played = &mut counted.moves[at];
        played.games = played.games.saturating_add(1);
        if let Some(half_points) = result.half_points(position.side_to_move()) {
            played.decided = played.decided.saturating_add(1);
            played.half_points = played.half_points.saturating_add(half_points.into());
        }
    }

    /// The book of all moves with at least `min_games` games. The weight is the number of games.
    pub fn into_book(self, min_games: u32) -> BookMap {
        let mut book = BookMap::new();
        for (key, counted) in self.positions {
            let mut moves: Vec<BookMove> =
                counted.moves.iter().filter(|played| played.games >= min_games).map(MoveCounts::entry).collect();
            sort_moves(&mut moves);
            // The text formats need a move number that an SFEN can have.
            let ply = counted.ply.min(MAX_MOVE_NUMBER);
            // Packed above, so it unpacks.
            if let (false, Ok(position)) = (moves.is_empty(), counted.position.position(ply)) {
                book.insert(key, BookPosition { position, moves });
            }
        }
        book
    }
}

impl MoveCounts {
    fn entry(&self) -> BookMove {
        let rate = |games: u32| {
            let rate = f64::from(self.half_points) / 2.0 / f64::from(games) * f64::from(WIN_RATE_ONE);
            (rate.round() as u16).min(WIN_RATE_ONE)
        };
        BookMove {
            games: Some(self.games),
            win_rate: (self.decided > 0).then(|| rate(self.decided)),
            ..BookMove::new(self.mv, self.games)
        }
    }
}
