//! Scores of book moves: stored from searches, and backed up through the lines.
//!
//! A move is scored by a search of the position after it. Results are stored with the move, so that
//! an interrupted run can be resumed.
//!
//! Pruning is minimax over the book: the value of a position is the maximum of its own search score
//! and the values of its book moves with a weight, because a side may leave the book at any point,
//! but does not play excluded moves. Every move is then compared with the value of its position.

use super::contents::sort_moves;
use clap::{Args, value_parser};
use sabi_books::{BookMap, BookMove, book_key};
use sabi_shogi::{Move, PackedSfen, Position, Score};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Bound on iterations; cycles normally converge long before.
const MAX_ITERATIONS: usize = 100;

/// The score of a move from the score of the position after it.
fn move_score(score: Score) -> Score {
    -score.from_table(1)
}

/// The score of the position after a move from the score of the move; inverse of [`move_score`].
fn child_score(score: Score) -> Score {
    (-score).to_table(1)
}

/// A position after book moves without a score.
#[derive(Clone, Debug)]
pub struct Unscored {
    /// Its [`book_key`].
    pub key: u64,
    position: PackedSfen,
    ply: u32,
}

impl Unscored {
    /// The position to search.
    pub fn position(&self) -> Option<Position> {
        self.position.position(self.ply).ok()
    }
}

/// A search result.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoredPosition {
    /// The [`book_key`] of the searched position.
    pub key: u64,
    /// Score for its side to move.
    pub score: Score,
    /// Search depth in plies.
    pub depth: u16,
}

/// Passes each legal move without a score, with `again` each legal move, and the position after it.
fn each_unscored(book: &mut BookMap, again: bool, mut each: impl FnMut(&mut BookMove, &Position)) {
    for entry in book.values_mut() {
        let mut position = entry.position.clone();
        for known in entry.moves.iter_mut().filter(|known| again || known.score.is_none()) {
            // Books of other programs may hold illegal moves.
            if position.is_legal(known.mv) {
                position.play(known.mv);
                each(known, &position);
                position.undo();
            }
        }
    }
}

/// The positions after moves without a score, each once, most played first. With `again`, moves
/// with a score too.
pub fn unscored(book: &mut BookMap, again: bool) -> Vec<Unscored> {
    let mut found: BTreeMap<u64, (u64, Unscored)> = BTreeMap::new();
    each_unscored(book, again, |known, position| {
        if let Some(packed) = PackedSfen::of(position) {
            let key = book_key(position);
            let fresh = || (0, Unscored { key, position: packed, ply: position.ply() });
            found.entry(key).or_insert_with(fresh).0 += u64::from(known.weight);
        }
    });
    let mut order: Vec<_> = found.into_values().collect();
    order.sort_by_key(|(weight, unscored)| (Reverse(*weight), unscored.key));
    order.into_iter().map(|(_, unscored)| unscored).collect()
}

/// Stores results in every move without a score that leads to one of the positions; with `again`,
/// in moves with a score too. Returns the number of moves.
pub fn store_results(book: &mut BookMap, results: &[ScoredPosition], again: bool) -> u64 {
    let results: BTreeMap<u64, &ScoredPosition> = results.iter().map(|result| (result.key, result)).collect();
    let mut scored = 0;
    each_unscored(book, again, |known, position| {
        if let Some(result) = results.get(&book_key(position)) {
            known.score = Some(move_score(result.score));
            known.depth = Some(result.depth.saturating_add(1));
            scored += 1;
        }
    });
    scored
}

// Pruning limits.
#[derive(Copy, Clone, Args)]
pub struct PruneLimits {
    /// Maximum loss of a move against the best of its position, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 100, value_parser = value_parser!(i32).range(0..=30_000))]
    max_loss: i32,
    /// Minimum score of a move, in centipawns
    #[arg(
        long,
        value_name = "CP",
        default_value_t = -200,
        allow_hyphen_values = true,
        value_parser = value_parser!(i32).range(-32_000..=32_000)
    )]
    min_score: i32,
}

/// Numbers of moves dropped and kept.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct PruneCounts {
    /// Dropped: worse than the best by more than `max_loss`.
    pub blunders: u64,
    /// Dropped: score below `min_score`.
    pub lost: u64,
    /// Kept without a score.
    pub unscored: u64,
    /// Dropped: illegal.
    pub illegal: u64,
}

/// A book move with its search score and the key of the position after it.
struct Edge {
    mv: Move,
    /// Whether its weight is 0.
    excluded: bool,
    score: Option<Score>,
    child: u64,
}

/// Backs up scores to every move, and drops the moves outside `limits`. Positions after a dropped
/// move stay: the opponent may play it.
pub fn prune(book: &mut BookMap, limits: PruneLimits) -> PruneCounts {
    let edges: HashMap<u64, Vec<Edge>> = book.iter().map(|(&key, _)| (key, edges_of(book, key))).collect();
    let values = back_up_scores(book, &edges);
    let mut pruned = PruneCounts::default();
    book.retain(|key, entry| {
        let edges = &edges[key];
        let value = values.get(key).copied();
        entry.moves.retain_mut(|known| {
            let Some(edge) = edges.iter().find(|edge| edge.mv == known.mv) else {
                pruned.illegal += 1;
                return false;
            };
            let Some(score) = values.get(&edge.child).map(|&value| move_score(value)) else {
                pruned.unscored += 1;
                return true;
            };
            known.score = Some(score);
            if value.is_some_and(|value| value.get() - score.get() > limits.max_loss) {
                pruned.blunders += 1;
            } else if score.get() < limits.min_score {
                pruned.lost += 1;
            } else {
                return true;
            }
            false
        });
        sort_moves(&mut entry.moves);
        !entry.moves.is_empty()
    });
    pruned
}

fn edges_of(book: &BookMap, key: u64) -> Vec<Edge> {
    let entry = &book[&key];
    let mut position = entry.position.clone();
    let legal = entry.moves.iter().filter(|known| entry.position.is_legal(known.mv));
    let edge = |known: &BookMove| {
        position.play(known.mv);
        let child = book_key(&position);
        position.undo();
        Edge { mv: known.mv, excluded: known.weight == 0, score: known.score, child }
    };
    legal.map(edge).collect()
}

/// The value of each position for its side to move, where known.
fn back_up_scores(book: &BookMap, edges: &HashMap<u64, Vec<Edge>>) -> HashMap<u64, Score> {
    // The search score of a position is stored with the moves that lead to it.
    let mut search_scores: HashMap<u64, Score> = HashMap::new();
    for edge in edges.values().flatten() {
        if let Some(score) = edge.score.map(child_score) {
            search_scores.entry(edge.child).and_modify(|known| *known = score.max(*known)).or_insert(score);
        }
    }
    // From the leaves to the root; repeated, because of transpositions to earlier positions.
    let mut order: Vec<(u32, u64)> = book.iter().map(|(&key, entry)| (entry.position.ply(), key)).collect();
    order.sort_unstable_by(|a, b| b.cmp(a));
    let mut values = search_scores.clone();
    for _ in 0..MAX_ITERATIONS {
        let mut changed = false;
        for (_, key) in &order {
            let played = edges[key].iter().filter(|edge| !edge.excluded);
            let moves = played.filter_map(|edge| values.get(&edge.child)).map(|&value| move_score(value));
            let Some(value) = moves.chain(search_scores.get(key).copied()).max() else { continue };
            changed |= values.insert(*key, value) != Some(value);
        }
        if !changed {
            break;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_books::BookPosition;

    const LIMITS: PruneLimits = PruneLimits { max_loss: 50, min_score: -100 };

    /// A book of lines from the start position, each move with a search score.
    fn book(lines: &[(&str, &[(&str, i32)])]) -> BookMap {
        let entry = |(line, moves): &(&str, &[(&str, i32)])| {
            let position = Position::startpos().with_moves(line.split_whitespace()).unwrap();
            let scored = |&(mv, cp): &(&str, i32)| {
                let mv: Move = mv.parse().unwrap();
                BookMove { score: (cp != UNKNOWN).then(|| Score::raw(cp)), ..BookMove::new(mv, 1) }
            };
            (book_key(&position), BookPosition { position, moves: moves.iter().map(scored).collect() })
        };
        lines.iter().map(entry).collect()
    }

    const UNKNOWN: i32 = i32::MAX;

    fn scores(book: &BookMap, line: &str) -> Vec<(String, Option<i32>)> {
        let position = Position::startpos().with_moves(line.split_whitespace()).unwrap();
        let entry = book.get(&book_key(&position));
        let of_move = |known: &BookMove| (known.mv.to_string(), known.score.map(Score::get));
        let mut all: Vec<_> = entry.into_iter().flat_map(|entry| entry.moves.iter().map(of_move)).collect();
        all.sort();
        all
    }

    #[test]
    fn scores_are_backed_up() {
        // The search score of the first move is 20; the answer is worth 40, so the move is worth
        // -40.
        let mut book = book(&[("", &[("7g7f", 20), ("2g2f", -30)]), ("7g7f", &[("3c3d", 40)])]);
        assert_eq!(prune(&mut book, LIMITS), PruneCounts::default());
        assert_eq!(scores(&book, ""), [("2g2f".into(), Some(-30)), ("7g7f".into(), Some(-40))]);
        assert_eq!(scores(&book, "7g7f"), [("3c3d".into(), Some(40))]);
        let once = format!("{book:?}");
        prune(&mut book, LIMITS);
        assert_eq!(format!("{book:?}"), once, "pruning is idempotent");
    }

    #[test]
    fn search_score_bounds_value_from_below() {
        // The only book move is a blunder: the position searches at 10, the move is worth -300.
        let mut book = book(&[("", &[("7g7f", -10)]), ("7g7f", &[("8b3b", -300)])]);
        let pruned = prune(&mut book, LIMITS);
        assert_eq!(pruned, PruneCounts { blunders: 1, ..PruneCounts::default() });
        assert_eq!(scores(&book, ""), [("7g7f".into(), Some(-10))]);
        assert_eq!(book.len(), 1, "a position without a move goes");
    }

    #[test]
    fn excluded_moves_set_no_value() {
        let mut book = book(&[("", &[("7g7f", 90), ("2g2f", -10)])]);
        book.values_mut().for_each(|entry| entry.moves[0].weight = 0);
        assert_eq!(prune(&mut book, LIMITS), PruneCounts::default());
        assert_eq!(scores(&book, ""), [("2g2f".into(), Some(-10)), ("7g7f".into(), Some(90))]);
    }

    #[test]
    fn counts_by_drop_reason() {
        let mut first = book(&[("", &[("7g7f", 20), ("2g2f", -31), ("9g9f", UNKNOWN)])]);
        assert_eq!(prune(&mut first, LIMITS), PruneCounts { blunders: 1, unscored: 1, ..PruneCounts::default() });
        assert_eq!(scores(&first, ""), [("7g7f".into(), Some(20)), ("9g9f".into(), None)]);
        let mut second = book(&[("", &[("7g7f", -101), ("2g2f", -100), ("7g7e", 0)])]);
        assert_eq!(prune(&mut second, LIMITS), PruneCounts { lost: 1, illegal: 1, ..PruneCounts::default() });
        assert_eq!(scores(&second, ""), [("2g2f".into(), Some(-100))]);
    }

    #[test]
    fn mate_distance_is_adjusted() {
        let mated = Score::mated_in(4).get();
        let mut book = book(&[("", &[("7g7f", 0), ("2g2f", 0)]), ("7g7f", &[("3c3d", -mated - 1)])]);
        assert_eq!(prune(&mut book, LIMITS), PruneCounts { blunders: 1, ..PruneCounts::default() });
        assert_eq!(scores(&book, "7g7f"), [("3c3d".into(), Some(Score::mate_in(5).get()))]);
        assert_eq!(child_score(move_score(Score::mate_in(7))), Score::mate_in(7));
        assert_eq!(move_score(Score::mated_in(4)), Score::mate_in(5));
    }

    #[test]
    fn cycles_converge() {
        let circle = ["2h3h", "8b7b", "3h2h", "7b8b"];
        let lines: Vec<(String, &str)> = (0..4).map(|at| (circle[..at].join(" "), circle[at])).collect();
        let rows: Vec<(&str, [(&str, i32); 1])> = lines.iter().map(|(line, mv)| (line.as_str(), [(*mv, 5)])).collect();
        let rows: Vec<(&str, &[(&str, i32)])> = rows.iter().map(|(line, moves)| (*line, moves.as_slice())).collect();
        let mut book = book(&rows);
        assert_eq!(book.len(), 4);
        prune(&mut book, LIMITS);
        assert_eq!(book.len(), 4);
    }
}
