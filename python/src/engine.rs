//! The engine: searches with their events, mate problems, books, and analyses of games.

use crate::board::Board;
use crate::evaluation::{Evaluation, unusable};
use crate::moves::{Move, any_move, move_list, move_object};
use crate::records::Game;
use crate::{Int, SIGNALS, interruptible, value_error};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use sabi::analysis::{AnalyzedGame, Analyzer, Budget, Language, PositionAnalysis, Scope, Task as Place, run, to_json};
use sabi::engine::{
    Answer, EMBEDDED_BOOK, Engine, EngineListener, InfoMessage, Options, Task, UnusableEvaluation, options,
};
use sabi::mate::solver::{MateProgress, MateQuestion, MateResult, MateSolver};
use sabi::search::{Limits, OutOfMemory, Report, Resources, TimeControl};
use sabi_books::OpenBook;
use sabi_books::formats::{PlyRule, ReadReport};
use sabi_records::Game as Record;
use sabi_shogi::{Bound as ScoreBound, EnteringKingRule};
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What the engine tells.
enum Event {
    Info(Report),
    Note(String),
    Done(Answer),
}

struct Listener(Mutex<Sender<Event>>);

impl Listener {
    fn send(&self, event: Event) {
        // After the end nobody listens.
        let _ = lock(&self.0).send(event);
    }
}

impl EngineListener for Listener {
    fn report(&self, report: &Report) {
        self.send(Event::Info(report.clone()));
    }

    fn note(&self, note: &InfoMessage) {
        self.send(Event::Note(note.to_string()));
    }

    fn finished(&self, answer: &Answer) {
        self.send(Event::Done(answer.clone()));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Options by name and value.
type Given = Vec<(String, Option<String>)>;

fn with_options(mut options: Options, given: &Given) -> PyResult<Options> {
    for (name, value) in given {
        options = options.with(name, value.as_deref()).map_err(value_error)?;
    }
    Ok(options)
}

/// Checks that the files of the options can be used: a search only notes it and goes on without.
fn check_files(py: Python<'_>, options: &Options) -> PyResult<()> {
    if !options.names_files() {
        return Ok(());
    }
    let checked = py.detach(|| (options.eval.evaluation().map(drop), options.book.open().map(drop)));
    checked.0.map_err(unusable)?;
    checked.1.map_err(|error| value_error(format!("the book {} cannot be used: {error}", options.book.file)))
}

fn out_of_memory(error: &OutOfMemory) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// The engine of the package, one search at a time.
#[pyclass(frozen, module = "sabi._sabi")]
pub(crate) struct Core {
    state: Mutex<State>,
    events: Mutex<Receiver<Event>>,
}

struct State {
    /// `None` when closed.
    engine: Option<Engine>,
    options: Options,
    /// Whether an answer is due.
    pending: bool,
}

impl State {
    fn engine(&mut self) -> PyResult<&mut Engine> {
        self.engine.as_mut().ok_or_else(|| PyRuntimeError::new_err("the engine is closed"))
    }
}

/// One event for Python: its kind, and a report, a text, or the answer with its moves.
#[derive(IntoPyObject)]
enum PyEvent {
    Info(&'static str, ReportTuple),
    Note(&'static str, String),
    Done(&'static str, (&'static str, Option<Py<Move>>, Option<Py<Move>>)),
}

/// Depth, selective depth, rank, centipawns, plies to a proved mate, bound, nodes, seconds, permille
/// of the table, moves.
type ReportTuple = (u32, u32, usize, i32, Option<i32>, &'static str, u64, f64, u32, Py<PyList>);

fn report_tuple(py: Python<'_>, report: &Report) -> PyResult<ReportTuple> {
    let bound = match report.bound {
        ScoreBound::Exact => "exact",
        ScoreBound::Lower => "lower",
        ScoreBound::Upper => "upper",
    };
    let mate = report.score.mate_plies().filter(|_| report.proved);
    let (score, time) = (report.score.get(), report.time.as_secs_f64());
    let moves = move_list(py, &report.pv)?.unbind();
    let Report { depth, seldepth, multi_pv, nodes, hashfull, .. } = *report;
    Ok((depth, seldepth, multi_pv, score, mate, bound, nodes, time, hashfull, moves))
}

fn answer(py: Python<'_>, answer: &Answer) -> PyResult<PyEvent> {
    let (kind, best, ponder) = match answer {
        Answer::Best { best, ponder } => ("move", Some(*best), *ponder),
        Answer::Declare => ("declare", None, None),
        Answer::Resign => ("resign", None, None),
        _ => ("none", None, None),
    };
    let object = |mv| move_object(py, mv);
    Ok(PyEvent::Done("done", (kind, best.map(object).transpose()?, ponder.map(object).transpose()?)))
}

/// Milliseconds of a time in seconds.
fn milliseconds(seconds: f64) -> PyResult<u64> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)),
        _ => Err(value_error(format!("a time is in seconds, above 0, not {seconds}"))),
    }
}

/// A number of at least 1.
fn at_least_one(name: &str, number: Option<Int>) -> PyResult<Option<u64>> {
    let valid = |Int(number): Int| {
        let number = u64::try_from(number).ok().filter(|number| *number > 0);
        number.ok_or_else(|| value_error(format!("{name} is at least 1")))
    };
    number.map(valid).transpose()
}

fn plies(name: &str, number: Option<Int>) -> PyResult<Option<u32>> {
    Ok(at_least_one(name, number)?.map(|number| u32::try_from(number).unwrap_or(u32::MAX)))
}

#[pymethods]
impl Core {
    #[new]
    fn new(py: Python<'_>, options: Given) -> PyResult<Self> {
        let options = with_options(Options::default(), &options)?;
        check_files(py, &options)?;
        let (sender, events) = mpsc::channel();
        let engine = Engine::new(Arc::new(Listener(Mutex::new(sender))))?;
        let state = State { engine: Some(engine), options, pending: false };
        Ok(Self { state: Mutex::new(state), events: Mutex::new(events) })
    }

    fn set_options(&self, py: Python<'_>, options: Given) -> PyResult<()> {
        let next = with_options(lock(&self.state).options.clone(), &options)?;
        check_files(py, &next)?;
        lock(&self.state).options = next;
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the limits of `go`")]
    fn start(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        nodes: Option<Int>,
        depth: Option<Int>,
        time: Option<f64>,
        infinite: bool,
        moves: Option<Vec<Bound<'_, PyAny>>>,
        multipv: Option<Int>,
    ) -> PyResult<()> {
        let position = board.try_borrow()?.position.clone();
        let mut limits = Limits::unlimited(Instant::now());
        limits.nodes = at_least_one("nodes", nodes)?;
        limits.depth = plies("depth", depth)?;
        limits.time = time.map(milliseconds).transpose()?.map_or(TimeControl::Unlimited, TimeControl::MoveTime);
        limits.infinite = infinite;
        for given in moves.iter().flatten() {
            let mv = any_move(given)?;
            if !position.is_legal(mv) {
                return Err(value_error(format!("the move {mv} is illegal")));
            }
            limits.search_moves.push(mv);
        }
        if limits.is_endless() && !infinite {
            return Err(value_error("a search needs nodes, time, depth or infinite"));
        }
        py.detach(|| {
            let mut state = lock(&self.state);
            let mut options = state.options.clone();
            if let Some(lines) = at_least_one("multipv", multipv)? {
                options = options.with("MultiPV", Some(&lines.to_string())).map_err(value_error)?;
            }
            // A search that nobody waits for any more.
            if std::mem::take(&mut state.pending) {
                state.engine()?.stop();
                let events = lock(&self.events);
                while !matches!(events.recv(), Ok(Event::Done(_)) | Err(_)) {}
            }
            let engine = state.engine()?;
            engine.set_options(options);
            engine.position = position;
            engine.start(Task::Search(limits));
            state.pending = true;
            Ok(())
        })
    }

    /// The next event, or `None` after `timeout` seconds. Ctrl-C raises `KeyboardInterrupt`.
    fn next(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<Option<PyEvent>> {
        let timeout = timeout.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default());
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        loop {
            let left = deadline.map_or(SIGNALS, |deadline| deadline.saturating_duration_since(Instant::now()));
            match py.detach(|| lock(&self.events).recv_timeout(left.min(SIGNALS))) {
                Ok(Event::Info(report)) => return Ok(Some(PyEvent::Info("info", report_tuple(py, &report)?))),
                Ok(Event::Note(text)) => return Ok(Some(PyEvent::Note("note", text))),
                // No search is waited for here.
                Ok(Event::Done(Answer::Cleared | Answer::Ready | Answer::GameOver)) => {}
                Ok(Event::Done(done)) => {
                    py.detach(|| lock(&self.state).pending = false);
                    return Ok(Some(answer(py, &done)?));
                }
                Err(RecvTimeoutError::Timeout) => {
                    py.check_signals()?;
                    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                        return Ok(None);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("the engine is closed")),
            }
        }
    }

    fn stop(&self, py: Python<'_>) {
        py.detach(|| lock(&self.state).engine.iter().for_each(Engine::stop));
    }

    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| lock(&self.state).engine().map(Engine::new_game))
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            let engine = lock(&self.state).engine.take();
            engine.map(Engine::shut_down)
        });
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        // The thread ends by itself after the search.
        lock(&self.state).engine.iter().for_each(Engine::stop);
    }
}

/// The options: name, type, default and description of each.
#[pyfunction]
pub(crate) fn option_rows() -> Vec<(&'static str, &'static str, Option<String>, &'static str)> {
    options().map(|row| (row.name, row.kind.name(), row.kind.default_text(), row.english)).collect()
}

/// Searches for a mate: what is known (`mate`, `nomate`, `unknown`), the line, its plies, whether no
/// shorter one exists, and the nodes.
#[pyfunction]
pub(crate) fn solve_mate(
    py: Python<'_>,
    board: &Bound<'_, Board>,
    nodes: Option<Int>,
    time: Option<f64>,
    depth: Option<Int>,
    shortest: bool,
    megabytes: Int,
) -> PyResult<(&'static str, Py<PyList>, u32, bool, u64)> {
    let position = board.try_borrow()?.position.clone();
    let (nodes, plies) = (at_least_one("nodes", nodes)?, plies("depth", depth)?);
    let time = time.map(milliseconds).transpose()?.map(Duration::from_millis);
    let megabytes = usize::try_from(megabytes.0).ok().filter(|megabytes| (1..=1 << 20).contains(megabytes));
    let megabytes = megabytes.ok_or_else(|| value_error("the memory is from 1 to 1048576 MB"))?;
    let mut solver = MateSolver::new(megabytes).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    let start = Instant::now();
    let (result, nodes) = interruptible(py, move |signals| {
        let question = MateQuestion { nodes, plies, shortest, ..MateQuestion::about(&position) };
        let mut go_on = |_: &MateProgress<'_>| !signals.is_stopped() && time.is_none_or(|time| start.elapsed() < time);
        solver.solve(&position, &question, &mut go_on)
    })?;
    let (kind, mate) = match result {
        MateResult::Mate(mate) => ("mate", Some(mate)),
        MateResult::NoMate => ("nomate", None),
        MateResult::Unknown => ("unknown", None),
    };
    let line = move_list(py, mate.as_ref().map_or(&[], |mate| &mate.line))?.unbind();
    Ok((kind, line, mate.as_ref().map_or(0, |mate| mate.plies), mate.is_some_and(|mate| mate.shortest), nodes))
}

/// An opening book: that of the package, or a file of any format that Sabi reads.
#[pyclass(frozen, module = "sabi._sabi", name = "BookCore")]
pub(crate) struct Book(Mutex<OpenBook>);

/// Move, weight, games, win rate, score, depth, answer and opening of a book move.
type BookTuple = (Py<Move>, u32, Option<u32>, Option<f64>, Option<i32>, Option<u16>, Option<String>, Option<String>);

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (path = None, on_the_fly = false))]
    fn new(py: Python<'_>, path: Option<PathBuf>, on_the_fly: bool) -> PyResult<Self> {
        let opened = py.detach(|| match &path {
            None => OpenBook::from_static(EMBEDDED_BOOK),
            Some(path) => OpenBook::open(path, on_the_fly, &mut ReadReport::default()),
        });
        opened.map(|book| Self(Mutex::new(book))).map_err(|error| {
            let text = format!("{}: {error}", path.unwrap_or_default().display());
            match error {
                sabi_books::OpenError::Io(cause) => io::Error::new(cause.kind(), text).into(),
                _ => value_error(text),
            }
        })
    }

    fn probe(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        any_ply: bool,
        either_way: bool,
    ) -> PyResult<Vec<BookTuple>> {
        let position = board.try_borrow()?.position.clone();
        let found = py.detach(|| {
            let (book, mut report) = (lock(&self.0), ReadReport::default());
            let ply = if any_ply { PlyRule::Any } else { PlyRule::Same };
            if either_way {
                book.lookup_either_way(&position, ply, &mut report)
            } else {
                book.lookup(&position, ply, &mut report)
            }
        });
        // Candidates of a file need not be legal.
        let legal = found.map_err(value_error)?.into_iter().filter(|entry| position.is_legal(entry.mv));
        legal
            .map(|entry| {
                Ok((
                    move_object(py, entry.mv)?,
                    entry.weight,
                    entry.games,
                    entry.win_rate.map(|rate| f64::from(rate) / f64::from(sabi_books::WIN_RATE_ONE)),
                    entry.score.map(|score| score.get()),
                    entry.depth,
                    entry.answer.map(|answer| answer.to_string()),
                    entry.name.map(|name| name.to_string()),
                ))
            })
            .collect()
    }
}

/// Limit of an analysis: one of nodes, depth and seconds per position.
fn budget(nodes: Option<Int>, depth: Option<Int>, time: Option<f64>) -> PyResult<Budget> {
    match (at_least_one("nodes", nodes)?, plies("depth", depth)?, time.map(milliseconds).transpose()?) {
        (Some(nodes), None, None) => Ok(Budget::Nodes(nodes)),
        (None, Some(depth), None) => Ok(Budget::Depth(depth)),
        (None, None, Some(time)) => Ok(Budget::Time(time)),
        (None, None, None) => Ok(Budget::Nodes(200_000)),
        _ => Err(value_error("an analysis has one limit: nodes, depth or time")),
    }
}

/// First and last move, and the side whose moves are classified.
fn scope(from: Int, to: Option<Int>, side: Option<Int>) -> PyResult<Scope> {
    let number = |Int(number): Int| usize::try_from(number).ok().filter(|number| *number > 0);
    let (from, to) = (number(from), to.map(number));
    match (from, to) {
        (None, _) | (_, Some(None)) => Err(value_error("moves are counted from 1")),
        (Some(from), Some(Some(to))) if to < from => {
            Err(value_error(format!("the first move, {from}, is behind the last, {to}")))
        }
        (Some(from), to) => Ok(Scope { from, to: to.flatten(), side: side.map(crate::moves::any_color).transpose()? }),
    }
}

fn language(code: &str) -> PyResult<Language> {
    match code {
        "ja" => Ok(Language::Japanese),
        "en" => Ok(Language::English),
        _ => Err(value_error(format!("{code:?} is no language: they are ja, en"))),
    }
}

fn records(games: &Bound<'_, PyList>) -> PyResult<Vec<Record>> {
    games.iter().map(|game| Ok(game.cast::<Game>()?.try_borrow()?.record.clone())).collect()
}

/// Analyses games move by move and returns each as JSON (`docs/analyze.md`). `progress` is called
/// with the numbers of positions done and of all.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of `sabi analyze`")]
pub(crate) fn analyze(
    py: Python<'_>,
    games: &Bound<'_, PyList>,
    options: Given,
    evaluation: Option<&Bound<'_, Evaluation>>,
    limits: (Option<Int>, Option<Int>, Option<f64>),
    multipv: Int,
    threads: Int,
    range: (Int, Option<Int>, Option<Int>),
    language: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<String>> {
    let games = records(games)?;
    let (budget, scope, language) =
        (budget(limits.0, limits.1, limits.2)?, scope(range.0, range.1, range.2)?, self::language(language)?);
    let defaults = Options { resources: Resources::new(budget.hash_mb(), 1), ..Options::default() };
    let mut options = with_options(defaults, &options)?;
    options = options.with("MultiPV", Some(&multipv.0.to_string())).map_err(value_error)?;
    // Each position is searched by one thread, at full strength.
    (options.resources.threads, options.level, options.resign) = (1, None, None);
    let threads = at_least_one("threads", Some(threads))?.unwrap_or(1).min(512) as usize;
    let evaluation = match evaluation {
        Some(evaluation) => evaluation.get().0.clone(),
        None => py.detach(|| options.eval.evaluation()).map_err(|error: UnusableEvaluation| unusable(error))?,
    };
    let book = py.detach(|| options.book.open()).map_err(value_error)?;
    let tasks: Vec<Place> = (0..)
        .zip(&games)
        .flat_map(|(at, game)| scope.positions(game).into_iter().map(move |ply| Place { game: at, ply }))
        .collect();
    let analyzers = (0..threads.min(tasks.len())).map(|_| Analyzer::new(&options, evaluation.clone(), budget));
    let analyzers = analyzers.collect::<Result<Vec<_>, _>>().map_err(|error| out_of_memory(&error))?;
    let rule = options.search.entering_king;
    interruptible(py, move |signals| -> PyResult<Vec<String>> {
        let mut found: Vec<Vec<Option<PositionAnalysis>>> =
            games.iter().map(|game| vec![None; game.moves.len() + 1]).collect();
        let mut done = 0;
        let add = |place: Place, analysis| {
            found[place.game][place.ply] = Some(analysis);
            done += 1;
            match &progress {
                Some(progress) => Python::attach(|py| progress.call1(py, (done, tasks.len())).map(drop)),
                None => Ok(()),
            }
        };
        run(&games, &tasks, analyzers, signals, add)?;
        let json =
            |(game, found)| to_json(&AnalyzedGame::new(game, found, &scope, book.as_ref(), rule), language).to_string();
        Ok(games.into_iter().zip(found).map(json).collect())
    })?
}

/// Classifies the moves of a game by analyses of its positions, each JSON or `None`: what `analyze`
/// does for an engine outside.
#[pyfunction]
pub(crate) fn classify(
    game: &Bound<'_, Game>,
    positions: Vec<Option<String>>,
    range: (Int, Option<Int>, Option<Int>),
    language: &str,
) -> PyResult<String> {
    let game = game.try_borrow()?.record.clone();
    if positions.len() != game.moves.len() + 1 {
        return Err(value_error("there is one position more than moves"));
    }
    let mut found = Vec::with_capacity(positions.len());
    for (ply, text) in positions.iter().enumerate() {
        let analysis: Option<PositionAnalysis> =
            text.as_deref().map(serde_json::from_str).transpose().map_err(value_error)?;
        let position = game.position_at(ply);
        if analysis.as_ref().is_some_and(|analysis| !analysis.fits(&position)) {
            return Err(value_error(format!("a line of the position after {ply} moves is illegal")));
        }
        found.push(analysis);
    }
    let scope = scope(range.0, range.1, range.2)?;
    let analyzed = AnalyzedGame::new(game, found, &scope, None, EnteringKingRule::default());
    Ok(to_json(&analyzed, self::language(language)?).to_string())
}
