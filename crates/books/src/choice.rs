//! Selection of book moves.
//!
//! A book may have game counts with win rates, search scores, or only weights. The expected score
//! of a move is its win rate with `PRIOR_GAMES` draws added, so that few games have little
//! influence, or its search score as win rate, or the mean of both. It is shown and orders the
//! candidates.
//!
//! The books of other programs have [`Rules`] of their own: a YaneuraOu book is played as YaneuraOu
//! plays it.

use super::{BookMove, WIN_RATE_ONE, formats::is_unsearched};
use rand::Rng;
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use sabi_shogi::{Move, Position, Repetition, Score};
use std::cmp::Reverse;

/// How to choose among the candidates.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// The highest expected score.
    Best,
    /// At random, in proportion to the weights.
    #[default]
    Weighted,
    /// At random, uniformly.
    Uniform,
}

/// Whose rules select the candidates.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Ours, for books with weights, games, and scores as far as they are known.
    Sabi,
    /// YaneuraOu's, for the books that it reads. The move with the largest count, then score, is the
    /// first: its depth decides on the position, and its score is what [`Criteria::max_loss`] is
    /// measured from. An unknown score is 0; moves of count 0 are candidates as well, though not in
    /// a choice by weight.
    YaneuraOu {
        /// The depth of a move without one.
        unknown_depth: u16,
    },
}

impl Rules {
    /// Whether this move of a book may be played.
    pub fn allow(self, found: &BookMove) -> bool {
        found.weight > 0 || self != Self::Sabi
    }
}

/// Requirements for a book move to be played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// How to choose among the candidates.
    pub selection: Selection,
    /// Last ply of the game that may come from the book.
    pub last_ply: u32,
    /// Maximum loss in centipawns against the best move that passes the other requirements, where
    /// both have a score; by YaneuraOu's rules against the first.
    pub max_loss: i32,
    /// Minimum score for Black and White, where a move has one.
    pub min_score: [i32; 2],
    /// Minimum depth of a move's search, if known; by YaneuraOu's rules of that of the first move.
    pub min_depth: u16,
    /// Minimum number of games, if known.
    pub min_games: u32,
    /// Whether to reject moves with less than a tenth of all weights.
    pub narrow: bool,
    /// Minimum weight in percent of the largest; not by YaneuraOu's rules.
    pub min_share: u32,
}

/// Why a book move is not played.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum RejectReason {
    #[error("illegal here")]
    Illegal,
    /// The game is beyond the last book ply.
    #[error("beyond BookMoves")]
    TooLate,
    /// Its weight is 0: it is known, but not to be played.
    #[error("weight 0")]
    Excluded,
    #[error("loses by repetition")]
    Repetition,
    #[error("fewer games than BookMinGames")]
    TooFewGames,
    #[error("less deep than BookDepthLimit")]
    Shallow,
    #[error("below BookEvalBlackLimit or BookEvalWhiteLimit")]
    Low,
    #[error("too rare for NarrowBook")]
    Rare,
    #[error("rarer than BookMinShare")]
    SmallShare,
    #[error("below the best by more than BookEvalDiff")]
    Worse,
}

/// Candidates and rejected moves of a position.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Candidates, best first.
    pub candidates: Vec<BookMove>,
    /// Rejected moves with reasons.
    pub rejected: Vec<(Move, RejectReason)>,
}

/// Drawn games added to the counts, as a prior.
const PRIOR_GAMES: f64 = 30.0;

/// Expected score by game results, if known.
fn by_games(candidate: &BookMove) -> Option<f64> {
    let games = candidate.games.filter(|&games| games > 0).map(f64::from)?;
    let rate = f64::from(candidate.win_rate?) / f64::from(WIN_RATE_ONE);
    Some((rate * games + PRIOR_GAMES / 2.0) / (games + PRIOR_GAMES))
}

/// Expected score, from 0 to 1; `None` if only the weight is known.
fn expected(candidate: &BookMove) -> Option<f64> {
    let by_score = candidate.score.map(Score::expected_score);
    match (by_games(candidate), by_score) {
        (Some(games), Some(score)) => Some((games + score) / 2.0),
        (games, score) => games.or(score),
    }
}

/// Splits the book moves of a position into candidates and rejected ones.
pub fn filter_moves(position: &Position, moves: Vec<BookMove>, rules: Rules, criteria: &Criteria) -> Choice {
    let mut choice = Choice { candidates: moves, rejected: Vec::new() };
    choice.reject(|found| match position.is_legal(found.mv) {
        false => Some(RejectReason::Illegal),
        true => (position.ply() > criteria.last_ply).then_some(RejectReason::TooLate),
    });
    match rules {
        Rules::Sabi => filter_by_our_rules(position, &mut choice, criteria),
        Rules::YaneuraOu { unknown_depth } => filter_by_yaneuraou(position, &mut choice, unknown_depth, criteria),
    }
    choice.candidates.sort_by(|a, b| {
        let expected = |found: &BookMove| expected(found).unwrap_or(-1.0);
        // The expected scores of all mates are equal.
        expected(b).total_cmp(&expected(a)).then((b.score, b.weight).cmp(&(a.score, a.weight)))
    });
    choice
}

impl Choice {
    /// Moves the candidates with a reject reason to the rejected ones.
    fn reject(&mut self, reject_reason: impl Fn(&BookMove) -> Option<RejectReason>) {
        self.candidates.retain(|found| {
            let reason = reject_reason(found);
            self.rejected.extend(reason.map(|reason| (found.mv, reason)));
            reason.is_none()
        });
    }

    /// Rejects moves with less than a tenth of all weights.
    fn narrow(&mut self) {
        let total: u64 = self.candidates.iter().map(|found| u64::from(found.weight)).sum();
        self.reject(|found| (u64::from(found.weight) * 10 < total).then_some(RejectReason::Rare));
    }
}

fn filter_by_our_rules(position: &Position, choice: &mut Choice, criteria: &Criteria) {
    choice.reject(|found| {
        if found.weight == 0 {
            Some(RejectReason::Excluded)
        } else if loses_by_repetition(position, found.mv) {
            Some(RejectReason::Repetition)
        } else if found.games.is_some_and(|games| games < criteria.min_games) {
            Some(RejectReason::TooFewGames)
        } else if found.depth.is_some_and(|depth| depth < criteria.min_depth) {
            Some(RejectReason::Shallow)
        } else {
            let min_score = criteria.min_score[position.side_to_move()];
            found.score.filter(|score| score.get() < min_score).map(|_| RejectReason::Low)
        }
    });
    if criteria.narrow {
        choice.narrow();
    }
    let max_weight = choice.candidates.iter().map(|found| found.weight).max().unwrap_or(0);
    let min_weight = u64::from(max_weight) * u64::from(criteria.min_share);
    choice.reject(|found| (u64::from(found.weight) * 100 < min_weight).then_some(RejectReason::SmallShare));
    // A rare move, which is not played, must not make the others worse.
    let best_score = choice.candidates.iter().filter_map(|found| found.score).max();
    choice.reject(|found| {
        let loss = best_score.zip(found.score).map_or(0, |(best, own)| best.get() - own.get());
        (loss > criteria.max_loss).then_some(RejectReason::Worse)
    });
}

/// The order of these rules matters: each refers to what the ones before have left.
fn filter_by_yaneuraou(position: &Position, choice: &mut Choice, unknown_depth: u16, criteria: &Criteria) {
    let score_of = |found: &BookMove| found.score.map_or(0, Score::get);
    let unsearched = choice.candidates.iter().all(is_unsearched);
    choice.candidates.sort_by_key(|found| Reverse((found.weight, score_of(found))));
    if criteria.narrow {
        choice.narrow();
    }
    let Some(first) = choice.candidates.first() else { return };
    let is_shallow = first.depth.unwrap_or(unknown_depth) < criteria.min_depth;
    let best_score = score_of(first);
    choice.reject(|found| match score_of(found) {
        _ if is_shallow => Some(RejectReason::Shallow),
        score if score < criteria.min_score[position.side_to_move()] => Some(RejectReason::Low),
        score if best_score - score > criteria.max_loss => Some(RejectReason::Worse),
        // YaneuraOu plays it.
        _ => loses_by_repetition(position, found.mv).then_some(RejectReason::Repetition),
    });
    if unsearched {
        choice.candidates.iter_mut().for_each(|found| (found.score, found.depth) = (None, None));
    }
}

fn loses_by_repetition(position: &Position, mv: Move) -> bool {
    let next = position.after(mv);
    matches!(next.repetition_in_search(usize::MAX), Some(Repetition::Win | Repetition::Superior))
}

/// Index of the move to play; `None` without candidates.
pub fn choose(candidates: &[BookMove], selection: Selection, random: &mut impl Rng) -> Option<usize> {
    match (candidates, selection) {
        ([], _) => None,
        (_, Selection::Best) => Some(0),
        (_, Selection::Uniform) => Some(random.random_range(0..candidates.len())),
        (_, Selection::Weighted) => {
            let weights = candidates.iter().map(|found| u64::from(found.weight));
            // It fails if all weights are zero.
            match WeightedIndex::new(weights) {
                Ok(index) => Some(index.sample(random)),
                Err(_) => Some(random.random_range(0..candidates.len())),
            }
        }
    }
}

/// Score to show: that of the book, or the expected score in centipawns.
pub fn shown_score(candidate: &BookMove) -> Option<Score> {
    if by_games(candidate).is_none() {
        return candidate.score;
    }
    let rate = expected(candidate)?.clamp(0.001, 0.999);
    Some(Score::cp(((rate / (1.0 - rate)).ln() * Score::EXPECTED_SCORE_SCALE).round() as i32))
}

/// The book line after a candidate: its stored answer, then the moves with the largest weights, as
/// far as legal and not excluded, up to `plies` moves including the candidate.
pub fn line(
    position: &Position,
    candidate: &BookMove,
    plies: usize,
    rules: Rules,
    mut lookup: impl FnMut(&Position) -> Vec<BookMove>,
) -> Vec<Move> {
    let mut end = position.clone();
    let mut line = vec![candidate.mv];
    end.play(candidate.mv);
    let mut expected = candidate.answer;
    while line.len() < plies {
        let named = expected.filter(|&mv| end.is_legal(mv));
        let is_playable = |found: &&BookMove| rules.allow(found) && end.is_legal(found.mv);
        let Some(mv) = named.or_else(|| lookup(&end).iter().find(is_playable).map(|found| found.mv)) else { break };
        line.push(mv);
        end.play(mv);
        expected = None;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use sabi_shogi::usi_moves;

    fn criteria() -> Criteria {
        Criteria {
            selection: Selection::Best,
            last_ply: 40,
            max_loss: 30,
            min_score: [-99_999; 2],
            min_depth: 0,
            min_games: 0,
            narrow: false,
            min_share: 0,
        }
    }

    fn played(mv: &str, games: u32, win_rate: u16) -> BookMove {
        let mv = mv.parse().unwrap();
        BookMove { games: Some(games), win_rate: Some(win_rate), ..BookMove::new(mv, games) }
    }

    fn scored(mv: &str, cp: i32) -> BookMove {
        BookMove { score: Some(Score::cp(cp)), ..BookMove::new(mv.parse().unwrap(), 10) }
    }

    fn names(choice: &Choice) -> Vec<String> {
        choice.candidates.iter().map(|found| found.mv.to_string()).collect()
    }

    #[test]
    fn many_games_beat_one_win() {
        let moves = vec![played("7g7f", 1, 10_000), played("2g2f", 1000, 5400), played("5g5f", 1000, 4800)];
        let choice = filter_moves(&Position::startpos(), moves, Rules::Sabi, &criteria());
        assert_eq!(names(&choice), ["2g2f", "7g7f", "5g5f"]);
        let more = vec![played("7g7f", 30, 7000), played("2g2f", 1000, 5400)];
        assert_eq!(names(&filter_moves(&Position::startpos(), more, Rules::Sabi, &criteria())), ["7g7f", "2g2f"]);
    }

    #[test]
    fn shown_score_follows_order() {
        let lucky = shown_score(&played("7g7f", 1, 10_000)).unwrap().get();
        let usual = shown_score(&played("2g2f", 1000, 5400)).unwrap().get();
        assert!(lucky < usual && (0..100).contains(&usual), "{lucky} {usual}");
        assert_eq!(shown_score(&scored("2g2f", 37)), Some(Score::cp(37)));
        assert_eq!(shown_score(&BookMove::new("2g2f".parse().unwrap(), 1)), None);
        // A good score and many lost games: in between.
        let doubtful = BookMove { score: Some(Score::cp(50)), ..played("5g5f", 100, 3000) };
        let shown = shown_score(&doubtful).unwrap().get();
        assert!((-500..0).contains(&shown), "{shown}");
        let moves = vec![doubtful, played("7g7f", 1, 10_000), scored("2g2f", 30), played("2h7h", 1000, 5400)];
        let criteria = Criteria { max_loss: 99_999, ..criteria() };
        let choice = filter_moves(&Position::startpos(), moves, Rules::Sabi, &criteria);
        let shown: Vec<_> = choice.candidates.iter().filter_map(shown_score).collect();
        assert!(shown.len() == 4 && shown.is_sorted_by(|a, b| a >= b), "{shown:?}");
    }

    #[test]
    fn every_reject_reason_is_reported() {
        let start = Position::startpos();
        let limits = Criteria { min_games: 5, min_share: 10, ..criteria() };
        let moves = vec![
            played("7g7f", 100, 5000),
            played("7g7e", 100, 9000),
            played("2g2f", 4, 5000),
            played("5g5f", 9, 5000),
            scored("2h7h", -10),
            scored("3i4h", -41),
            played("9g9f", 0, 5000),
        ];
        let choice = filter_moves(&start, moves.clone(), Rules::Sabi, &limits);
        assert_eq!(names(&choice), ["7g7f", "2h7h"]);
        let reported: Vec<_> =
            choice.rejected.iter().map(|(mv, reject_reason)| (mv.to_string(), *reject_reason)).collect();
        let expected = [
            ("7g7e", RejectReason::Illegal),
            ("2g2f", RejectReason::TooFewGames),
            ("9g9f", RejectReason::Excluded),
            ("5g5f", RejectReason::SmallShare),
            ("3i4h", RejectReason::Worse),
        ];
        assert_eq!(reported, expected.map(|(mv, reject_reason)| (mv.to_owned(), reject_reason)));
        let narrow = filter_moves(&start, moves, Rules::Sabi, &Criteria { narrow: true, ..limits });
        assert_eq!(narrow.rejected[3..], ["5g5f", "2h7h", "3i4h"].map(|mv| (mv.parse().unwrap(), RejectReason::Rare)));
        let none = Criteria { last_ply: 0, ..criteria() };
        let late = filter_moves(&start, vec![played("7g7f", 9, 1)], Rules::Sabi, &none);
        assert_eq!(late.rejected, [("7g7f".parse().unwrap(), RejectReason::TooLate)]);
    }

    /// Moves of the embedded book after 2g2f 8c8d 2f2e 8d8e: the rare ones have the best scores.
    #[test]
    fn rare_moves_do_not_make_others_worse() {
        let moves = [("6i7h", 480, 20), ("7g7f", 369, 67), ("2e2d", 7, 89), ("9g9f", 2, 103)];
        let moves = moves.map(|(mv, weight, cp)| BookMove { weight, ..scored(mv, cp) }).to_vec();
        let position = Position::startpos().with_moves(["2g2f", "8c8d", "2f2e", "8d8e"]).unwrap();
        let choice = filter_moves(&position, moves.clone(), Rules::Sabi, &Criteria { min_share: 10, ..criteria() });
        assert_eq!(names(&choice), ["7g7f"]);
        let reasons: Vec<_> = choice.rejected.iter().map(|(_, reject_reason)| *reject_reason).collect();
        assert_eq!(reasons, [RejectReason::SmallShare, RejectReason::SmallShare, RejectReason::Worse]);
        assert_eq!(names(&filter_moves(&position, moves, Rules::Sabi, &criteria())), ["9g9f", "2e2d"]);
    }

    #[test]
    fn shorter_mate_is_better() {
        let mates = [(9, "7g7f", 3), (5, "2g2f", 1), (7, "5g5f", 2)].map(|(plies, mv, weight)| BookMove {
            weight,
            score: Some(Score::mate_in(plies)),
            ..scored(mv, 0)
        });
        let choice = filter_moves(&Position::startpos(), mates.to_vec(), Rules::Sabi, &criteria());
        assert_eq!(names(&choice), ["2g2f", "5g5f", "7g7f"]);
    }

    #[test]
    fn weight_0_is_not_played() {
        let moves = |weight| vec![BookMove { weight, ..scored("7g7f", 50) }, scored("2g2f", 10)];
        let choice = filter_moves(&Position::startpos(), moves(0), Rules::Sabi, &criteria());
        assert_eq!(choice.rejected, [("7g7f".parse().unwrap(), RejectReason::Excluded)]);
        assert_eq!(names(&choice), ["2g2f"], "nor does it count as the best");
        assert_eq!(names(&filter_moves(&Position::startpos(), moves(1), Rules::Sabi, &criteria())), ["7g7f"]);
    }

    #[test]
    fn choice_follows_weights() {
        let candidates = [BookMove::new("7g7f".parse().unwrap(), 9), BookMove::new("2g2f".parse().unwrap(), 1)];
        let count = |selection, candidates: &[BookMove]| {
            let mut random = SmallRng::seed_from_u64(1);
            let mut counts = [0; 2];
            (0..1000).for_each(|_| counts[choose(candidates, selection, &mut random).unwrap()] += 1);
            counts[1]
        };
        assert_eq!(count(Selection::Best, &candidates), 0);
        assert!((60..140).contains(&count(Selection::Weighted, &candidates)));
        assert!((430..570).contains(&count(Selection::Uniform, &candidates)));
        let heavy = [u32::MAX, u32::MAX / 10].map(|weight| BookMove { weight, ..candidates[0].clone() });
        assert!((60..140).contains(&count(Selection::Weighted, &heavy)));
        let [one, never] = [1, 0].map(|weight| BookMove { weight, ..candidates[0].clone() });
        assert_eq!(count(Selection::Weighted, &[one, never]), 0);
        let weightless = candidates.map(|found| BookMove { weight: 0, ..found });
        assert!((430..570).contains(&count(Selection::Weighted, &weightless)));
        assert_eq!(choose(&[], Selection::Weighted, &mut SmallRng::seed_from_u64(1)), None);
    }

    #[test]
    fn line_follows_the_book() {
        let start = Position::startpos();
        let first = BookMove { answer: "3c3d".parse().ok(), ..BookMove::new("7g7f".parse().unwrap(), 1) };
        let third = |position: &Position| match position.ply() {
            3 => vec![BookMove::new("2g2f".parse().unwrap(), 1)],
            4 => vec![BookMove::new("8c8d".parse().unwrap(), 0)],
            _ => Vec::new(),
        };
        assert_eq!(usi_moves(&line(&start, &first, 8, Rules::Sabi, third)), ["7g7f", "3c3d", "2g2f"]);
        assert_eq!(line(&start, &first, 1, Rules::Sabi, third).len(), 1);
    }
}
