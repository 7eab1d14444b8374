//! Adding the results of new games to a book.

use super::sort_moves;
use sabi_books::{BookMap, BookMove, BookPosition, WIN_RATE_ONE, flipped_book_key};

/// Learning settings.
#[derive(Copy, Clone, Debug, Default)]
pub struct LearnSettings {
    /// Add moves and positions that the book does not have.
    pub add_new: bool,
    /// Add the games of a position that the book has only rotated, with colours swapped, to that
    /// entry.
    pub rotated: bool,
    /// Drop moves with a win rate below this, in 1/10000.
    pub drop_below: Option<u16>,
    /// Minimum games of a dropped move.
    pub drop_games: u32,
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
