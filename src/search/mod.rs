//! Search.
//!
//! [`Searcher`] owns what persists between searches, its [`Resources`]: the shared tables and the
//! data of each thread. A search is one call with [`Limits`], [`Settings`], [`Signals`] and a
//! report callback. Each thread is a `Worker`: iterative deepening (`deepening`), nodes (`node`,
//! `pruning`), move picker (`movepick`), histories (`history`). The main one has a `MainThread`
//! and a mate probe besides. Margins are pure functions of tunable parameters (`params`).

mod deepening;
mod history;
mod history_updates;
mod limits;
mod mate_probe;
mod movepick;
mod node;
mod params;
mod pruning;
mod report;
mod root_move;
#[cfg(test)]
mod tests;
mod threads;
mod time;
#[cfg(test)]
mod time_tests;
mod worker;

pub use limits::{GameClock, Limits, PonderHit, Settings, Signals, TimeControl, TimeSettings};
pub use params::{TUNABLES, Tunable};
pub use report::{BestMove, HitCounts, LastReports, Report, SearchResult, Statistics, TableCounts, TableState};

use crate::eval::{EvalType, Evaluation};
use crate::machine::{MemoryError, require_memory};
use crate::mate::solver::MateSolver;
use crate::table::{Entry, EvalCache, Policy, Source, TranspositionTable};
use node::Pv;
use report::Listener;
use sabi_shogi::{Bound, Color, Declaration, EnteringKingRule, Move, Position, Score};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use worker::{Shared, ThreadData, Worker};

/// Memory and threads of a search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Transposition table in MiB; 0: a single bucket.
    pub hash_mb: usize,
    /// Its replacement policy.
    pub hash_policy: Policy,
    /// Its second level in MiB; 0: none.
    pub second_mb: usize,
    /// Evaluation cache in MiB; 0: none.
    pub eval_mb: usize,
    /// Its replacement policy.
    pub eval_policy: Policy,
    /// Search threads, at least one.
    pub threads: usize,
}

impl Resources {
    /// A transposition table of this size and threads, the rest at defaults.
    pub fn new(hash_mb: usize, threads: usize) -> Self {
        Self {
            hash_mb,
            hash_policy: Policy::DepthAndAge,
            second_mb: 0,
            eval_mb: 0,
            eval_policy: Policy::DepthPreferred,
            threads,
        }
    }

    /// The level of the table that lacks memory if it grows from `old`. Both levels are one
    /// allocation.
    fn level_that_grows(&self, old: &Self) -> Option<Resource> {
        let megabytes = |resources: &Self| resources.hash_mb.saturating_add(resources.second_mb);
        let level = if self.hash_mb > old.hash_mb { Resource::Table } else { Resource::SecondLevel };
        (megabytes(self) > megabytes(old)).then_some(level)
    }

    fn slot(&mut self, resource: Resource) -> &mut usize {
        match resource {
            Resource::Table => &mut self.hash_mb,
            Resource::SecondLevel => &mut self.second_mb,
            Resource::EvalCache => &mut self.eval_mb,
            Resource::Threads => &mut self.threads,
        }
    }

    /// The amount of a resource, in MiB or threads.
    pub fn amount(mut self, resource: Resource) -> usize {
        *self.slot(resource)
    }

    /// These resources with another amount of one.
    #[must_use]
    pub fn with(mut self, resource: Resource, amount: usize) -> Self {
        *self.slot(resource) = amount;
        self
    }
}

/// A resource that needs memory.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The transposition table.
    Table,
    /// Its second level.
    SecondLevel,
    /// The evaluation cache.
    EvalCache,
    /// The threads with their histories.
    Threads,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Table => "the transposition table",
            Self::SecondLevel => "the second level of the table",
            Self::EvalCache => "the evaluation cache",
            Self::Threads => "the threads",
        })
    }
}

/// Out of memory for a resource.
#[derive(Debug, thiserror::Error)]
#[error("{resource}: {reason}")]
pub struct OutOfMemory {
    /// The resource.
    pub resource: Resource,
    /// The reason.
    pub reason: MemoryError,
}

impl Resource {
    fn out_of_memory(self) -> impl Fn(MemoryError) -> OutOfMemory {
        move |reason| OutOfMemory { resource: self, reason }
    }
}

/// Checks that all that is allocated for `new` fits in memory at the same time, before anything is:
/// overcommitted data would fail only when touched.
fn require_memory_for_growth(old: &Resources, new: &Resources) -> Result<(), OutOfMemory> {
    let mut planned: usize = 0;
    let mut require = |resource: Resource, bytes: usize| {
        require_memory(planned, bytes).map_err(resource.out_of_memory())?;
        planned = planned.saturating_add(bytes);
        Ok(())
    };
    let bytes = |megabytes: usize| megabytes.saturating_mul(1 << 20);
    if let Some(level) = new.level_that_grows(old) {
        require(level, bytes(new.hash_mb))?;
        require(Resource::SecondLevel, bytes(new.second_mb))?;
    }
    if new.eval_mb != old.eval_mb {
        require(Resource::EvalCache, bytes(new.eval_mb))?;
    }
    require(Resource::Threads, new.threads.saturating_sub(old.threads) * ThreadData::BYTES)
}

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
    /// Set for good when the program ends: memory is then no longer touched or cleared.
    cut_short: Arc<AtomicBool>,
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
        Self::until(Arc::default(), resources, evaluation)
    }

    /// The same for a program that may end at any time: once `cut_short` is set, for good, memory is
    /// no longer touched or cleared, which takes seconds.
    pub(crate) fn until(
        cut_short: Arc<AtomicBool>,
        resources: &Resources,
        evaluation: Evaluation,
    ) -> Result<Self, OutOfMemory> {
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
            cut_short,
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
        require_memory_for_growth(&old, &new)?;
        let threads: Result<Vec<_>, _> = (old.threads..new.threads).map(|_| ThreadData::new()).collect();
        // Report all threads, not the one that failed.
        let bytes = new.threads.saturating_sub(old.threads) * ThreadData::BYTES;
        let out_of_memory = |_| Resource::Threads.out_of_memory()(MemoryError::out_of_memory(bytes));
        let threads = threads.map_err(out_of_memory)?;
        let recached = new.eval_mb != old.eval_mb;
        let cache = (recached && new.eval_mb > 0).then(|| EvalCache::new(new.eval_mb)).transpose();
        let cache = cache.map_err(Resource::EvalCache.out_of_memory())?;
        if (new.hash_mb, new.second_mb) != (old.hash_mb, old.second_mb) {
            self.resize_table(&new)?;
        }

        // Infallible from here.
        self.table.set_policy(new.hash_policy);
        if recached {
            self.eval_cache = cache;
            self.eval_cache.iter_mut().for_each(|cache| cache.touch(&self.cut_short));
        }
        self.eval_cache.iter_mut().for_each(|cache| cache.set_policy(new.eval_policy));
        self.thread_data.extend(threads);
        self.thread_data.truncate(new.threads);
        self.resources = new;
        Ok(())
    }

    fn resize_table(&mut self, new: &Resources) -> Result<(), OutOfMemory> {
        let level = new.level_that_grows(&self.resources);
        if level.is_none() {
            // Its entries are lost anyway, and its memory is needed.
            self.table = TranspositionTable::new(0, 0).map_err(Resource::Table.out_of_memory())?;
            (self.resources.hash_mb, self.resources.second_mb) = (0, 0);
        }
        let level = level.unwrap_or(Resource::Table);
        self.table = TranspositionTable::new(new.hash_mb, new.second_mb).map_err(level.out_of_memory())?;
        self.table.touch(&self.cut_short);
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
        self.table.clear(&self.cut_short);
        self.eval_cache.iter_mut().for_each(|cache| cache.clear(&self.cut_short));
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
        if self.table.probe(key, &mut ()).is_some() {
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
        self.table.store(key, &entry, &mut ());
        self.table.probe(key, &mut ()).is_some()
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
        let result = if let Some((result, line)) = rule_result(position, settings, &limits.search_moves) {
            report(&line);
            result
        } else {
            let tables = (&self.table, self.eval_cache.as_ref());
            let shared = Shared::new(tables, &self.evaluation, settings, limits, signals, self.thread_data.len());
            let us = position.side_to_move();
            let previous = self.previous_score.map(|(color, score)| if color == us { score } else { -score });
            let solver = &mut self.mate_solver;
            let result = threads::search(&shared, position, &mut self.thread_data, solver, previous, report);
            if let BestMove::Move(_) = result.best {
                self.previous_score = Some((us, result.score));
            }
            // The generation of the next search, and of what is stored for it before.
            self.table.next_generation();
            self.eval_cache.iter_mut().for_each(EvalCache::next_generation);
            result
        };
        signals.wait_for_release(limits);
        result
    }

    /// The tt entry of a position: whether, and how, it was searched. Another position may have the
    /// same tag.
    pub fn tt_entry(&self, key: u64) -> Option<Entry> {
        self.table.probe(key, &mut ())
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

/// Calls `work` with a quiescence search that keeps no state between positions: from position to
/// score of the side to move.
///
/// # Errors
/// When out of memory.
pub fn with_quiescence<R>(
    evaluation: &Evaluation,
    work: impl FnOnce(&mut dyn FnMut(&Position) -> Score) -> R,
) -> Result<R, OutOfMemory> {
    let mut table = TranspositionTable::new(0, 0).map_err(Resource::Table.out_of_memory())?;
    let mut data = ThreadData::new().map_err(Resource::Threads.out_of_memory())?;
    // Only the evaluation itself, without the entering king bonus.
    let settings = Settings { entering_king: EnteringKingRule::None, ..Settings::default() };
    let (signals, cut_short) = (Signals::default(), AtomicBool::new(false));
    Ok(work(&mut |position| {
        // Even the single bucket could make a score depend on earlier positions.
        table.clear(&cut_short);
        let limits = Limits::unlimited(Instant::now());
        let shared = Shared::new((&table, None), evaluation, &settings, &limits, &signals, 1);
        let mut worker = Worker::new(&shared, 0, &mut data, position, Vec::new());
        worker.quiescence::<Pv>(-Score::INFINITE, Score::INFINITE, 0)
    }))
}

#[cfg(test)]
mod searcher_tests {
    use super::*;

    #[test]
    fn book_entries_until_searched() {
        let mut searcher = Searcher::new(&Resources::new(1, 1)).unwrap();
        let (start, mv) = (Position::startpos(), "1g1f".parse().unwrap());
        let found =
            |searcher: &Searcher, key| searcher.table.probe(key, &mut ()).map(|e| (e.source, e.mv, e.bound, e.depth));
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
            assert!(searcher.table.probe(key, &mut ()).is_some_and(|entry| entry.source == Source::Book), "{key}");
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

    #[test]
    fn quiescence_resolves_captures() {
        let sfens = [
            // No capture; a hanging rook; the same for its owner; a mate in one.
            ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", true),
            ("4k4/9/9/4r4/9/4R4/9/9/4K4 b - 1", false),
            ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", false),
        ];
        let evaluation = Evaluation::embedded(EvalType::HandCrafted);
        let told = with_quiescence(&evaluation, |quiescence| {
            sfens.map(|(sfen, _)| {
                let position = Position::from_sfen(sfen).unwrap();
                let scores = [quiescence(&position), quiescence(&position)];
                assert_eq!(scores[0], scores[1], "it remembers nothing");
                scores[0].get() - evaluation.evaluate(&position)
            })
        });
        for ((sfen, calm), difference) in sfens.iter().zip(told.unwrap()) {
            assert_eq!(difference.abs() < 50, *calm, "{sfen}: {difference}");
        }
    }
}
