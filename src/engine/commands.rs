//! Engine commands.

use super::evaluation::SharedEvaluation;
use super::job::{Control, Job, MateRequest, MateTask, PendingWrites, SearchRequest, Setup, Work};
use super::options::least;
use super::{Answer, JobRunner, Listener, MateOptions, MateUnit, Options, Outcome, bench};
use crate::eval::Evaluation;
use crate::mate::solver::MateQuestion;
use crate::search::{Limits, PonderHit, Resources, Settings};
use sabi_shogi::Position;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// A shogi engine: receives commands, works on its own thread (if there are threads), and reports
/// to a [`Listener`].
///
/// No call blocks on the thread. A new job stops the running one, and every job gets its own
/// answer, in order.
pub struct Engine {
    listener: Arc<dyn Listener>,
    options: Options,
    position: Position,
    jobs: Sender<Job>,
    thread: Option<JoinHandle<()>>,
    pending_writes: PendingWrites,
    evaluation: Arc<SharedEvaluation>,
    /// The last job. Earlier ones are stopped.
    last: Option<Last>,
    /// The last preparation.
    preparing: Option<Arc<Control>>,
    /// Whether the histories and tables are from another game.
    new_game: bool,
}

struct Last {
    control: Arc<Control>,
    pondering: bool,
    preparing: bool,
}

/// No search is pondering.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine is not pondering")]
pub struct NotPondering;

impl Engine {
    /// An engine before any setup, which is left to the first [`Engine::prepare`] or
    /// [`Engine::search`].
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn new(listener: Arc<dyn Listener>) -> io::Result<Self> {
        let (mut engine, runner) = Self::without_thread(listener);
        engine.thread = Some(runner.spawn()?);
        Ok(engine)
    }

    /// An engine without a thread: jobs run only inside [`JobRunner::catch_up`]. Commands are
    /// accepted meanwhile.
    pub fn without_thread(listener: Arc<dyn Listener>) -> (Self, JobRunner) {
        let (jobs, receiver) = mpsc::channel();
        let evaluation = Arc::<SharedEvaluation>::default();
        let runner = JobRunner::new(receiver, Arc::clone(&listener), Arc::clone(&evaluation));
        let engine = Self {
            listener,
            options: Options::default(),
            position: Position::startpos(),
            jobs,
            thread: None,
            pending_writes: PendingWrites::default(),
            evaluation,
            last: None,
            preparing: None,
            new_game: false,
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
            self.queue(Work::Clear, Arc::default(), false);
        }
    }

    /// The current evaluation. New options take effect at the next preparation or search.
    pub fn evaluation(&self) -> Evaluation {
        self.evaluation.get()
    }

    /// The position of the next job.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets the position of the next job.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// Starts a new game: everything is cleared before the next search.
    pub fn new_game(&mut self) {
        self.new_game = true;
    }

    /// Ends the game: stops the running job and, if book learning is on and the outcome known,
    /// appends the game to the learning file. Clearing the tables takes time, so it is left to the
    /// next preparation.
    pub fn game_over(&mut self, outcome: Option<Outcome>) {
        self.stop();
        // Nothing was played in a game that was only announced.
        let was_played = self.options.book.learning && !self.new_game;
        if let Some(outcome) = outcome.filter(|_| was_played) {
            self.queue(Work::Learn { outcome, _pending_write: self.pending_writes.add() }, Arc::default(), false);
        }
        self.new_game = true;
    }

    /// Sets up for a search and answers [`Answer::Ready`], after all earlier answers.
    ///
    /// A search that was not stopped keeps running, and the answer comes at once, or with that of a
    /// preparation before the search: changed options are set up for the next one.
    pub fn prepare(&mut self) {
        let searching = |last: &Last| !last.preparing && last.control.is_running();
        if !self.last.as_ref().is_some_and(searching) {
            self.start(Work::Prepare, false);
        } else if !self.preparing.as_ref().is_some_and(|control| control.ask_again()) {
            self.listener.finished(&Answer::Ready);
        }
    }

    /// Whether the answer to [`Engine::prepare`] is pending.
    pub fn is_preparing(&self) -> bool {
        self.preparing.as_ref().is_some_and(|control| !control.is_finished())
    }

    /// Searches the current position.
    pub fn search(&mut self, limits: Limits) {
        let pondering = limits.is_pondering();
        let request = self.search_request(limits);
        self.start(Work::Search(Box::new(request)), pondering);
    }

    /// Gives `answer` to an impossible request, not before a search with these limits could.
    pub fn answer_without_search(&mut self, answer: Answer, limits: Limits) {
        let pondering = limits.is_pondering();
        self.start(Work::Answer(answer, limits), pondering);
    }

    fn search_request(&self, limits: Limits) -> SearchRequest {
        let options = &self.options;
        let mut limits = options.limit(limits);
        let step_back = options.stochastic_ponder && limits.is_pondering() && self.position.plies_played() > 0;
        let earlier = step_back.then(|| {
            let mut earlier = self.position.clone();
            earlier.undo();
            earlier
        });
        let mut settings = options.search.clone();
        // Levels do not apply to analysis.
        let level = options.level.filter(|_| !limits.infinite);
        if let Some(level) = level {
            level.weaken(&mut limits, &mut settings);
        }
        SearchRequest { limits, settings, level, resign: options.resign, earlier }
    }

    /// Searches for a mate by checks. In problems, where the attacker has no king, useless
    /// interpositions do not count.
    pub fn mate(&mut self, request: MateRequest) {
        let MateOptions { unit, shortest, hash_mb } = self.options.mate;
        let about = MateQuestion::about(&self.position);
        let mut question = MateQuestion { nodes: request.nodes, plies: request.plies, shortest, ..about };
        let ms = match unit {
            MateUnit::Milliseconds => least(request.ms, request.limit),
            MateUnit::Plies => {
                question.plies = least(question.plies, request.limit.and_then(|plies| u32::try_from(plies).ok()));
                request.ms
            }
        };
        // A deadline beyond the range of the clock is no limit.
        let deadline = ms.and_then(|ms| request.start.checked_add(Duration::from_millis(ms)));
        self.start(Work::Mate(MateTask { question, start: request.start, deadline, hash_mb }), false);
    }

    /// Perft of the current position.
    pub fn perft(&mut self, depth: u32) {
        self.start(Work::Perft(depth), false);
    }

    /// Bench at the default depth with separate tables and default options: the signature depends
    /// on search and evaluation only.
    pub fn bench(&mut self) {
        let options = Options {
            resources: Resources::new(bench::HASH_MB, 1),
            eval: self.options.eval.clone(),
            search: Settings { statistics: self.options.search.statistics, ..Settings::default() },
            ..Options::default()
        };
        self.start(Work::Bench(Box::new(options)), false);
    }

    /// The ponder move was played.
    ///
    /// # Errors
    /// When no search is pondering.
    pub fn ponder_hit(&mut self, hit: PonderHit) -> Result<(), NotPondering> {
        let last = self.last.as_mut().filter(|last| last.pondering && last.control.is_running()).ok_or(NotPondering)?;
        last.pondering = false;
        last.control.ponder_hit(hit);
        Ok(())
    }

    /// Stops the running job, which then answers.
    pub fn stop(&self) {
        if let Some(last) = &self.last {
            last.control.stop();
        }
    }

    fn start(&mut self, work: Work, pondering: bool) {
        self.stop();
        let control = Arc::new(Control::default());
        let preparing = matches!(work, Work::Prepare);
        // Only these two consume the flag.
        let new_game = matches!(work, Work::Prepare | Work::Search(_)) && std::mem::take(&mut self.new_game);
        if preparing {
            self.preparing = Some(Arc::clone(&control));
        }
        self.last = Some(Last { control: Arc::clone(&control), pondering, preparing });
        self.queue(work, control, new_game);
    }

    /// Queues a job.
    fn queue(&self, work: Work, control: Arc<Control>, new_game: bool) {
        let Options { resources, book, eval, .. } = &self.options;
        let setup = Setup { resources: *resources, book: book.clone(), eval: eval.clone(), new_game };
        // The thread outlives the channel: it catches every panic.
        let _ = self.jobs.send(Job { setup, position: self.position.clone(), work, control });
    }

    /// Pending file writes, lost if the process exits before.
    pub fn pending_writes(&self) -> PendingWrites {
        self.pending_writes.clone()
    }

    /// Stops everything and joins the thread.
    pub fn shut_down(self) {
        self.stop();
        drop(self.jobs);
        // The thread catches every panic.
        let _ = self.thread.map(JoinHandle::join);
    }
}
