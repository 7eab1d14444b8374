//! The commanding side of the engine.

use super::evaluation::InUse;
use super::job::{Control, Job, MateOrder, MateTask, SearchOrder, Setup, Unsaved, Work};
use super::{Answer, Listener, MateOptions, MateUnit, Options, Outcome, Worker, bench};
use crate::eval::Evaluation;
use crate::mate::solver::MateQuestion;
use crate::position::Position;
use crate::search::{Limits, PonderHit, Resources};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// A shogi engine: it is commanded here, works on a thread of its own where there are threads, and tells a [`Listener`].
///
/// No call waits for the thread. What is asked for while something else is running ends that first, and every job gets its
/// own answer, in order.
pub struct Engine {
    listener: Arc<dyn Listener>,
    options: Options,
    position: Position,
    jobs: Sender<Job>,
    thread: Option<JoinHandle<()>>,
    unsaved: Unsaved,
    evaluation: Arc<InUse>,
    /// The job started last. Those before it were told to stop.
    last: Option<Last>,
    /// The preparation asked for last.
    preparing: Option<Arc<Control>>,
    /// Whether what was learnt so far belongs to another game.
    new_game: bool,
}

struct Last {
    control: Arc<Control>,
    pondering: bool,
    preparing: bool,
}

/// There is nothing to hit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine does not ponder")]
pub struct NotPondering;

impl Engine {
    /// An engine that has not set anything up yet: that is left to the first [`Engine::prepare`] or [`Engine::search`].
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(listener: Arc<dyn Listener>) -> io::Result<Self> {
        let (mut engine, worker) = Self::without_thread(listener);
        engine.thread = Some(worker.spawn()?);
        Ok(engine)
    }

    /// The same without a thread: the worker does nothing but when it is told to catch up. It may be commanded while it does.
    pub fn without_thread(listener: Arc<dyn Listener>) -> (Self, Worker) {
        let (jobs, receiver) = mpsc::channel();
        let evaluation = Arc::<InUse>::default();
        let worker = Worker::new(receiver, Arc::clone(&listener), Arc::clone(&evaluation));
        let engine = Self {
            listener,
            options: Options::default(),
            position: Position::startpos(),
            jobs,
            thread: None,
            unsaved: Unsaved::default(),
            evaluation,
            last: None,
            preparing: None,
            new_game: false,
        };
        (engine, worker)
    }

    /// What is set.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets everything anew, for the next job. Where the button was pressed for it, everything learnt is forgotten as soon as
    /// nothing runs.
    pub fn set_options(&mut self, options: Options) {
        let pressed = options.clearings != self.options.clearings;
        self.options = options;
        if pressed {
            self.queue(Work::Forget, Arc::default(), false);
        }
    }

    /// The evaluation in use. Options for another count from the next preparation or search on.
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

    /// Another game begins: before the next search everything learnt is forgotten.
    pub fn new_game(&mut self) {
        self.new_game = true;
    }

    /// The game is over: what is running ends, and what came from the book is noted beside it, if that is wanted and the
    /// outcome is known. Forgetting what was learnt takes time, and there is more of it now than at the first move of the
    /// next game, so that the next preparation does it.
    pub fn game_over(&mut self, outcome: Option<Outcome>) {
        self.stop();
        // In a game that was only announced nothing was played.
        let was_played = self.options.book.learning && !self.new_game;
        if let Some(outcome) = outcome.filter(|_| was_played) {
            self.queue(Work::Learn { outcome, _unsaved: self.unsaved.another() }, Arc::default(), false);
        }
        self.new_game = true;
    }

    /// Sets everything up for a search, and says [`Answer::Ready`] after the answers to everything before.
    ///
    /// A search that was not told to stop goes on: then there is nothing to set up, and the answer comes at once.
    pub fn prepare(&mut self) {
        let searching = |last: &Last| !last.preparing && last.control.is_running();
        if self.last.as_ref().is_some_and(searching) {
            self.listener.finished(&Answer::Ready);
        } else {
            self.start(Work::Prepare, false);
        }
    }

    /// Whether the answer to [`Engine::prepare`] is still to come.
    pub fn is_preparing(&self) -> bool {
        self.preparing.as_ref().is_some_and(|control| !control.is_finished())
    }

    /// Searches the position.
    pub fn search(&mut self, limits: Limits) {
        let pondering = limits.is_pondering();
        let order = self.search_order(limits);
        self.start(Work::Search(Box::new(order)), pondering);
    }

    /// Gives `answer` to an order that cannot be carried out, no earlier than a search with these limits could.
    pub fn decline(&mut self, answer: Answer, limits: Limits) {
        let pondering = limits.is_pondering();
        self.start(Work::Decline(answer, limits), pondering);
    }

    fn search_order(&self, mut limits: Limits) -> SearchOrder {
        let options = &self.options;
        limits.depth = least(limits.depth, options.depth_limit);
        limits.nodes = least(limits.nodes, options.nodes_limit);
        let step_back = options.stochastic_ponder && limits.is_pondering() && self.position.plies_played() > 0;
        let earlier = step_back.then(|| {
            let mut earlier = self.position.clone();
            earlier.undo();
            earlier
        });
        let mut settings = options.search.clone();
        // Analysis is not play.
        let level = options.level.filter(|_| !limits.infinite);
        if let Some(level) = level {
            level.weaken(&mut limits, &mut settings);
        }
        SearchOrder { limits, settings, level, resign: options.resign, earlier }
    }

    /// Looks for a mate by checks. Problems, in which the attacker has no king, are counted as their composers do: useless
    /// interpositions do not make a mate longer.
    pub fn mate(&mut self, order: MateOrder) {
        let MateOptions { unit, shortest, hash_mb } = self.options.mate;
        let about = MateQuestion::about(&self.position);
        let mut question = MateQuestion { nodes: order.nodes, plies: order.plies, shortest, ..about };
        let mut deadline = None;
        match (order.limit, unit) {
            (None, _) => {}
            // A moment beyond what the clock can tell is no limit.
            (Some(ms), MateUnit::Milliseconds) => deadline = order.start.checked_add(Duration::from_millis(ms)),
            (Some(plies), MateUnit::Plies) => question.plies = least(question.plies, u32::try_from(plies).ok()),
        }
        self.start(Work::Mate(MateTask { question, start: order.start, deadline, hash_mb }), false);
    }

    /// Counts the leaves of the game tree.
    pub fn perft(&mut self, depth: u32) {
        self.start(Work::Perft(depth), false);
    }

    /// The bench of the usual depth with tables of its own, those of the session untouched: its signature depends on the search and
    /// the evaluation alone.
    pub fn bench(&mut self) {
        let resources = Resources::new(bench::HASH_MB, 1);
        self.start(Work::Bench(Box::new(Options { resources, ..self.options.clone() })), false);
    }

    /// The opponent played the expected move.
    ///
    /// # Errors
    /// When no search ponders.
    pub fn ponder_hit(&mut self, hit: PonderHit) -> Result<(), NotPondering> {
        let last = self.last.as_mut().filter(|last| last.pondering && last.control.is_running()).ok_or(NotPondering)?;
        last.pondering = false;
        last.control.ponder_hit(hit);
        Ok(())
    }

    /// Ends whatever is running, which then answers.
    pub fn stop(&self) {
        if let Some(last) = &self.last {
            last.control.stop();
        }
    }

    fn start(&mut self, work: Work, pondering: bool) {
        self.stop();
        let control = Arc::new(Control::default());
        let preparing = matches!(work, Work::Prepare);
        // Only these two look at it.
        let new_game = matches!(work, Work::Prepare | Work::Search(_)) && std::mem::take(&mut self.new_game);
        if preparing {
            self.preparing = Some(Arc::clone(&control));
        }
        self.last = Some(Last { control: Arc::clone(&control), pondering, preparing });
        self.queue(work, control, new_game);
    }

    /// Leaves a job to the thread, behind whatever it is doing.
    fn queue(&self, work: Work, control: Arc<Control>, new_game: bool) {
        let Options { resources, book, eval, .. } = &self.options;
        let setup = Setup { resources: *resources, book: book.clone(), eval: eval.clone(), new_game };
        // The thread outlives the channel: it catches every panic.
        let _ = self.jobs.send(Job { setup, position: self.position.clone(), work, control });
    }

    /// What is still to be written to files; a process that ends before loses it.
    pub fn unsaved(&self) -> Unsaved {
        self.unsaved.clone()
    }

    /// Ends everything, and waits for it.
    pub fn shut_down(self) {
        self.stop();
        drop(self.jobs);
        // It catches every panic.
        let _ = self.thread.map(JoinHandle::join);
    }
}

/// The smaller of two limits, either of which may be missing.
fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
