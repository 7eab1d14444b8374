//! Games in books: counting games into positions, and adding the results of new ones.
//!
//! A win counts 1 for the side that played the move, a draw half. Games with an unknown result
//! count as games but not in the win rate. A move repeated in the same position of one game counts
//! once.

use super::contents::sort_moves;
use clap::Args;
use sabi_books::{BookMap, BookMove, BookPosition, WIN_RATE_ONE, book_key, flipped_book_key};
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
    /// Numbers of games so far.
    pub counts: GameCounts,
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
        let win_rate = (self.decided > 0).then(|| {
            let rate = f64::from(self.half_points) / 2.0 / f64::from(self.decided) * f64::from(WIN_RATE_ONE);
            (rate.round() as u16).min(WIN_RATE_ONE)
        });
        BookMove { games: Some(self.games), win_rate, ..BookMove::new(self.mv, self.games) }
    }
}

// Learning settings.
#[derive(Copy, Clone, Args)]
pub struct LearnSettings {
    /// Add moves and positions that the book does not have
    #[arg(long)]
    pub add_new: bool,
    /// Add the games of a position that the book has only rotated, with colours swapped, to that
    /// entry.
    #[arg(skip)]
    pub rotated: bool,
    /// Drop moves with a win rate below this, in percent
    #[arg(long, value_name = "WIN_RATE", value_parser = percent)]
    pub drop_below: Option<u16>,
    /// Minimum games of a dropped move
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub drop_games: u32,
}

/// Converts a percentage to 1/10000.
fn percent(text: &str) -> Result<u16, String> {
    let percent = text.trim_end_matches('%').parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
    let percent: f64 = percent.ok_or_else(|| "expected a win rate from 0 to 100".to_owned())?;
    Ok((percent * 100.0).round() as u16)
}

/// Adds game counts to the moves of a book. The weights of a position grow with the games if they
/// are game counts, except 0, which is not to be played; other weights stay, and a new move gets the
/// smallest of them other than 0. Win rates become means weighted by all games, also those of
/// unknown result; an unknown number of games counts as 1.
///
/// Returns the number of moves updated and dropped.
pub fn learn(book: &mut BookMap, counted: BookMap, learning: &LearnSettings) -> (u64, u64) {
    let (mut updated, mut dropped) = (0, 0);
    for (mut key, mut new) in counted {
        let flipped_key = flipped_book_key(&new.position);
        if learning.rotated && !book.contains_key(&key) && book.contains_key(&flipped_key) {
            (key, new) = (flipped_key, rotated(new));
        }
        let Some(known) = book.get_mut(&key) else {
            if learning.add_new {
                updated += new.moves.len() as u64;
                book.insert(key, new);
            }
            continue;
        };
        // Other weights, such as those set by hand, do not grow with the games.
        let are_counts = known.moves.iter().all(|entry| entry.weight == 0 || entry.games == Some(entry.weight));
        let least = known.moves.iter().map(|entry| entry.weight).filter(|&weight| weight > 0).min().unwrap_or(1);
        for new in new.moves {
            match known.moves.iter_mut().find(|entry| entry.mv == new.mv) {
                Some(entry) => {
                    if are_counts && entry.weight > 0 {
                        entry.weight = entry.weight.saturating_add(new.games.unwrap_or(0));
                    }
                    add_games(entry, &new);
                }
                None if learning.add_new => {
                    let weight = if are_counts { new.weight } else { least };
                    known.moves.push(BookMove { weight, ..new });
                }
                None => continue,
            }
            updated += 1;
        }
        sort_moves(&mut known.moves);
    }
    if let Some(least) = learning.drop_below {
        let fails = |entry: &BookMove| {
            entry.win_rate.is_some_and(|rate| rate < least) && entry.games.unwrap_or(0) >= learning.drop_games
        };
        book.retain(|_, entry| {
            let before = entry.moves.len();
            entry.moves.retain(|entry| !fails(entry));
            dropped += (before - entry.moves.len()) as u64;
            !entry.moves.is_empty()
        });
    }
    (updated, dropped)
}

/// The entry with the board rotated and colours swapped.
fn rotated(entry: BookPosition) -> BookPosition {
    let turn = |found: BookMove| BookMove { mv: found.mv.rotated(), ..found };
    BookPosition { position: entry.position.rotated(), moves: entry.moves.into_iter().map(turn).collect() }
}

/// Adds games to a move, except to its weight.
fn add_games(entry: &mut BookMove, new: &BookMove) {
    let (old_games, new_games) = (entry.games.unwrap_or(1), new.games.unwrap_or(0));
    entry.win_rate = match (entry.win_rate, new.win_rate) {
        (Some(old), Some(new)) if old_games > 0 => {
            let sum = u64::from(old) * u64::from(old_games) + u64::from(new) * u64::from(new_games);
            let all = u64::from(old_games) + u64::from(new_games);
            Some((((sum + all / 2) / all) as u16).min(WIN_RATE_ONE))
        }
        (old, new) => new.or(old),
    };
    entry.games = Some(entry.games.unwrap_or(0).saturating_add(new_games));
}
