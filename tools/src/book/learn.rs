//! What new games say of the moves of a book.

use super::tidy;
use sabi::book::{BookMap, BookMove, BookPosition, WIN_RATE_ONE, flipped_book_key};

/// How to learn.
#[derive(Copy, Clone, Debug, Default)]
pub struct Learning {
    /// Moves and positions that the book does not have are added.
    pub add_new: bool,
    /// What is said of a position that the book has only with the board turned and the sides exchanged is learnt there.
    pub turned: bool,
    /// Moves with a lower win rate than this, in 1/10000, are dropped,
    pub drop_below: Option<u16>,
    /// if they were played in at least this many games.
    pub drop_games: u32,
}

/// Adds the counts of games to the moves of a book. The weight of a move grows with its games where the book counts
/// games; where it does not, the weight means something else and stays.
///
/// Returns how many moves were learnt of, and how many were dropped.
pub fn learn(book: &mut BookMap, counted: BookMap, learning: &Learning) -> (u64, u64) {
    let (mut learnt, mut dropped) = (0, 0);
    for (mut key, mut new) in counted {
        let turned_key = flipped_book_key(&new.position);
        if learning.turned && !book.contains_key(&key) && book.contains_key(&turned_key) {
            (key, new) = (turned_key, turned(new));
        }
        let Some(known) = book.get_mut(&key) else {
            if learning.add_new {
                learnt += new.moves.len() as u64;
                book.insert(key, new);
            }
            continue;
        };
        for new in new.moves {
            match known.moves.iter_mut().find(|entry| entry.mv == new.mv) {
                Some(entry) => add_games(entry, &new),
                None if learning.add_new => known.moves.push(new),
                None => continue,
            }
            learnt += 1;
        }
        tidy(&mut known.moves);
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
    (learnt, dropped)
}

/// The same with the board turned and the sides exchanged.
fn turned(entry: BookPosition) -> BookPosition {
    let turn = |found: BookMove| BookMove { mv: found.mv.rotated(), ..found };
    BookPosition { position: entry.position.rotated(), moves: entry.moves.into_iter().map(turn).collect() }
}

fn add_games(entry: &mut BookMove, new: &BookMove) {
    let (old_games, new_games) = (entry.games.unwrap_or(0), new.games.unwrap_or(0));
    if entry.games.is_some() {
        entry.weight = entry.weight.saturating_add(new_games);
    }
    entry.games = Some(old_games.saturating_add(new_games));
    entry.win_rate = match (entry.win_rate, new.win_rate) {
        (Some(old), Some(new)) if old_games > 0 => {
            let sum = u64::from(old) * u64::from(old_games) + u64::from(new) * u64::from(new_games);
            let all = (u64::from(old_games) + u64::from(new_games)).max(1);
            Some((((sum + all / 2) / all) as u16).min(WIN_RATE_ONE))
        }
        (old, new) => new.or(old),
    };
}
