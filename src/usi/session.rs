//! A session: connects the input, the engine and the output.

use super::command::{Command, CommandError, HELP};
use super::debug_log;
use super::format;
use super::go::{Go, SearchArguments};
use super::go_error::GoError;
use super::input::Input;
use super::output::Output;
use super::queue::{InputReceiver, queue};
use super::reader::{self, SessionEnd};
use super::setoption::SetOptionError;
use super::statistics::statistics_text;
use crate::engine::{Answer, BenchResult, Engine, InfoMessage, Listener, MateReport, MateRequest, rows};
use crate::search::{Limits, PonderHit, Report, Statistics, TimeControl};
use sabi_shogi::{Move, Position, excerpt};
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Interval of empty lines while `readyok` is pending.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// Time for the running job to end at `quit`, from the last line taken by the client. A search
/// needs milliseconds; clearing a large table, or a client that does not read, would take longer.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);
/// The same with a pending write of the learning file. ShogiHome waits for five seconds.
const WRITING_QUIT_TIMEOUT: Duration = Duration::from_secs(4);
/// Polling interval for it.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Runs a USI session until `quit`, end of input, or a broken output.
///
/// # Errors
/// When a thread cannot be started.
pub fn run(source: impl BufRead + Send + 'static, sink: impl Write + Send + 'static, greet: bool) -> io::Result<()> {
    let (sender, lines) = queue();
    let output = Arc::new(Output::new(sink, {
        let sender = sender.clone();
        move || drop(sender.send_now(Input::End))
    }));
    debug_log::log_to(&output);
    if greet {
        output.line(&format!("{}, a shogi engine. It speaks USI; 'help' lists the commands.", name()));
    }
    let engine = Engine::new(Arc::clone(&output) as Arc<dyn Listener>)?;
    let pending_writes = engine.pending_writes();
    let answers = Arc::clone(&output);
    let (leave, left) = mpsc::channel();
    let done = leave.clone();
    thread::Builder::new().name("reader".to_owned()).spawn(move || reader::read(source, &sender, &leave))?;
    let session = thread::Builder::new().name("session".to_owned()).spawn(move || {
        let mut session = Session::new(engine, output);
        session.listen(&lines);
        session.engine.stop();
        let _ = done.send(SessionEnd);
        session.engine.shut_down();
    })?;
    // The other threads cannot block what this one waits for.
    let _ = left.recv();
    let (mut start, mut written) = (Instant::now(), answers.written());
    let timeout = || if pending_writes.is_empty() { QUIT_TIMEOUT } else { WRITING_QUIT_TIMEOUT };
    while !session.is_finished() && start.elapsed() < timeout() {
        thread::sleep(POLL_INTERVAL.min(start.elapsed() / 4 + Duration::from_micros(100)));
        if answers.written() != written {
            (start, written) = (Instant::now(), answers.written());
        }
    }
    Ok(())
}

fn name() -> String {
    format!("Sabi {}", env!("CARGO_PKG_VERSION"))
}

impl Listener for Output {
    fn report(&self, report: &Report) {
        self.line(&format::report(report));
    }

    fn mate_report(&self, report: &MateReport<'_>) {
        self.line(&format::mate_report(report));
    }

    fn perft_move(&self, mv: Move, leaves: u64) {
        self.line(&format!("{mv}: {leaves}"));
    }

    fn bench_position(&self, sfen: &str, result: BenchResult) {
        self.info(&format!("nodes {} nps {}  {sfen}", result.nodes, result.speed()));
    }

    fn statistics(&self, statistics: &Statistics) {
        self.infos(&statistics_text(statistics));
    }

    fn note(&self, note: &InfoMessage) {
        self.info(&note.to_string());
    }

    fn finished(&self, answer: &Answer) {
        if let Some(lines) = format::answer(answer) {
            lines.lines().for_each(|line| self.line(line));
        }
    }
}

/// The engine and the session state.
pub(super) struct Session {
    engine: Engine,
    output: Arc<Output>,
    /// Whether the last `position` was rejected, so that the engine's position is not the client's.
    position_rejected: bool,
    /// Whether there is a file system.
    files: bool,
    /// Whether there are threads.
    threads: bool,
}

impl Session {
    pub(super) fn new(engine: Engine, output: Arc<Output>) -> Self {
        Self { engine, output, position_rejected: false, files: true, threads: true }
    }

    /// Rejects options that name files and, without threads, those that need threads.
    pub(super) fn embedded(engine: Engine, output: Arc<Output>, threads: bool) -> Self {
        Self { files: false, threads, ..Self::new(engine, output) }
    }

    fn listen(&mut self, lines: &InputReceiver) {
        loop {
            let input = match lines.recv_timeout(KEEP_ALIVE) {
                Ok(input) => input,
                Err(RecvTimeoutError::Timeout) => {
                    if self.engine.is_preparing() {
                        self.output.line("");
                    }
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if self.receive(input).is_break() {
                return;
            }
        }
    }

    /// Executes an input, or reports why not.
    pub(super) fn receive(&mut self, input: Input) -> ControlFlow<()> {
        match input {
            Input::Line { at, text } => {
                self.output.received(at, &text);
                self.execute_line(at, &text)
            }
            Input::Rejected { at, error, position } => {
                self.position_rejected |= position;
                self.output.received(at, "(unreadable)");
                self.output.info(&error.to_string());
                ControlFlow::Continue(())
            }
            Input::End => ControlFlow::Break(()),
        }
    }

    /// Parses and executes a line. All errors of commands are reported here.
    fn execute_line(&mut self, at: Instant, text: &str) -> ControlFlow<()> {
        let result = catch_unwind(AssertUnwindSafe(|| match Command::parse(text)? {
            None => Ok(ControlFlow::Continue(())),
            Some(Command::Quit) => Ok(ControlFlow::Break(())),
            Some(command) => self.execute(at, command).map(ControlFlow::Continue),
        }));
        let message = match result {
            Ok(Ok(flow)) => return flow,
            Ok(Err(error)) => {
                self.position_rejected |= matches!(error, CommandError::Position(_));
                error.to_string()
            }
            // A panic costs one command, not the game.
            Err(cause) => InfoMessage::crashed(cause.as_ref()).to_string(),
        };
        self.output.info(&message);
        ControlFlow::Continue(())
    }

    /// Checks what the parser cannot, then executes the command; no effect on error.
    fn execute(&mut self, at: Instant, command: Command<'_>) -> Result<(), CommandError> {
        match command {
            Command::Usi => self.identify(),
            Command::IsReady => self.engine.prepare(),
            Command::NewGame => self.engine.new_game(),
            Command::SetOption { name, value } => self.set_option(name, value)?,
            Command::Position(position) => {
                self.engine.set_position(*position);
                self.position_rejected = false;
            }
            Command::Go(go) => self.go(at, *go)?,
            Command::PonderHit(time) => self.engine.ponder_hit(PonderHit { at, time })?,
            Command::Stop => self.engine.stop(),
            Command::GameOver(outcome) => self.engine.game_over(outcome),
            Command::Show => self.output.infos(&self.engine.position().to_string()),
            Command::Eval => {
                // A client that does not wait for `readyok` expects the evaluation set last.
                // Without threads it would never end.
                while self.threads && self.engine.is_preparing() {
                    thread::sleep(POLL_INTERVAL);
                }
                let explained = self.engine.evaluation().explain(self.engine.position());
                self.output.infos(&explained);
            }
            Command::Bench => self.engine.bench(),
            Command::Help => HELP.iter().for_each(|(form, what)| self.output.info(&format!("{form}: {what}"))),
            // Handled by the caller.
            Command::Quit => {}
        }
        Ok(())
    }

    fn identify(&self) {
        self.output.line(&format!("id name {}", name()));
        self.output.line("id author the Sabi developers");
        let rows = rows().filter(|row| self.threads || row.name != "Threads");
        rows.for_each(|row| self.output.line(&format::option(row)));
        self.output.line("usiok");
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), SetOptionError> {
        let old = self.engine.options();
        let new = old.with(name, value)?;
        if !self.files && new.names_files() {
            return Err(SetOptionError::NoFiles(excerpt(name)));
        }
        if !self.threads && new.resources.threads > old.resources.threads {
            return Err(SetOptionError::NoThreads(new.resources.threads));
        }
        // Also with the same name: an error may have closed the log, or the user removed the file.
        if name.eq_ignore_ascii_case("DebugLogFile") {
            let name = &new.debug_log;
            self.output.log_to(name).map_err(|error| SetOptionError::Log { name: excerpt(name), error })?;
        }
        self.engine.set_options(new);
        Ok(())
    }

    /// After a rejected `position` the engine resigns: the client waits for an answer, and a move
    /// meant for another position might be legal by chance.
    fn go(&mut self, at: Instant, go: Go) -> Result<(), GoError> {
        if self.position_rejected {
            let unlimited = Limits::unlimited(at);
            let (answer, limits) = match go {
                Go::Search(SearchArguments { infinite, ponder, .. }) => {
                    (Answer::Resign, Limits { infinite, ponder, ..unlimited })
                }
                Go::Mate { .. } => (Answer::MateUnknown, unlimited),
                Go::Perft(_) => return Err(GoError::NoPosition),
            };
            self.output.info(&format!("go: {}", GoError::NoPosition));
            self.engine.answer_without_search(answer, limits);
            return Ok(());
        }
        match go {
            Go::Search(arguments) => {
                let limits = limits(at, arguments, self.engine.position())?;
                self.engine.search(limits);
            }
            Go::Mate { limit, nodes, plies, ms } => {
                self.engine.mate(MateRequest { start: at, limit, nodes, plies, ms });
            }
            Go::Perft(depth) => self.engine.perft(depth),
        }
        Ok(())
    }
}

/// The arguments of `go`, checked against the position.
fn limits(start: Instant, arguments: SearchArguments, position: &Position) -> Result<Limits, GoError> {
    let SearchArguments { time, random_time, depth, nodes, infinite, ponder, search_moves } = arguments;
    if let Some(&mv) = search_moves.iter().find(|&&mv| !position.is_legal(mv)) {
        return Err(GoError::IllegalMove(mv));
    }
    // Pseudo-random but reproducible.
    let random_time = random_time.map(|least| {
        let spread = least.saturating_mul(2).saturating_add(1);
        TimeControl::MoveTime(least.saturating_add(position.key() % spread))
    });
    let time = if infinite { None } else { time.or(random_time) };
    Ok(Limits { start, time: time.unwrap_or_default(), depth, nodes, infinite, ponder, search_moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_times_are_in_range() {
        let mut seen = Vec::new();
        for line in [&["7g7f"][..], &["2g2f"], &["2g2f", "8c8d"]] {
            let position = Position::startpos().with_moves(line.iter().copied()).unwrap();
            let arguments = SearchArguments { random_time: Some(1000), ..SearchArguments::default() };
            let TimeControl::MoveTime(time) = limits(Instant::now(), arguments, &position).unwrap().time else {
                panic!("a time")
            };
            assert!((1000..=3000).contains(&time));
            seen.push(time);
        }
        seen.dedup();
        assert!(seen.len() > 1);
    }

    #[test]
    fn rejects_illegal_searchmoves() {
        let arguments = SearchArguments { search_moves: vec!["7g7e".parse().unwrap()], ..SearchArguments::default() };
        let rejected = limits(Instant::now(), arguments, &Position::startpos());
        assert_eq!(rejected.unwrap_err(), GoError::IllegalMove("7g7e".parse().unwrap()));
    }
}
