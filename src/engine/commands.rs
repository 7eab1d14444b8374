//! The engine: its commands, and the thread that works through its jobs.

use super::book::CurrentBook;
use super::evaluation::CurrentEvaluation;
use super::job::{Control, Job};
use super::level::IterationLines;
use super::mate::MateFinder;
use super::option_values::reduced_default;
use super::{Answer, BENCH_DEPTH, BENCH_HASH_MB, EngineListener, GameOutcome, InfoMessage, Options, PendingWrites};
use super::{Task, bench};
use crate::eval::Evaluation;
use crate::machine::{DEEP_STACK, trim_heap};
use crate::search::{BestMove, Limits, OutOfMemory, PonderHit, Report, Resource, Resources, Searcher, Settings};
use sabi_shogi::{EnteringKingRule, Move, PerftMode, Position, divide, legal_moves};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

/// A shogi engine: receives commands, works on its own thread (if there are threads), and reports
/// to an [`EngineListener`].
///
/// No call blocks on the thread. A new job stops the running one, and every job gets its own
/// answer, in order.
pub struct Engine {
    listener: Arc<dyn EngineListener>,
    options: Options,
    /// The position of the next job.
    pub position: Position,
    jobs: Sender<Job>,
    thread: Option<JoinHandle<()>>,
    pending_writes: PendingWrites,
    evaluation: Arc<CurrentEvaluation>,
    /// The last job. Earlier ones are stopped.
    last: Option<Arc<Control>>,
    /// The last preparation.
    preparing: Option<Arc<Control>>,
    /// Whether the histories and tables are from another game.
    new_game: bool,
    cut_short: Arc<AtomicBool>,
}

impl Engine {
    /// An engine before any setup, which is left to the first [`Engine::prepare`] or search.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn new(listener: Arc<dyn EngineListener>) -> io::Result<Self> {
        let (mut engine, mut runner) = Self::without_thread(listener);
        let serve = move || {
            while let Ok(job) = runner.jobs.recv() {
                runner.run(&job);
            }
        };
        engine.thread = Some(thread::Builder::new().name("engine".to_owned()).stack_size(DEEP_STACK).spawn(serve)?);
        Ok(engine)
    }

    /// An engine without a thread: jobs run only inside [`JobRunner::catch_up`]. Commands are
    /// accepted meanwhile.
    pub fn without_thread(listener: Arc<dyn EngineListener>) -> (Self, JobRunner) {
        let (sender, jobs) = mpsc::channel();
        let (evaluation, cut_short) = (Arc::<CurrentEvaluation>::default(), Arc::<AtomicBool>::default());
        let runner = JobRunner {
            jobs,
            cached: None,
            unavailable: None,
            book: CurrentBook::default(),
            evaluation: Arc::clone(&evaluation),
            mate_finder: MateFinder::default(),
            listener: Arc::clone(&listener),
            cut_short: Arc::clone(&cut_short),
        };
        let engine = Self {
            listener,
            options: Options::default(),
            position: Position::startpos(),
            jobs: sender,
            thread: None,
            pending_writes: PendingWrites::default(),
            evaluation,
            last: None,
            preparing: None,
            new_game: false,
            cut_short,
        };
        (engine, runner)
    }

    /// The current options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets all options, for the next job. If Clear_Hash was pressed, everything is cleared as soon
    /// as no job runs.
    pub fn set_options(&mut self, options: Options) {
        let pressed = options.clear_hash_count != self.options.clear_hash_count;
        self.options = options;
        if pressed {
            self.start(Task::Clear);
        }
    }

    /// The current evaluation. New options take effect at the next preparation or search.
    pub fn evaluation(&self) -> Evaluation {
        self.evaluation.get()
    }

    /// Starts a new game: everything is cleared before the next search.
    pub fn new_game(&mut self) {
        self.new_game = true;
    }

    /// Ends the game: stops the running job and, if book learning is on and the outcome known,
    /// appends the game to the learning file. Clearing the tables takes time, so it is left to the
    /// next preparation.
    pub fn game_over(&mut self, outcome: Option<GameOutcome>) {
        self.stop();
        // Nothing was played in a game that was only announced.
        let was_played = self.options.book.learning && !self.new_game;
        if let Some(outcome) = outcome.filter(|_| was_played) {
            self.start(Task::GameOver(outcome));
        }
        self.new_game = true;
    }

    /// Sets up for a search and answers [`Answer::Ready`], after all earlier answers.
    ///
    /// A search that was not stopped keeps running, and the answer comes at once, or with that of a
    /// preparation before the search: changed options are set up for the next one.
    pub fn prepare(&mut self) {
        let is_preparation = |last| self.preparing.as_ref().is_some_and(|preparing| Arc::ptr_eq(preparing, last));
        if !self.last.as_ref().is_some_and(|last| last.is_running() && !is_preparation(last)) {
            self.start(Task::Prepare);
        } else if !self.preparing.as_ref().is_some_and(|control| control.ask_again()) {
            self.listener.finished(&Answer::Ready);
        }
    }

    /// Whether the answer to [`Engine::prepare`] is pending.
    pub fn is_preparing(&self) -> bool {
        self.preparing.as_ref().is_some_and(|control| !control.is_finished())
    }

    /// Starts a task at the current position, with the current options, as a job of the thread. The
    /// running job is stopped, except by [`Task::Clear`].
    pub fn start(&mut self, task: Task) {
        let control = Arc::new(Control::new(&task));
        if !matches!(task, Task::Clear) {
            self.stop();
        }
        if matches!(task, Task::Prepare) {
            self.preparing = Some(Arc::clone(&control));
        }
        // These two are short, and run to their end.
        if !matches!(task, Task::Clear | Task::GameOver(_)) {
            self.last = Some(Arc::clone(&control));
        }
        // Only these two consume the flag.
        let new_game = matches!(task, Task::Prepare | Task::Search(_)) && std::mem::take(&mut self.new_game);
        let _pending_write = matches!(task, Task::GameOver(_)).then(|| self.pending_writes.add());
        let (options, position) = (self.options.clone(), self.position.clone());
        // The thread outlives the channel: it catches every panic.
        let _ = self.jobs.send(Job { task, options, position, new_game, control, _pending_write });
    }

    /// The ponder move was played; false when no search is pondering.
    pub fn ponder_hit(&mut self, hit: PonderHit) -> bool {
        self.last.as_ref().is_some_and(|last| last.ponder_hit(hit))
    }

    /// Stops the running job, which then answers.
    pub fn stop(&self) {
        if let Some(last) = &self.last {
            last.stop();
        }
    }

    /// Pending file writes, lost if the process exits before.
    pub fn pending_writes(&self) -> PendingWrites {
        self.pending_writes.clone()
    }

    /// To be set when the program is about to end, so that the answers that are due come soon: large
    /// memory is then no longer touched or cleared.
    pub fn cut_short(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cut_short)
    }

    /// Stops everything and joins the thread.
    pub fn shut_down(self) {
        self.stop();
        drop(self.jobs);
        // The thread catches every panic.
        let _ = self.thread.map(JoinHandle::join);
    }
}

/// An engine for programs that wait for each answer and want nothing but the move.
///
/// ```
/// use sabi::engine::{BlockingEngine, Options};
/// use sabi::search::{Limits, Resources};
/// use sabi_shogi::Position;
///
/// let mut engine = BlockingEngine::new()?;
/// engine.engine().set_options(Options { resources: Resources::new(16, 1), ..Options::default() });
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
/// assert_eq!(engine.best_move(&position, Limits::nodes(10_000)), Some("G*5b".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BlockingEngine {
    engine: Engine,
    answers: Receiver<Answer>,
}

/// Passes on answers only.
struct AnswerListener(Sender<Answer>);

impl EngineListener for AnswerListener {
    fn report(&self, _report: &Report) {}

    fn note(&self, _note: &InfoMessage) {}

    fn finished(&self, answer: &Answer) {
        // After the end nobody listens.
        let _ = self.0.send(answer.clone());
    }
}

impl BlockingEngine {
    /// An engine with the default options: book, network, and a table of up to 1 GB.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn new() -> io::Result<Self> {
        let (sender, answers) = mpsc::channel();
        Ok(Self { engine: Engine::new(Arc::new(AnswerListener(sender)))?, answers })
    }

    /// The engine, for its options and a new game. It must be given no task.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Searches and waits for the move; `None` if there is no legal one, or the side to move may
    /// declare a win. The search must have a limit: nothing else ends it.
    pub fn best_move(&mut self, position: &Position, limits: Limits) -> Option<Move> {
        self.engine.position = position.clone();
        self.engine.start(Task::Search(limits));
        let mut answers = self.answers.iter().skip_while(|answer| matches!(answer, Answer::Cleared));
        match answers.next() {
            Some(Answer::Best { best, .. }) => Some(best),
            _ => None,
        }
    }
}

/// Default hash size after an allocation failed: the user did not choose it.
const FALLBACK_HASH_MB: usize = 64;

/// Works through the jobs, on its own thread or, without threads, inside [`JobRunner::catch_up`].
pub struct JobRunner {
    jobs: Receiver<Job>,
    cached: Option<CachedSearcher>,
    /// The last resources that did not fit in memory: retried by a preparation, not by a `go`.
    unavailable: Option<Resources>,
    book: CurrentBook,
    evaluation: Arc<CurrentEvaluation>,
    mate_finder: MateFinder,
    listener: Arc<dyn EngineListener>,
    cut_short: Arc<AtomicBool>,
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
type Rules = (EnteringKingRule, Option<u32>, [i32; 2]);

fn rules_of(settings: &Settings) -> Rules {
    (settings.entering_king, settings.max_moves, settings.draw_value)
}

impl JobRunner {
    /// Works through all queued jobs.
    pub fn catch_up(&mut self) {
        while let Ok(job) = self.jobs.try_recv() {
            self.run(&job);
        }
    }

    /// Runs a job and gives its answer as often as asked for, also after a panic.
    fn run(&mut self, job: &Job) {
        let signals = &job.control.signals;
        let answer = catch_unwind(AssertUnwindSafe(|| match &job.task {
            Task::Search(limits) => self.search(job, limits),
            Task::Prepare => {
                self.set_up(job, true);
                let mb = job.options.resources.hash_mb;
                if let Some(free_mb) = reduced_default(mb) {
                    self.listener.note(&InfoMessage::ReducedHash { mb, free_mb });
                }
                Answer::Ready
            }
            Task::Clear => {
                self.clear();
                Answer::Cleared
            }
            Task::GameOver(outcome) => {
                if let Some(note) = self.book.game_over(*outcome, &job.position) {
                    self.listener.note(&note);
                }
                Answer::GameOver
            }
            Task::Answer(answer, limits) => {
                signals.wait_for_release(limits);
                answer.clone()
            }
            Task::Mate { limits, number } => self.mate_finder.find(job, limits, *number, self.listener.as_ref()),
            Task::Perft(depth) => {
                let mut position = job.position.clone();
                let mut each = |mv, leaves| self.listener.perft_move(mv, leaves);
                Answer::Perft(divide(&mut position, *depth, PerftMode::List, &|| signals.poll(), &mut each))
            }
            Task::Bench => self.bench(job),
        }));
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

    /// Searches the position of a job, unless the book has it.
    fn search(&mut self, job: &Job, limits: &Limits) -> Answer {
        self.set_up(job, false);
        let Job { options, position, control, .. } = job;
        let (mut limits, mut settings) = (options.limit(limits.clone()), options.search.clone());
        // Levels do not apply to analysis.
        let level = options.level.filter(|_| !limits.infinite);
        if let Some(level) = level {
            level.weaken(&mut limits, &mut settings);
        }
        if let Some(answer) = self.book.answer(job, &limits, &settings, self.listener.as_ref()) {
            return answer;
        }
        let rules = rules_of(&settings);
        if self.cached.as_ref().and_then(|cached| cached.rules).is_some_and(|last| last != rules) {
            self.clear();
        }
        let Some(cached) = &mut self.cached else { return fallback_answer(job) };
        (cached.fresh, cached.rules) = (false, Some(rules));
        if let Some(note) = InfoMessage::entering_king(position, settings.entering_king) {
            self.listener.note(&note);
        }
        if options.stochastic_ponder && limits.is_pondering() && position.plies_played() > 0 {
            // The lines of a level are those of the position to be played in.
            let shown = level.is_none().then_some(self.listener.as_ref());
            ponder_before(&mut cached.searcher, job, &limits, &settings, shown);
            // Pondering on another position takes no time from this search.
            limits.start = control.signals.received_ponder_hit().map_or(limits.start, |hit| hit.at);
        }
        if options.book.prefill {
            let stored = self.book.prefill(job, &limits, &settings, &cached.searcher);
            if stored > 0 {
                self.listener.note(&InfoMessage::BookPrefilled(stored));
            }
        }
        let mut lines = IterationLines::default();
        let mut report = |report: &Report| match level {
            None => self.listener.report(report),
            Some(_) => lines.add(report),
        };
        log::debug!("searching {} with {limits:?}", position.sfen());
        let result = cached.searcher.search(position, &limits, &settings, &control.signals, &mut report);
        log::debug!("found {result:?} after {:?}", limits.start.elapsed());
        if let Some(statistics) = &result.statistics {
            self.listener.statistics(statistics);
        }
        let (mut best, mut ponder, mut score) = match result.best {
            BestMove::Declare => return Answer::Declare,
            BestMove::Mated => return Answer::Resign,
            BestMove::Move(best) => (best, result.ponder, result.score),
        };
        if let Some(level) = level
            && let random = self.book.random(options.book.seed)
            && let Some(line) = level.chosen(position, &settings, &limits.search_moves, lines, random)
            && let Some(&mv) = line.pv.first()
        {
            self.listener.note(&InfoMessage::Level(level.number()));
            self.listener.report(&line);
            (best, ponder, score) = (mv, line.pv.get(1).copied(), line.score);
        }
        if options.resign.is_some_and(|cp| score.get() <= -cp) { Answer::Resign } else { Answer::Best { best, ponder } }
    }

    fn bench(&self, job: &Job) -> Answer {
        let signals = &job.control.signals;
        // The signature depends on search and evaluation only.
        let options = Options {
            resources: Resources::new(BENCH_HASH_MB, 1),
            eval: job.options.eval.clone(),
            search: Settings { statistics: job.options.search.statistics, ..Settings::default() },
            ..Options::default()
        };
        let mut each = |sfen: &str, result| {
            // No note after a stop.
            if !signals.is_stopped() {
                self.listener.bench_position(sfen, result);
            }
        };
        match bench(BENCH_DEPTH, &options, signals, &mut each) {
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
    fn set_up(&mut self, job: &Job, reload: bool) {
        let Options { resources, book, eval, .. } = &job.options;
        if let Some(note) = self.book.set_up(book, reload) {
            self.listener.note(&note);
        }
        if let Some(note) = self.evaluation.set_up(eval, reload) {
            self.listener.note(&note);
        }
        if let Some(cached) = &mut self.cached {
            cached.searcher.set_evaluation(self.evaluation.get());
        }
        if reload || self.cached.is_none() || self.unavailable != Some(*resources) {
            self.allocate(*resources);
        }
        if job.new_game {
            self.clear();
            self.book.new_game();
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
            let Some(amount) = self.fallback_amount(resource, target.amount(resource)) else { break };
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
                let searcher = Searcher::until(Arc::clone(&self.cut_short), resources, self.evaluation.get())?;
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
}

/// Ponders on the position before the one to be played in, until ponder hit or stop: on all moves of
/// the opponent.
fn ponder_before(
    searcher: &mut Searcher,
    job: &Job,
    limits: &Limits,
    settings: &Settings,
    listener: Option<&dyn EngineListener>,
) {
    let mut before = job.position.clone();
    before.undo();
    let &Limits { start, depth, nodes, .. } = limits;
    let open = Limits { infinite: true, depth, nodes, ..Limits::unlimited(start) };
    // The opponent moves first: a draw is worth what it is to this side.
    let mut settings = settings.clone();
    let us = job.position.side_to_move();
    settings.draw_value[!us] = -settings.draw_value[us];
    let mut report = |report: &Report| listener.into_iter().for_each(|listener| listener.report(report));
    searcher.search(&before, &open, &settings, &job.control.earlier, &mut report);
}

/// The answer of a failed job, not before the request allows.
fn fallback_answer(job: &Job) -> Answer {
    match &job.task {
        Task::Prepare => Answer::Ready,
        Task::Clear => Answer::Cleared,
        Task::GameOver(_) => Answer::GameOver,
        Task::Search(limits) => {
            job.control.signals.wait_for_release(limits);
            match legal_moves(&job.position).first() {
                Some(&best) => Answer::Best { best, ponder: None },
                None => Answer::Resign,
            }
        }
        Task::Answer(answer, _) => answer.clone(),
        Task::Mate { .. } => Answer::MateUnknown,
        Task::Perft(_) => Answer::Perft(None),
        Task::Bench => Answer::Bench(None),
    }
}
