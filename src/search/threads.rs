//! Lazy SMP: threads search the same root, share the tables and vote for the best move.

use super::root_move::{Line, RootMove};
use super::statistics::TableCounts;
use super::worker::Worker;
use sabi_shogi::{Bound, Move, Score};
use std::cmp::Reverse;

/// Result of one thread.
pub(super) struct ThreadResult {
    pub best: RootMove,
    /// Last completed depth.
    pub depth: i32,
    pub counts: Option<Box<TableCounts>>,
}

impl ThreadResult {
    pub(super) fn of(worker: &mut Worker<'_>) -> Self {
        Self { best: worker.root_moves[0].clone(), depth: worker.completed_depth, counts: worker.counts.take() }
    }

    /// Its best line.
    pub(super) fn line(&self) -> &Line {
        self.best.last_line().unwrap_or(&self.best.line)
    }

    /// Its score; 0 if the search ended before there was one.
    pub(super) fn score(&self) -> Score {
        self.best.last_line().map_or(Score::ZERO, |line| line.score)
    }
}

/// The best thread. The shortest mate decides, won or lost; otherwise each thread adds the weight
/// `(score - min_score + 14) * depth` to its move, and the winning move's thread with the greatest
/// weight is chosen. The main thread wins ties: its lines are the ones reported. Helpers whose move
/// is `refuted`, that is known to allow a mate, have no vote. The weight of a thread without a score
/// of its move, or with an upper bound, is 0.
pub(super) fn best_thread(results: &[ThreadResult], refuted: impl Fn(Move) -> bool) -> usize {
    let has_vote = |at: usize| at == 0 || results[at].depth > 0 && !refuted(results[at].best.mv);
    let voters: Vec<usize> = (0..results.len()).filter(|&at| has_vote(at)).collect();
    let score = |at: usize| results[at].score();
    let is_searched = |at: &usize| results[*at].best.last_line().is_some_and(|line| line.bound != Bound::Upper);
    let nearness = |at: usize| (score(at).is_mate_win(), score(at).get().abs(), Reverse(at));
    let mates = voters.iter().copied().filter(|at| is_searched(at) && score(*at).is_mate());
    if let Some(mate) = mates.max_by_key(|&at| nearness(at)) {
        return mate;
    }
    let min_score = voters.iter().copied().filter(is_searched).map(|at| score(at).get()).min().unwrap_or(0);
    let weight = |at: usize| match is_searched(&at) {
        true => i64::from(score(at).get() - min_score + 14) * i64::from(results[at].depth),
        false => 0,
    };
    let votes = |mv| voters.iter().copied().filter(|&at| results[at].best.mv == mv).map(weight).sum::<i64>();
    let rank = |at: usize| (votes(results[at].best.mv), results[at].line().pv.len() > 2, weight(at), Reverse(at));
    voters.iter().copied().max_by_key(|&at| rank(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thread results: move, score, depth and PV length.
    fn results(threads: &[(&str, Score, i32, usize)]) -> Vec<ThreadResult> {
        let result = |&(mv, score, depth, plies): &(&str, Score, i32, usize)| {
            let mv: Move = mv.parse().unwrap();
            let mut best = RootMove::new(mv);
            (best.line.score, best.line.depth, best.line.pv) = (score, depth, vec![mv; plies]);
            ThreadResult { best, depth, counts: None }
        };
        threads.iter().map(result).collect()
    }

    #[test]
    fn vote_by_score_depth_and_mates() {
        let cp = Score::cp;
        for (expected, threads) in [
            // A single thread; equal threads.
            (0, vec![("7g7f", cp(10), 9, 5)]),
            (0, vec![("7g7f", cp(10), 9, 5), ("7g7f", cp(10), 9, 5)]),
            // Two moderate votes beat one; depth counts; a much better score decides.
            (1, vec![("7g7f", cp(10), 9, 5), ("2g2f", cp(8), 9, 5), ("2g2f", cp(9), 8, 5)]),
            (1, vec![("7g7f", cp(10), 9, 5), ("2g2f", cp(10), 10, 5)]),
            (2, vec![("7g7f", cp(10), 9, 5), ("7g7f", cp(12), 9, 5), ("2g2f", cp(90), 8, 5)]),
            // Of the same move, the thread with a longer PV.
            (1, vec![("7g7f", cp(10), 9, 1), ("7g7f", cp(9), 9, 5)]),
            // The shortest mate; a win before a loss.
            (2, vec![("7g7f", Score::mate_in(7), 9, 5), ("2g2f", cp(500), 20, 5), ("1g1f", Score::mate_in(5), 4, 5)]),
            (1, vec![("7g7f", cp(10), 9, 5), ("2g2f", Score::mated_in(6), 9, 5)]),
            (1, vec![("7g7f", Score::mated_in(2), 9, 5), ("2g2f", Score::mate_in(9), 9, 5)]),
            // A thread without a completed iteration has no vote.
            (0, vec![("7g7f", cp(10), 9, 5), ("2g2f", cp(900), 0, 5)]),
        ] {
            assert_eq!(best_thread(&results(&threads), |_| false), expected, "{threads:?}");
        }
        // Moves that are known to allow a mate.
        let threads = [("7g7f", cp(10), 9, 5), ("2g2f", cp(8), 9, 5), ("2g2f", cp(9), 9, 5)];
        let refuted = |mv: &'static str| move |other: Move| other.to_string() == mv;
        assert_eq!(best_thread(&results(&threads), refuted("2g2f")), 0);
        assert_eq!(best_thread(&results(&threads), refuted("7g7f")), 2);
        // A move that took the place of a refuted one with its score, and was not searched.
        for score in [cp(200), Score::mate_in(5)] {
            let mut threads = results(&[("7g7f", score, 9, 1), ("2g2f", cp(-300), 9, 5)]);
            threads[0].best.line.bound = Bound::Upper;
            assert_eq!(best_thread(&threads, |_| false), 1);
        }
    }
}
