//! Which move of a book to play.
//!
//! A book may know how often a move was played and what came of it, what a search thought of it, or only a weight. The best move is
//! the one for which the evidence is best, not the one with the best figure: of a win rate its lower confidence bound counts, so
//! that one lucky game is not worth more than a hundred good ones.

use super::{BookMove, WIN_RATE_ONE};
use crate::position::{Position, Repetition};
use crate::types::{Move, Score};
use rand::Rng;
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use std::fmt;

/// How to choose among several moves.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// The one with the best evidence.
    #[default]
    Best,
    /// Any, in proportion to its weight.
    Weighted,
    /// Any.
    Uniform,
}

/// What a move of a book must be like to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criteria {
    /// How to choose among those that are left.
    pub selection: Selection,
    /// The last move of the game that may come from the book.
    pub last_ply: u32,
    /// So many centipawns a move may be worse than the best one, where both have a score.
    pub worst_loss: i32,
    /// It was played in so many games, where that is known.
    pub least_games: u32,
    /// Whether to leave out what is played less than a tenth as often as the most usual move.
    pub narrow: bool,
}

/// Why a move of the book is not played.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Objection {
    /// It is not legal here.
    Illegal,
    /// The game is beyond the last move that may come from the book.
    TooLate,
    /// It loses by repetition.
    Repetition,
    /// Its score is too far below that of the best move.
    Worse,
    /// It was played in too few games.
    TooFewGames,
    /// It is played too seldom.
    Rare,
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Illegal => "illegal here",
            Self::TooLate => "beyond BookMoves",
            Self::Repetition => "loses by repetition",
            Self::Worse => "below the best by more than BookEvalDiff",
            Self::TooFewGames => "fewer games than BookMinGames",
            Self::Rare => "too rare for NarrowBook",
        })
    }
}

/// What became of the moves that a book has for a position.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Those that may be played, the best first.
    pub candidates: Vec<BookMove>,
    /// Those that may not, and why.
    pub refused: Vec<(Move, Objection)>,
}

/// Standard deviations between a win rate and what is believed of it.
const DOUBT: f64 = 1.645;

/// The lower bound of the interval of Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
fn lower_bound(win_rate: u16, games: u32) -> f64 {
    let (rate, games) = (f64::from(win_rate) / f64::from(WIN_RATE_ONE), f64::from(games.max(1)));
    let square = DOUBT * DOUBT;
    let spread = DOUBT * (rate * (1.0 - rate) / games + square / (4.0 * games * games)).sqrt();
    (rate + square / (2.0 * games) - spread) / (1.0 + square / games)
}

/// What can be believed of a move, from 0 to 1; `None` where only its weight is known.
fn evidence(candidate: &BookMove) -> Option<f64> {
    match (candidate.win_rate, candidate.games, candidate.score) {
        (Some(win_rate), Some(games), _) if games > 0 => Some(lower_bound(win_rate, games)),
        (_, _, Some(score)) => Some(score.win_rate()),
        _ => None,
    }
}

/// Sorts the moves of a book into those that may be played and those that may not.
pub fn weigh(position: &Position, moves: Vec<BookMove>, criteria: &Criteria) -> Choice {
    let mut choice = Choice::default();
    let mut keep = |moves: Vec<BookMove>, objection: &dyn Fn(&BookMove) -> Option<Objection>| {
        let mut kept = Vec::new();
        for found in moves {
            match objection(&found) {
                Some(objection) => choice.refused.push((found.mv, objection)),
                None => kept.push(found),
            }
        }
        kept
    };
    let moves = keep(moves, &|found| {
        if !position.is_legal(found.mv) {
            Some(Objection::Illegal)
        } else if position.ply() > criteria.last_ply {
            Some(Objection::TooLate)
        } else if loses_by_repetition(position, found.mv) {
            Some(Objection::Repetition)
        } else {
            found.games.filter(|&games| games < criteria.least_games).map(|_| Objection::TooFewGames)
        }
    });
    // The best of those that could be played is the measure of the rest.
    let best_score = moves.iter().filter_map(|found| found.score).max();
    let most = moves.iter().map(|found| found.weight).max().unwrap_or(0);
    let candidates = keep(moves, &|found| {
        let loss = best_score.zip(found.score).map_or(0, |(best, own)| best.get() - own.get());
        if loss > criteria.worst_loss {
            Some(Objection::Worse)
        } else {
            (criteria.narrow && u64::from(found.weight) * 10 < u64::from(most)).then_some(Objection::Rare)
        }
    });
    choice.candidates = candidates;
    choice.candidates.sort_by(|a, b| {
        let evidence = |found: &BookMove| evidence(found).unwrap_or(-1.0);
        evidence(b).total_cmp(&evidence(a)).then(b.weight.cmp(&a.weight))
    });
    choice
}

fn loses_by_repetition(position: &Position, mv: Move) -> bool {
    let mut next = position.clone();
    next.play(mv);
    matches!(next.repetition_in_search(usize::MAX), Some(Repetition::Win | Repetition::Superior))
}

/// The place of the move to play among the candidates; `None` when there are none.
pub fn choose(candidates: &[BookMove], selection: Selection, random: &mut impl Rng) -> Option<usize> {
    match (candidates, selection) {
        ([], _) => None,
        (_, Selection::Best) => Some(0),
        (_, Selection::Uniform) => Some(random.random_range(0..candidates.len())),
        (_, Selection::Weighted) => {
            let weights = candidates.iter().map(|found| u64::from(found.weight));
            // Books exist in which every weight is 0.
            match WeightedIndex::new(weights) {
                Ok(index) => Some(index.sample(random)),
                Err(_) => Some(random.random_range(0..candidates.len())),
            }
        }
    }
}

/// The score to show for a move: what the book says, or what its win rate amounts to.
pub fn shown_score(candidate: &BookMove) -> Option<Score> {
    candidate.score.or_else(|| {
        let rate = f64::from(candidate.win_rate?) / f64::from(WIN_RATE_ONE);
        let odds = (rate.clamp(0.001, 0.999) / (1.0 - rate.clamp(0.001, 0.999))).ln();
        Some(Score::cp((odds * Score::WIN_RATE_SCALE) as i32))
    })
}

/// The line that a book expects behind a candidate, which comes first in it: the answer it names, then the weightiest moves it
/// has, as far as they are legal, up to `plies` moves.
pub fn line(
    position: &Position,
    candidate: &BookMove,
    plies: usize,
    mut lookup: impl FnMut(&Position) -> Vec<BookMove>,
) -> Vec<Move> {
    let mut end = position.clone();
    let mut line = vec![candidate.mv];
    end.play(candidate.mv);
    let mut expected = candidate.answer;
    while line.len() < plies {
        let named = expected.filter(|&mv| end.is_legal(mv));
        let Some(mv) = named.or_else(|| lookup(&end).iter().map(|found| found.mv).find(|&mv| end.is_legal(mv))) else {
            break;
        };
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

    fn criteria() -> Criteria {
        Criteria { selection: Selection::Best, last_ply: 40, worst_loss: 30, least_games: 0, narrow: false }
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
    fn many_good_games_beat_one_lucky_one() {
        let moves = vec![played("7g7f", 1, 10_000), played("2g2f", 1000, 5400), played("5g5f", 1000, 4800)];
        let choice = weigh(&Position::startpos(), moves, &criteria());
        assert_eq!(names(&choice), ["2g2f", "5g5f", "7g7f"]);
        let more = vec![played("7g7f", 30, 7000), played("2g2f", 1000, 5400)];
        assert_eq!(names(&weigh(&Position::startpos(), more, &criteria())), ["7g7f", "2g2f"]);
    }

    #[test]
    fn every_objection_is_told() {
        let start = Position::startpos();
        let limits = Criteria { least_games: 5, narrow: true, ..criteria() };
        let moves = vec![
            played("7g7f", 100, 5000),
            played("7g7e", 100, 9000),
            played("2g2f", 4, 5000),
            played("5g5f", 9, 5000),
            scored("2h7h", -10),
            scored("3i4h", -41),
        ];
        let choice = weigh(&start, moves, &limits);
        assert_eq!(names(&choice), ["2h7h", "7g7f"]);
        let told: Vec<_> = choice.refused.iter().map(|(mv, objection)| (mv.to_string(), *objection)).collect();
        let expected = [
            ("7g7e", Objection::Illegal),
            ("2g2f", Objection::TooFewGames),
            ("5g5f", Objection::Rare),
            ("3i4h", Objection::Worse),
        ];
        assert_eq!(told, expected.map(|(mv, objection)| (mv.to_owned(), objection)));
        let late = weigh(&start, vec![played("7g7f", 9, 1)], &Criteria { last_ply: 0, ..criteria() });
        assert_eq!(late.refused, [("7g7f".parse().unwrap(), Objection::TooLate)]);
    }

    #[test]
    fn a_move_that_loses_by_repetition_is_refused() {
        // The rook has chased the king to and fro; once more gives the same position by checks alone.
        let start = Position::from_sfen("4k4/9/9/9/9/9/9/8R/4K4 b - 1").unwrap();
        let position = start.with_moves(["1h5h", "5a4a", "5h4h", "4a5a"]).unwrap();
        let moves = ["4h5h", "4h3h"].map(|mv| BookMove::new(mv.parse().unwrap(), 1)).to_vec();
        let choice = weigh(&position, moves, &criteria());
        assert_eq!(choice.refused, [("4h5h".parse().unwrap(), Objection::Repetition)]);
        assert_eq!(names(&choice), ["4h3h"]);
    }

    #[test]
    fn chance_follows_the_weights() {
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
        let weightless = candidates.map(|found| BookMove { weight: 0, ..found });
        assert!((430..570).contains(&count(Selection::Weighted, &weightless)));
        assert_eq!(choose(&[], Selection::Weighted, &mut SmallRng::seed_from_u64(1)), None);
    }

    #[test]
    fn a_line_goes_on_as_far_as_the_book_does() {
        let start = Position::startpos();
        let first = BookMove { answer: "3c3d".parse().ok(), ..BookMove::new("7g7f".parse().unwrap(), 1) };
        let third = |position: &Position| {
            let known = position.ply() == 3;
            known.then(|| BookMove::new("2g2f".parse().unwrap(), 1)).into_iter().collect()
        };
        let words: Vec<_> = line(&start, &first, 8, third).iter().map(Move::to_string).collect();
        assert_eq!(words, ["7g7f", "3c3d", "2g2f"]);
        assert_eq!(line(&start, &first, 1, third).len(), 1);
    }
}
