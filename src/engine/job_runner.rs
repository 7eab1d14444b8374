//! The engine's thread: owns the searcher and works through the jobs.

use super::current_book::CurrentBook;
use super::evaluation::{CurrentEvaluation, SharedEvaluation};
use super::job::{Control, Job, SearchRequest, Setup, Work};
use super::learning::BookMoveRecorder;
use super::level::IterationLines;
use super::mate_finder::MateFinder;
use super::{Answer, BENCH_DEPTH, InfoMessage, Listener, Options, bench, machine, prefill};
use crate::machine::{DEEP_STACK, trim_heap};
use crate::search::{BestMove, Limits, OutOfMemory, Report, Resource, Resources, Searcher, Settings, Signals};
use sabi_books::shown_score;
use sabi_shogi::{EnteringKingRule, PerftMode, Position, divide, legal_moves};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// Default hash size after an allocation failed: the user did not choose it.
const FALLBACK_HASH_MB: usize = 64;

/// Works through the jobs, on its own thread or, without threads, inside [`JobRunner::catch_up`].
pub struct JobRunner {
    jobs: Receiver<Job>,
    cached: Option<CachedSearcher>,
    /// The last resources that did not fit in memory: retried by a preparation, not by a `go`.
    unavailable: Option<Resources>,
    current_book: CurrentBook,
    evaluation: CurrentEvaluation,
    book_move_recorder: BookMoveRecorder,
    mate_finder: MateFinder,
    listener: Arc<dyn Listener>,
}

/// A searcher and its state.
struct CachedSearcher {
    searcher: Box<Searcher>,
    /// Whether it is cleared.
    fresh: bool,
    /// The rules of the last search.
    rules: Option<Rules>,
}

/// Settings that change the value of positions: scores in the tables and corrections hold only
/// under these.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Rules {
    entering_king: EnteringKingRule,
    max_moves: Option<u32>,
    draw_value: [i32; 2],
}

impl Rules {
    fn of(settings: &Settings) -> Self {
        let &Settings { entering_king, max_moves, draw_value, .. } = settings;
        Self { entering_king, max_moves, draw_value }
    }
}

impl JobRunner {
    pub(super) fn new(jobs: Receiver<Job>, listener: Arc<dyn Listener>, evaluation: Arc<SharedEvaluation>) -> Self {
        Self {
            jobs,
            cached: None,
            unavailable: None,
            current_book: CurrentBook::default(),
            evaluation: CurrentEvaluation::new(evaluation),
            book_move_recorder: BookMoveRecorder::default(),
            mate_finder: MateFinder::default(),
            listener,
        }
    }

    /// Starts the thread. It ends when the sender is dropped.
    pub(super) fn spawn(mut self) -> io::Result<JoinHandle<()>> {
        let serve = move || {
            while let Ok(job) = self.jobs.recv() {
                self.run(&job);
            }
        };
        thread::Builder::new().name("engine".to_owned()).stack_size(DEEP_STACK).spawn(serve)
    }

    /// Works through all queued jobs.
    pub fn catch_up(&mut self) {
        while let Ok(job) = self.jobs.try_recv() {
            self.run(&job);
        }
    }

    /// Runs a job and gives its answer as often as asked for, also after a panic.
    fn run(&mut self, job: &Job) {
        let answer = catch_unwind(AssertUnwindSafe(|| self.work(job)));
        let answer = answer.unwrap_or_else(|cause| {
            // Their state is unknown after a panic: the next job gets new ones.
            self.cached = None;
            self.mate_finder = MateFinder::default();
            self.listener.note(&InfoMessage::crashed(cause.as_ref()));
            fallback_answer(job)
        });
        for _ in 0..=job.control.finish() {
            self.listener.finished(&answer);
        }
    }

    fn work(&mut self, job: &Job) -> Answer {
        let signals = &job.control.signals;
        match &job.work {
            Work::Prepare => {
                self.set_up(&job.setup, true);
                let mb = job.setup.resources.hash_mb;
                if let Some(free_mb) = machine::reduced_default(mb) {
                    self.listener.note(&InfoMessage::ReducedHash { mb, free_mb });
                }
                Answer::Ready
            }
            Work::Clear => {
                self.clear();
                Answer::Cleared
            }
            Work::Learn { outcome, .. } => {
                if let Some(note) = self.book_move_recorder.game_over(*outcome, &job.position) {
                    self.listener.note(&note);
                }
                Answer::GameOver
            }
            Work::Search(request) => {
                self.set_up(&job.setup, false);
                let book_answer = self.book_answer(job, request);
                if book_answer.is_some() {
                    // While pondering, a book move waits for the ponder hit.
                    signals.wait_for_release(&request.limits);
                }
                self.record_book_move(job, request, book_answer.as_ref());
                book_answer.unwrap_or_else(|| self.run_search(job, request))
            }
            Work::Answer(answer, limits) => {
                signals.wait_for_release(limits);
                answer.clone()
            }
            Work::Mate(task) => self.mate_finder.find(&job.position, task, signals, self.listener.as_ref()),
            Work::Perft(depth) => {
                let mut position = job.position.clone();
                let mut each = |mv, leaves| self.listener.perft_move(mv, leaves);
                Answer::Perft(divide(&mut position, *depth, PerftMode::List, &|| signals.poll(), &mut each))
            }
            Work::Bench(options) => self.bench(options, signals),
        }
    }

    fn bench(&self, options: &Options, signals: &Signals) -> Answer {
        let mut each = |sfen: &str, result| {
            // No note after a stop.
            if !signals.is_stopped() {
                self.listener.bench_position(sfen, result);
            }
        };
        match bench(BENCH_DEPTH, options, signals, &mut each) {
            _ if signals.is_stopped() => Answer::Bench(None),
            Ok((total, statistics)) => {
                if let Some(statistics) = statistics {
                    self.listener.statistics(&statistics);
                }
                Answer::Bench(Some(total))
            }
            Err(error) => {
                self.listener.note(&InfoMessage::BenchFailed(error.to_string()));
                Answer::Bench(None)
            }
        }
    }

    /// Sets up book, evaluation, tables and threads as far as files and memory allow.
    fn set_up(&mut self, wanted: &Setup, reload: bool) {
        if let Some(note) = self.current_book.set_up(&wanted.book, reload) {
            self.listener.note(&note);
        }
        if let Some(note) = self.evaluation.set_up(&wanted.eval, reload) {
            self.listener.note(&note);
        }
        if let Some(cached) = &mut self.cached {
            cached.searcher.set_evaluation(self.evaluation.in_use());
        }
        if reload || self.cached.is_none() || self.unavailable != Some(wanted.resources) {
            self.allocate(wanted.resources);
        }
        if wanted.new_game {
            self.clear();
            self.book_move_recorder.clear();
        }
    }

    fn clear(&mut self) {
        if let Some(cached) = self.cached.as_mut().filter(|cached| !cached.fresh) {
            cached.searcher.new_game();
            cached.fresh = true;
        }
    }

    /// Retries with less of each resource that does not fit in memory, and reports each once.
    fn allocate(&mut self, wanted: Resources) {
        let mut target = wanted;
        let mut shortages: Vec<OutOfMemory> = Vec::new();
        while let Err(out_of_memory) = self.try_allocate(&target) {
            let resource = out_of_memory.resource;
            if shortages.iter().all(|earlier| earlier.resource != resource) {
                shortages.push(out_of_memory);
            }
            let Some(amount) = self.fallback_amount(resource, target.amount(resource)) else {
                break;
            };
            target = target.with(resource, amount);
        }
        self.unavailable = (!shortages.is_empty()).then_some(wanted);
        let had = self.cached.as_ref().map(|cached| *cached.searcher.resources());
        for OutOfMemory { resource, reason } in shortages {
            let kept = had.map_or(0, |had| had.amount(resource));
            self.listener.note(&InfoMessage::OutOfMemory { resource, reason: reason.to_string(), kept });
        }
    }

    fn try_allocate(&mut self, resources: &Resources) -> Result<(), OutOfMemory> {
        // The untouched memory of the mate table still counts as available. The next mate search
        // allocates it again, if it then fits.
        if self.cached.as_ref().is_none_or(|cached| cached.searcher.resources() != resources) {
            self.mate_finder = MateFinder::default();
        }
        match &mut self.cached {
            Some(cached) => {
                let before = cached.searcher.resources().amount(Resource::Threads);
                cached.searcher.configure(resources)?;
                if resources.amount(Resource::Threads) < before {
                    trim_heap();
                }
            }
            None => {
                let searcher = Searcher::with_evaluation(resources, self.evaluation.in_use())?;
                self.cached = Some(CachedSearcher { searcher: Box::new(searcher), fresh: true, rules: None });
            }
        }
        log::debug!("allocated {resources:?}");
        Ok(())
    }

    /// The amount to retry after `failed`: the current one, or else a small one; `None` if that is
    /// what failed.
    fn fallback_amount(&self, resource: Resource, failed: usize) -> Option<usize> {
        let current = self.cached.as_ref().map_or(0, |cached| cached.searcher.resources().amount(resource));
        let fallback = match resource {
            Resource::Table if current == 0 => (failed / 2).min(FALLBACK_HASH_MB),
            Resource::Threads => current.max(1),
            _ => current,
        };
        (fallback != failed).then_some(fallback)
    }

    /// The book's answer, if there is one. Not for analysis. All candidates are reported,
    /// independent of MultiPV.
    fn book_answer(&mut self, job: &Job, request: &SearchRequest) -> Option<Answer> {
        let limits = &request.limits;
        if limits.infinite || !limits.search_moves.is_empty() {
            return None;
        }
        let go_on = book_clock(job, limits, &request.settings, 1);
        let mut note = |note: &InfoMessage| self.listener.note(note);
        let candidates = self.current_book.probe(&job.position, &job.setup.book, go_on, &mut note)?;
        for (place, (entry, line)) in candidates.iter().enumerate() {
            self.listener.note(&InfoMessage::BookMove(entry.clone()));
            let pv: Vec<_> = line.iter().copied().take(job.setup.book.line_plies).collect();
            let (seldepth, multi_pv, time) = (pv.len() as u32, place + 1, limits.start.elapsed());
            let score = shown_score(entry).unwrap_or_default();
            self.listener.report(&Report { seldepth, multi_pv, time, ..Report::without_search(score, pv) });
        }
        let line = candidates.first().map(|(_, line)| line)?;
        Some(Answer::Best { best: *line.first()?, ponder: line.get(1).copied() })
    }

    /// Records a book move for learning. Analysis, and pondering without a ponder hit in the book,
    /// do not count.
    fn record_book_move(&mut self, job: &Job, request: &SearchRequest, book_answer: Option<&Answer>) {
        let pondered =
            request.limits.ponder && (book_answer.is_none() || job.control.signals.received_ponder_hit().is_none());
        if !job.setup.book.learning || request.limits.infinite || pondered {
            return;
        }
        let book_move = match book_answer {
            Some(Answer::Best { best, .. }) => Some((self.current_book.path(), *best)),
            _ => None,
        };
        self.book_move_recorder.record(&job.position, book_move);
    }

    fn run_search(&mut self, job: &Job, request: &SearchRequest) -> Answer {
        let SearchRequest { limits, settings, level, resign, earlier } = request;
        let mut limits = limits.clone();
        let Control { signals, earlier: earlier_signals, .. } = job.control.as_ref();
        let rules = Rules::of(settings);
        if self.cached.as_ref().and_then(|cached| cached.rules).is_some_and(|last| last != rules) {
            self.clear();
        }
        let Some(cached) = &mut self.cached else {
            return fallback_answer(job);
        };
        (cached.fresh, cached.rules) = (false, Some(rules));
        if let Some(note) = InfoMessage::entering_king(&job.position, settings.entering_king) {
            self.listener.note(&note);
        }
        if let Some(earlier) = earlier {
            let Limits { start, depth, nodes, .. } = limits;
            let open = Limits { infinite: true, depth, nodes, ..Limits::unlimited(start) };
            // The lines of a level are those of the position to be played in.
            let mut report = |report: &Report| {
                if level.is_none() {
                    self.listener.report(report);
                }
            };
            // Its root is the opponent's: a draw is worth what it is to this side.
            let mut settings = settings.clone();
            let us = job.position.side_to_move();
            settings.draw_value[!us] = -settings.draw_value[us];
            cached.searcher.search(earlier, &open, &settings, earlier_signals, &mut report);
            // Pondering on another position takes no time from this search.
            limits.start = signals.received_ponder_hit().map_or(limits.start, |hit| hit.at);
        }
        let (book, options) = (&self.current_book, &job.setup.book);
        if options.prefill {
            let go_on = book_clock(job, &limits, settings, prefill::TIME_SHARE);
            let lookup = |next: &Position| book.all_candidates(next, options);
            let stored = prefill::prefill(&cached.searcher, &job.position, lookup, go_on);
            if stored > 0 {
                self.listener.note(&InfoMessage::BookPrefilled(stored));
            }
        }
        let mut lines = IterationLines::default();
        let mut report = |report: &Report| match level {
            None => self.listener.report(report),
            Some(_) => lines.add(report),
        };
        log::debug!("searching {} with {limits:?}", job.position.sfen());
        let outcome = cached.searcher.search(&job.position, &limits, settings, signals, &mut report);
        log::debug!("found {outcome:?} after {:?}", limits.start.elapsed());
        if let Some(statistics) = &outcome.statistics {
            self.listener.statistics(statistics);
        }
        let (mut best, mut ponder, mut score) = match outcome.best {
            BestMove::Declare => return Answer::Declare,
            BestMove::Mated => return Answer::Resign,
            BestMove::Move(best) => (best, outcome.ponder, outcome.score),
        };
        if let Some(level) = *level
            && let Some(line) = level.chosen(
                &job.position,
                settings,
                &limits.search_moves,
                lines,
                self.current_book.random(job.setup.book.seed),
            )
            && let Some(&mv) = line.pv.first()
        {
            self.listener.note(&InfoMessage::Level(level.number()));
            self.listener.report(&line);
            (best, ponder, score) = (mv, line.pv.get(1).copied(), line.score);
        }
        if resign.is_some_and(|cp| score.get() <= -cp) { Answer::Resign } else { Answer::Best { best, ponder } }
    }
}

/// Whether the book may take more time, from now on: not after a stop, nor, where the time is
/// limited, beyond one `share`-th of the optimum time.
fn book_clock<'a>(job: &'a Job, limits: &'a Limits, settings: &'a Settings, share: u32) -> impl Fn() -> bool + use<'a> {
    let (start, signals) = (Instant::now(), &job.control.signals);
    move || {
        let optimum = limits.optimum(&job.position, &settings.time, signals.received_ponder_hit());
        !signals.poll() && prefill::is_in_time(start.elapsed(), optimum, share)
    }
}

/// The answer of a failed job, not before the request allows.
fn fallback_answer(job: &Job) -> Answer {
    match &job.work {
        Work::Prepare => Answer::Ready,
        Work::Clear => Answer::Cleared,
        Work::Learn { .. } => Answer::GameOver,
        Work::Search(request) => {
            job.control.signals.wait_for_release(&request.limits);
            any_move(&job.position)
        }
        Work::Answer(answer, _) => answer.clone(),
        Work::Mate(_) => Answer::MateUnknown,
        Work::Perft(_) => Answer::Perft(None),
        Work::Bench(_) => Answer::Bench(None),
    }
}

/// The best answer without a search.
fn any_move(position: &Position) -> Answer {
    match legal_moves(position).first() {
        Some(&best) => Answer::Best { best, ponder: None },
        None => Answer::Resign,
    }
}
