//! Lazy SMP: threads search the same root, share the tables and vote for the best move.

use super::mate_probe::MateProbe;
use super::report::{BestMove, Listener, SearchResult, Statistics, TableCounts};
use super::root_move::{self, Line, RootMove};
use super::worker::{MainThread, Shared, ThreadData, Worker};
use crate::machine::{DEEP_STACK, SetOnDrop};
use crate::mate::solver::MateSolver;
use sabi_shogi::{Bound, Move, Position, Score};
use std::cmp::Reverse;
use std::thread;

/// Searches with as many threads as `data` has parts; the main thread is the caller's. `previous` is
/// the score of the last move of the game for the side to move.
pub(super) fn search(
    shared: &Shared<'_>,
    position: &Position,
    data: &mut [ThreadData],
    solver: &mut MateSolver,
    previous: Option<Score>,
    report: Listener<'_>,
) -> SearchResult {
    let mut roots = root_move::root_moves(position, shared.settings, &shared.limits.search_moves);
    if shared.is_short()
        && let Some(at) = shared.tt_move(position).and_then(|mv| roots.iter().position(|root| root.mv == mv))
    {
        roots[..=at].rotate_right(1);
    }
    if roots.is_empty() {
        return SearchResult::without_search(BestMove::Mated, Score::mated_in(0));
    }
    let mut workers: Vec<_> = data
        .iter_mut()
        .enumerate()
        .map(|(index, data)| Worker::new(shared, index, data, position, roots.clone()))
        .collect();
    let mut main_worker = workers.swap_remove(0);
    main_worker.main = Some(MainThread::new(report, previous));
    let mut mates = MateProbe::new(solver);
    let results = thread::scope(|scope| {
        // A helper thread that fails to start is skipped.
        let helpers: Vec<_> = workers
            .into_iter()
            .filter_map(|mut worker| {
                let run = move || {
                    worker.deepen(None);
                    ThreadResult::of(&mut worker)
                };
                let builder = thread::Builder::new().stack_size(DEEP_STACK);
                builder.spawn_scoped(scope, run).inspect_err(|error| log::warn!("one thread less: {error}")).ok()
            })
            .collect();
        // Helpers stop with the main thread, also when it panics.
        let guard = SetOnDrop(&shared.halt);
        main_worker.deepen(Some(&mut mates));
        drop(guard);
        let mut results = vec![ThreadResult::of(&mut main_worker)];
        results.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
        results
    });
    // The main thread may have been starved of processor time and have no line.
    let found_none = results[0].best.last_line().is_none();
    let by_vote = found_none || shared.settings.multi_pv == 1 && !results[0].line().proved;
    let allows_mate = |mv| mates.mate_of(&position.after(mv)).is_some();
    let index = if by_vote { best_thread(&results, allows_mate) } else { 0 };
    let best = &results[index];
    if index > 0 {
        // The best thread's line has not been reported.
        main_worker.report_result(&best.best, &mates);
    }
    let mv = best.best.mv;
    let counts = results.iter().filter_map(|result| result.counts.as_deref());
    SearchResult {
        best: BestMove::Move(mv),
        ponder: best.line().pv.get(1).copied().or_else(|| shared.tt_move(&position.after(mv))),
        score: best.score(),
        depth: best.depth as u32,
        nodes: shared.nodes(),
        statistics: shared
            .settings
            .statistics
            .then(|| Box::new(Statistics::new(shared.table, shared.eval_cache, counts))),
    }
}

/// Result of one thread.
struct ThreadResult {
    best: RootMove,
    /// Last completed depth.
    depth: i32,
    counts: Option<Box<TableCounts>>,
}

impl ThreadResult {
    fn of(worker: &mut Worker<'_>) -> Self {
        Self { best: worker.root_moves[0].clone(), depth: worker.completed_depth, counts: worker.counts.take() }
    }

    /// Its best line.
    fn line(&self) -> &Line {
        self.best.last_line().unwrap_or(&self.best.line)
    }

    /// Its score; 0 if the search ended before there was one.
    fn score(&self) -> Score {
        self.best.last_line().map_or(Score::ZERO, |line| line.score)
    }
}

/// The best thread. The shortest mate decides, won or lost; otherwise each thread adds the weight
/// `(score - min_score + 14) * depth` to its move, and the winning move's thread with the greatest
/// weight is chosen. The main thread wins ties: its lines are the ones reported. Helpers whose move
/// is `refuted`, that is known to allow a mate, have no vote. The weight of a thread without a score
/// of its move, or with an upper bound, is 0.
fn best_thread(results: &[ThreadResult], refuted: impl Fn(Move) -> bool) -> usize {
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
