//! The searcher: state that persists between searches, and the threads (Lazy SMP).

use super::info_reporter::Listener;
use super::limits::Limits;
use super::main_thread::MainThread;
use super::mate_probe;
use super::report::{BestMove, Report, SearchResult};
use super::resources::{OutOfMemory, Resource, Resources};
use super::root_move;
use super::settings::Settings;
use super::signals::Signals;
use super::statistics::{Statistics, TableCounts, TableState};
use super::thread_data::ThreadData;
use super::threads::{self, ThreadResult};
use super::worker::{Shared, Worker};
use crate::eval::{EvalType, Evaluation};
use crate::mate::solver::MateSolver;
use crate::table::{Entry, EvalCache, LocalEvalCache, Source, TranspositionTable};
use crate::util::{DEEP_STACK, MemoryError, SetOnDrop, require_memory};
use sabi_shogi::{Bound, Color, Declaration, Move, Position, Score};
use std::thread;

/// The shared tables and the data of each thread.
///
/// Resizing borrows the searcher mutably, as a search does, so neither can happen during the other.
pub struct Searcher {
    resources: Resources,
    table: TranspositionTable,
    eval_cache: Option<EvalCache>,
    thread_data: Vec<ThreadData>,
    mate_solver: MateSolver,
    evaluation: Evaluation,
    /// Score of the last search of this game, for time management.
    previous_score: Option<(Color, Score)>,
}

/// Checks that all resources fit in memory at the same time, before anything is allocated:
/// overcommitted data would fail only when touched.
fn require_memory_for_all<const N: usize>(parts: [(Resource, usize); N]) -> Result<(), OutOfMemory> {
    let mut planned: usize = 0;
    for (resource, bytes) in parts {
        require_memory(planned, bytes).map_err(resource.out_of_memory())?;
        planned = planned.saturating_add(bytes);
    }
    Ok(())
}

impl Searcher {
    /// Allocates tables and threads with the default evaluation.
    ///
    /// # Errors
    /// When out of memory.
    pub fn new(resources: &Resources) -> Result<Self, OutOfMemory> {
        Self::with_evaluation(resources, Evaluation::embedded(EvalType::default()))
    }

    /// The same with the given evaluation.
    ///
    /// # Errors
    /// When out of memory.
    pub fn with_evaluation(resources: &Resources, evaluation: Evaluation) -> Result<Self, OutOfMemory> {
        // Start with minimal resources, then resize.
        let none = Resources { hash_mb: 0, second_mb: 0, eval_mb: 0, threads: 0, ..*resources };
        let table = TranspositionTable::new(0, 0).map_err(Resource::Table.out_of_memory())?;
        let mate_solver = MateSolver::new(mate_probe::MEGABYTES).map_err(Resource::Threads.out_of_memory())?;
        let mut searcher = Self {
            resources: none,
            table,
            eval_cache: None,
            thread_data: Vec::new(),
            mate_solver,
            evaluation,
            previous_score: None,
        };
        searcher.configure(resources)?;
        Ok(searcher)
    }

    /// The current resources.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Reallocates what differs; nothing changes on error, except that the table may be lost when a
    /// smaller one cannot be allocated.
    ///
    /// # Errors
    /// When out of memory.
    pub fn configure(&mut self, resources: &Resources) -> Result<(), OutOfMemory> {
        let new = Resources { threads: resources.threads.max(1), ..*resources };
        let old = self.resources;
        if new == old {
            return Ok(());
        }
        let resized = (new.hash_mb, new.second_mb) != (old.hash_mb, old.second_mb);
        let table_mb = |resources: &Resources| resources.hash_mb.saturating_add(resources.second_mb);
        let table_grows = table_mb(&new) > table_mb(&old);
        // Both levels are one allocation: the level that grows is the one that lacks memory.
        let level = if table_grows && new.hash_mb <= old.hash_mb { Resource::SecondLevel } else { Resource::Table };
        let recached = new.eval_mb != old.eval_mb;
        let added = new.threads.saturating_sub(old.threads);
        let mebibytes = |wanted: bool, amount: usize| if wanted { amount.saturating_mul(1 << 20) } else { 0 };
        require_memory_for_all([
            (level, mebibytes(table_grows, new.hash_mb)),
            (Resource::SecondLevel, mebibytes(table_grows, new.second_mb)),
            (Resource::EvalCache, mebibytes(recached, new.eval_mb)),
            (Resource::Threads, added * ThreadData::BYTES),
        ])?;
        let caching = new.eval_mb > 0;
        let thread_data: Result<Vec<_>, _> = (0..added).map(|_| ThreadData::new(caching)).collect();
        // Report all threads, not the one that failed.
        let out_of_memory =
            |_| Resource::Threads.out_of_memory()(MemoryError::out_of_memory(added * ThreadData::BYTES));
        let thread_data = thread_data.map_err(out_of_memory)?;
        let mut locals = Vec::new();
        for data in &self.thread_data {
            let missing = caching && data.evaluations.is_none();
            locals.push(missing.then(LocalEvalCache::new).transpose().map_err(Resource::EvalCache.out_of_memory())?);
        }
        let cache = (recached && caching).then(|| EvalCache::new(new.eval_mb)).transpose();
        let cache = cache.map_err(Resource::EvalCache.out_of_memory())?;
        if resized {
            if !table_grows {
                // Its entries are lost anyway, and its memory is needed.
                self.table = TranspositionTable::new(0, 0).map_err(level.out_of_memory())?;
                self.resources = Resources { hash_mb: 0, second_mb: 0, ..old };
            }
            self.table = TranspositionTable::new(new.hash_mb, new.second_mb).map_err(level.out_of_memory())?;
        }

        // Infallible from here.
        self.table.set_policy(new.hash_policy);
        if recached {
            self.eval_cache = cache;
        }
        self.eval_cache.iter_mut().for_each(|cache| cache.set_policy(new.eval_policy));
        for (data, local) in self.thread_data.iter_mut().zip(locals) {
            data.evaluations = data.evaluations.take().or(local).filter(|_| caching);
        }
        self.thread_data.extend(thread_data);
        self.thread_data.truncate(new.threads);
        self.resources = new;
        Ok(())
    }

    /// Replaces the evaluation; clears everything if it differs.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        if evaluation != self.evaluation {
            self.new_game();
        }
        self.evaluation = evaluation;
    }

    /// Clears tables, histories and caches.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.eval_cache.iter_mut().for_each(EvalCache::clear);
        self.thread_data.iter_mut().for_each(ThreadData::clear);
        self.previous_score = None;
    }

    /// Stores a book move with its book score as an entry of [`Source::Book`] for the next search,
    /// unless the table has the position; returns whether it is stored.
    ///
    /// A missing or decisive score is not stored. The score is a lower bound of depth 0: it may
    /// adjust the static eval, but allows no cutoff at depth 1 or more.
    pub fn prefill(&self, key: u64, mv: Move, score: Option<Score>) -> bool {
        let score = score.filter(|score| !score.is_decisive());
        if self.table.probe(key).is_some() {
            return false;
        }
        let entry = Entry {
            mv: Some(mv),
            score: score.unwrap_or_default(),
            eval: None,
            depth: score.map_or(Entry::DEPTH_UNSEARCHED, |_| 0),
            bound: score.map(|_| Bound::Lower),
            pv: false,
            source: Source::Book,
        };
        self.table.store(key, &entry);
        self.table.probe(key).is_some()
    }

    /// Searches until a limit is reached or `signals` stop it; with `infinite` or `ponder`, not
    /// before stop or ponder hit. Every move of every reported line is legal.
    ///
    /// The main thread runs on the caller's stack, which needs a few megabytes for deep lines.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        settings: &Settings,
        signals: &Signals,
        report: Listener<'_>,
    ) -> SearchResult {
        let result = match rule_result(position, settings, &limits.search_moves) {
            Some(rule_result) => {
                report(&rule_result.1);
                rule_result.0
            }
            None => {
                let result = self.think(position, limits, settings, signals, report);
                // The generation of the next search, and of what is stored for it before.
                self.table.next_generation();
                self.eval_cache.iter_mut().for_each(EvalCache::next_generation);
                result
            }
        };
        signals.wait_for_release(limits);
        result
    }

    fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        settings: &Settings,
        signals: &Signals,
        report: Listener<'_>,
    ) -> SearchResult {
        let tables = (&self.table, self.eval_cache.as_ref());
        let shared = Shared::new(tables, &self.evaluation, settings, limits, signals, self.thread_data.len());
        let mut roots = root_move::root_moves(position, settings, &limits.search_moves);
        if shared.is_short()
            && let Some(at) = self.tt_move(position).and_then(|mv| roots.iter().position(|root| root.mv == mv))
        {
            roots[..=at].rotate_right(1);
        }
        if roots.is_empty() {
            return SearchResult::without_search(BestMove::Mated, Score::mated_in(0));
        }
        let us = position.side_to_move();
        let mut workers = self
            .thread_data
            .iter_mut()
            .enumerate()
            .map(|(index, data)| Worker::new(&shared, index, data, position, roots.clone()))
            .collect::<Vec<_>>();
        let mut main_worker = workers.swap_remove(0);
        let previous_score = self.previous_score.map(|(color, score)| if color == us { score } else { -score });
        main_worker.main = Some(MainThread::new(report, &mut self.mate_solver, previous_score));
        let results = thread::scope(|scope| {
            // A helper thread that fails to start is skipped.
            let helpers: Vec<_> = workers
                .into_iter()
                .filter_map(|mut worker| {
                    let builder = thread::Builder::new().stack_size(DEEP_STACK);
                    let run = move || {
                        worker.deepen();
                        ThreadResult::of(&mut worker)
                    };
                    builder.spawn_scoped(scope, run).inspect_err(|error| log::warn!("one thread less: {error}")).ok()
                })
                .collect();
            // Helpers stop with the main thread, also when it panics.
            let guard = SetOnDrop(&shared.halt);
            main_worker.deepen();
            drop(guard);
            let mut results = vec![ThreadResult::of(&mut main_worker)];
            results.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
            results
        });
        // The main thread may have been starved of processor time and have no line.
        let found_none = results[0].best.last_line().is_none();
        let by_vote = found_none || settings.multi_pv == 1 && !results[0].line().proved;
        let best = if by_vote { threads::best_thread(&results, |mv| main_worker.is_refuted(mv)) } else { 0 };
        if best > 0 {
            // The best thread's line has not been reported.
            main_worker.report_result(&results[best].best);
        }
        let mv = results[best].best.mv;
        let ponder = results[best].line().pv.get(1).copied().or_else(|| self.tt_move(&position.after(mv)));
        self.previous_score = Some((us, results[best].score()));
        SearchResult {
            best: BestMove::Move(mv),
            ponder,
            score: results[best].score(),
            depth: results[best].depth as u32,
            nodes: shared.nodes(),
            statistics: settings.statistics.then(|| Box::new(self.statistics(&results))),
        }
    }

    /// Statistics of all threads.
    fn statistics(&self, results: &[ThreadResult]) -> Statistics {
        let table = TableState { fill: self.table.fill(), bytes: self.table.bytes() };
        let evaluations = self.eval_cache.as_ref();
        let evaluations = evaluations.map(|cache| TableState { fill: cache.fill(), bytes: cache.bytes() });
        let mut counts = TableCounts::default();
        results.iter().filter_map(|result| result.counts.as_deref()).for_each(|other| counts.add(other));
        Statistics { counts, table, evaluations }
    }

    /// The tt move of a position, if legal.
    fn tt_move(&self, position: &Position) -> Option<Move> {
        self.tt_entry(position.key()).and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv))
    }

    /// The tt entry of a position: whether, and how, it was searched. Another position may have the
    /// same tag.
    pub fn tt_entry(&self, key: u64) -> Option<Entry> {
        self.table.probe(key)
    }
}

/// The result by rule alone, with its report. `searchmoves` exclude a declaration, which is no
/// move, and a try by another move.
fn rule_result(position: &Position, settings: &Settings, wanted: &[Move]) -> Option<(SearchResult, Report)> {
    let is_wanted = |declaration: &Declaration| match declaration {
        Declaration::Points => wanted.is_empty(),
        Declaration::Try(mv) => wanted.is_empty() || wanted.contains(mv),
    };
    let (best, score) = match position.declaration(settings.entering_king).filter(is_wanted) {
        Some(Declaration::Points) => (BestMove::Declare, Score::RULE_WIN),
        Some(Declaration::Try(mv)) => (BestMove::Move(mv), Score::RULE_WIN),
        None if !sabi_shogi::has_legal_move(position) => (BestMove::Mated, Score::mated_in(0)),
        None => return None,
    };
    let pv = if let BestMove::Move(mv) = best { vec![mv] } else { Vec::new() };
    let report = Report { proved: true, ..Report::without_search(score, pv) };
    Some((SearchResult::without_search(best, score), report))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn book_entries_until_searched() {
        let mut searcher = Searcher::new(&Resources::new(1, 1)).unwrap();
        let (start, mv) = (Position::startpos(), "1g1f".parse().unwrap());
        let found = |searcher: &Searcher, key| searcher.table.probe(key).map(|e| (e.source, e.mv, e.bound, e.depth));
        assert!(searcher.prefill(start.key(), mv, Some(Score::cp(40))));
        assert_eq!(found(&searcher, start.key()), Some((Source::Book, Some(mv), Some(Bound::Lower), 0)));
        assert!(!searcher.prefill(start.key(), "2g2f".parse().unwrap(), None), "what is known stays");
        for (key, score) in [(1, None), (2, Some(Score::DECISIVE)), (3, Some(Score::mated_in(4)))] {
            assert!(searcher.prefill(key, mv, score));
            assert_eq!(found(&searcher, key), Some((Source::Book, Some(mv), None, Entry::DEPTH_UNSEARCHED)));
        }
        let limits = Limits { depth: Some(4), ..Limits::unlimited(Instant::now()) };
        let outcome = searcher.search(&start, &limits, &Settings::default(), &Signals::default(), &mut |_| ());
        let (source, best, ..) = found(&searcher, start.key()).unwrap();
        assert_eq!((source, BestMove::Move(best.unwrap())), (Source::Main, outcome.best));
        assert!(!searcher.prefill(start.key(), mv, None));
    }

    /// Entries of a search are protected from helper entries of the same generation only.
    #[test]
    fn book_entries_belong_to_next_search() {
        let mut searcher = Searcher::new(&Resources::new(0, 1)).unwrap();
        let limits = Limits { depth: Some(4), ..Limits::unlimited(Instant::now()) };
        searcher.search(&Position::startpos(), &limits, &Settings::default(), &Signals::default(), &mut |_| ());
        for key in 1..=3 {
            assert!(searcher.prefill(key, "1g1f".parse().unwrap(), None));
            assert!(searcher.table.probe(key).is_some_and(|entry| entry.source == Source::Book), "{key}");
        }
    }

    #[test]
    fn any_limit_of_moves_allows_mates_before_it() {
        let mut searcher = Searcher::new(&Resources::new(1, 1)).unwrap();
        let position = Position::from_sfen("4k4/6S2/2G6/9/9/9/9/9/4K4 b 2G 71").unwrap();
        for (max_moves, is_proved) in [(None, true), (Some(u32::MAX), true), (Some(73), true), (Some(72), false)] {
            let settings = Settings { max_moves, ..Settings::default() };
            let mut proved = false;
            let mut report = |report: &Report| proved = report.proved && report.score == Score::mate_in(3);
            let limits = Limits { nodes: Some(3000), ..Limits::unlimited(Instant::now()) };
            searcher.search(&position, &limits, &settings, &Signals::default(), &mut report);
            assert_eq!(proved, is_proved, "{max_moves:?}");
        }
    }
}
