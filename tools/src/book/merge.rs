//! Merging books, and dropping rare and late moves.

use super::contents::sort_moves;
use clap::{Args, ValueEnum};
use sabi_books::{BookMap, BookMove, BookPosition, WIN_RATE_ONE};
use sabi_shogi::Score;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How to merge a move that is in several books.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum MergeStrategy {
    // An unknown number of games counts as 1. Games are added. With a decisive score, which has
    // no mean, the score is that of the deepest search.
    /// Means of weight, win rate and score, weighted by games; a weight of 0 stays
    WeightedAverage,
    // Win rates are averaged by games; the score is that of the deepest search.
    /// Sums of weights and games; a weight of 0 stays
    Sum,
    // Ties by number of games, then by order of books.
    /// The entry with the deepest search
    MaxDepth,
    /// All moves of a position from the first book that has it
    PreferFirst,
}

/// Merges books. Equal positions keep the smallest move number.
pub fn merge(books: impl IntoIterator<Item = BookMap>, strategy: MergeStrategy) -> BookMap {
    let mut groups: BTreeMap<u64, Vec<BookPosition>> = BTreeMap::new();
    for book in books {
        for (key, entry) in book {
            groups.entry(key).or_default().push(entry);
        }
    }
    groups.into_iter().filter_map(|(key, group)| Some((key, merge_position(group, strategy)?))).collect()
}

fn merge_position(mut group: Vec<BookPosition>, strategy: MergeStrategy) -> Option<BookPosition> {
    let position = group.iter().map(|entry| &entry.position).min_by_key(|position| position.ply())?.clone();
    if strategy == MergeStrategy::PreferFirst || group.len() == 1 {
        return Some(BookPosition { position, moves: group.swap_remove(0).moves });
    }
    // In input order, so that "first" is defined.
    let mut by_move: Vec<Vec<BookMove>> = Vec::new();
    for entry in group.into_iter().flat_map(|entry| entry.moves) {
        match by_move.iter_mut().find(|known| known[0].mv == entry.mv) {
            Some(known) => known.push(entry),
            None => by_move.push(vec![entry]),
        }
    }
    let mut moves: Vec<BookMove> = by_move.iter().filter_map(|same| merge_move(same, strategy)).collect();
    sort_moves(&mut moves);
    Some(BookPosition { position, moves })
}

/// Merges entries of the same move.
fn merge_move(same: &[BookMove], strategy: MergeStrategy) -> Option<BookMove> {
    // `min_by_key` of `Reverse` returns the first of equal maxima.
    let deepest = same.iter().min_by_key(|entry| Reverse((entry.depth, entry.games)))?;
    let scored = same.iter().filter(|entry| entry.score.is_some()).min_by_key(|entry| Reverse(entry.depth));
    // A move that one of the books excludes stays excluded.
    let is_excluded = same.iter().any(|entry| entry.weight == 0);
    let sum = same.iter().fold(0u32, |sum, entry| sum.saturating_add(entry.weight));
    let is_decisive = same.iter().filter_map(|entry| entry.score).any(Score::is_decisive);
    let summed = BookMove {
        weight: if is_excluded { 0 } else { sum },
        games: same.iter().filter_map(|entry| entry.games).reduce(u32::saturating_add),
        win_rate: mean(same, |entry| entry.win_rate.map(f64::from)).map(rate),
        score: scored.and_then(|entry| entry.score),
        depth: scored.unwrap_or(deepest).depth,
        answer: deepest.answer.or_else(|| same.iter().find_map(|entry| entry.answer)),
        name: same.iter().find_map(|entry| entry.name.clone()),
        mv: deepest.mv,
    };
    Some(match strategy {
        MergeStrategy::MaxDepth => deepest.clone(),
        MergeStrategy::Sum => summed,
        MergeStrategy::WeightedAverage | MergeStrategy::PreferFirst => {
            let mean_weight = mean(same, |entry| Some(f64::from(entry.weight))).filter(|_| !is_excluded);
            let weight = mean_weight.map_or(0, |mean| mean.round() as u32);
            if is_decisive {
                return Some(BookMove { weight, ..summed });
            }
            let score = mean(same, |entry| entry.score.map(|score| f64::from(score.get())));
            BookMove {
                weight,
                score: score.map(|mean| Score::raw(mean.round() as i32)),
                depth: same.iter().filter_map(|entry| entry.depth).max(),
                ..summed
            }
        }
    })
}

/// Mean of a value over the entries that have it, weighted by games.
fn mean(same: &[BookMove], value: impl Fn(&BookMove) -> Option<f64>) -> Option<f64> {
    let weighted_value = |entry: &BookMove| Some((value(entry)?, f64::from(entry.games.unwrap_or(1).max(1))));
    let (sum, count) = same
        .iter()
        .filter_map(weighted_value)
        .fold((0.0, 0.0), |(sum, all), (value, games)| (sum + value * games, all + games));
    (count > 0.0).then(|| sum / count)
}

fn rate(mean: f64) -> u16 {
    (mean.round() as u16).min(WIN_RATE_ONE)
}

// Limits for entries to keep. A value missing from an entry is not checked.
#[derive(Default, Args)]
pub struct TrimLimits {
    /// Minimum games of a move, where the book has numbers of games
    #[arg(long, value_name = "N")]
    pub min_games: Option<u32>,
    /// Last position, by move number
    #[arg(long, value_name = "N")]
    pub max_ply: Option<u32>,
    /// Minimum weight of a move
    #[arg(long, value_name = "N")]
    pub min_weight: Option<u32>,
}

impl TrimLimits {
    fn keeps(&self, entry: &BookMove) -> bool {
        let often = self.min_games.zip(entry.games).is_none_or(|(least, games)| games >= least);
        often && self.min_weight.is_none_or(|least| entry.weight >= least)
    }
}

/// Drops moves outside the limits, and positions without moves left.
pub fn trim(book: &mut BookMap, limits: &TrimLimits) {
    book.retain(|_, entry| {
        entry.moves.retain(|entry| limits.keeps(entry));
        limits.max_ply.is_none_or(|last| entry.position.ply() <= last) && !entry.moves.is_empty()
    });
}
