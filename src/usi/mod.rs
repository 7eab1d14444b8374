//! The USI protocol.
//!
//! [`run`] starts the engine on two byte streams. A reader thread timestamps every line, so that
//! `stop`, `quit` and end of input are always received; a line is parsed into a [`Command`],
//! checked, and only then executed; all output goes through one `Output`, a line at a time. An
//! invalid line changes nothing and is answered by one `info string`. Each `go` but `go perft` is
//! answered by one move, with what it cannot use left out; after a rejected `position`, by `resign`.
//! What was asked before `quit` or the end of input is answered. [`Embedded`] is a session for
//! programs that pass in lines, such as a web page.

mod command;
mod input;
mod output;

pub use command::{Command, CommandError, parse_position};
pub use output::{bench_result_text, statistics_text};

use crate::engine::{
    Answer, Engine, EngineListener, InfoMessage, JobRunner, OptionRow, Options, Task, find_option, rows,
};
use command::HELP;
use input::{InputReceiver, InputSender, MAX_LINE, decode, queue};
use output::{Output, log_messages_to, option_line};
use sabi_files::read_line;
use sabi_shogi::excerpt;
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Interval of empty lines while `readyok` is pending.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// After `quit`, how long a client may take no line.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);
/// The same with a pending write of the learning file. ShogiHome waits for five seconds.
const WRITING_QUIT_TIMEOUT: Duration = Duration::from_secs(4);
/// After `quit`, how long what was asked before may take with a client that reads: a stopped search
/// needs milliseconds, but a file on a device that hangs would take for ever.
const HUNG_TIMEOUT: Duration = Duration::from_secs(60);
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
        move || drop(sender.send_now(None))
    }));
    log_messages_to(&output);
    if greet {
        output.line(&format!("{}, a shogi engine. It speaks USI; 'help' lists the commands.", name()));
    }
    let engine = Engine::new(Arc::clone(&output) as Arc<dyn EngineListener>)?;
    let (pending_writes, cut_short) = (engine.pending_writes(), engine.cut_short());
    let answers = Arc::clone(&output);
    let (leave, left) = mpsc::channel();
    let done = leave.clone();
    thread::Builder::new().name("reader".to_owned()).spawn(move || read(source, &sender, &leave))?;
    let session = thread::Builder::new().name("session".to_owned()).spawn(move || {
        let (values, position_rejected) = (HashMap::new(), None);
        let mut session = Session { engine, output, position_rejected, values, files: true, threads: true };
        session.listen(&lines);
        session.engine.stop();
        let _ = done.send(());
        session.engine.shut_down();
    })?;
    // The other threads cannot block what this one waits for.
    let _ = left.recv();
    cut_short.store(true, Ordering::Relaxed);
    let (mut start, mut progress) = (Instant::now(), answers.progress());
    let timeout = || if pending_writes.is_empty() { QUIT_TIMEOUT } else { WRITING_QUIT_TIMEOUT };
    // All that was asked is answered, if that is possible.
    while !session.is_finished() && answers.blocked() < timeout() && start.elapsed() < HUNG_TIMEOUT {
        thread::sleep(POLL_INTERVAL.min(start.elapsed() / 4 + Duration::from_micros(100)));
        if answers.progress() != progress {
            (start, progress) = (Instant::now(), answers.progress());
        }
    }
    Ok(())
}

fn name() -> String {
    format!("Sabi {}", env!("CARGO_PKG_VERSION"))
}

/// The reader thread: reads to the end of input and passes on every line. Ends early when the
/// session is gone. `leave` hears of `quit` and end of input before the session, which may be busy
/// or blocked by a client that does not read.
fn read(mut source: impl BufRead, inputs: &InputSender, leave: &Sender<()>) {
    let mut bytes = Vec::new();
    while let Ok(true) = read_line(&mut source, MAX_LINE + 1, &mut bytes) {
        let at = Instant::now();
        let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        if decode(line).is_ok_and(|text| first_word(&text) == "quit") {
            let _ = leave.send(());
        }
        let input = Some((at, line.to_owned()));
        bytes.clear();
        // Free the memory of a long line.
        bytes.shrink_to(MAX_LINE / 64);
        if inputs.send(input).is_err() {
            return;
        }
    }
    let _ = leave.send(());
    let _ = inputs.send_now(None);
}

fn first_word(text: &str) -> &str {
    text.split_ascii_whitespace().next().unwrap_or_default()
}

/// The engine and the session state.
struct Session {
    engine: Engine,
    output: Arc<Output>,
    /// Why the last `position` was rejected, so that the engine's position is not the client's.
    position_rejected: Option<CommandError>,
    /// The values that were set, by the names of their options.
    values: HashMap<&'static str, String>,
    /// Whether there is a file system.
    files: bool,
    /// Whether there are threads.
    threads: bool,
}

impl Session {
    /// Rejects options that name files and, without threads, those that need threads.
    fn embedded(engine: Engine, output: Arc<Output>, threads: bool) -> Self {
        Self { engine, output, position_rejected: None, values: HashMap::new(), files: false, threads }
    }

    /// The session thread: executes the lines up to `quit` or the end of input.
    fn listen(&mut self, lines: &InputReceiver) {
        loop {
            match lines.recv_timeout(KEEP_ALIVE) {
                Ok(Some((at, line))) if self.receive(at, &line).is_continue() => {}
                Err(RecvTimeoutError::Timeout) => {
                    if self.engine.is_preparing() {
                        self.output.line("");
                    }
                }
                Ok(_) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Executes a line. All errors of lines and commands are reported here.
    fn receive(&mut self, at: Instant, line: &[u8]) -> ControlFlow<()> {
        let mut text = decode(line);
        self.output.received(at, text.as_deref().unwrap_or("(unreadable)"));
        let first = line.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default();
        if text.is_err() && first == b"go" {
            // It must be answered as well.
            let readable = |c: char| match c {
                _ if c.is_ascii_whitespace() => ' ',
                _ if c.is_control() => char::REPLACEMENT_CHARACTER,
                _ => c,
            };
            text = Ok(String::from_utf8_lossy(line).chars().map(readable).collect());
        }
        let is_position = text.as_ref().map_or(first.starts_with(b"position"), |text| first_word(text) == "position");
        let result = catch_unwind(AssertUnwindSafe(|| self.execute(at, &text?)));
        let message = match result {
            Ok(Ok(flow)) => return flow,
            Ok(Err(error)) => {
                let message = error.to_string();
                if is_position {
                    self.position_rejected = Some(error);
                }
                message
            }
            // A panic costs one command, not the game.
            Err(cause) => InfoMessage::crashed(cause.as_ref()).to_string(),
        };
        self.output.info(&message);
        ControlFlow::Continue(())
    }

    /// Parses a line, checks what the parser cannot, then executes the command; no effect on error.
    fn execute(&mut self, at: Instant, text: &str) -> Result<ControlFlow<()>, CommandError> {
        // The position of a rejected `position` is not known.
        let position = self.position_rejected.is_none().then_some(&self.engine.position);
        let Some(command) = Command::parse(text, at, position)? else { return Ok(ControlFlow::Continue(())) };
        match command {
            Command::Usi => self.identify(),
            Command::IsReady => self.engine.prepare(),
            Command::NewGame => self.engine.new_game(),
            Command::SetOption { name, value } => self.set_option(name, value)?,
            Command::GetOption(name) => self.show_options(name)?,
            Command::Debug(debug) => {
                let options = Options { debug, ..self.engine.options().clone() };
                self.engine.set_options(options);
            }
            Command::Position(position) => {
                self.engine.position = *position;
                self.position_rejected = None;
            }
            Command::Go(task, left_out) => match &self.position_rejected {
                Some(reason) => self.go_without_position(task, reason.clone())?,
                None => {
                    left_out.into_iter().for_each(|left_out| self.output.info(&left_out.to_string()));
                    self.engine.start(task);
                }
            },
            Command::PonderHit(hit, left_out) => {
                left_out.into_iter().for_each(|left_out| self.output.info(&left_out.to_string()));
                if !self.engine.ponder_hit(hit) {
                    return Err(CommandError::new("ponderhit: the engine is not pondering"));
                }
            }
            Command::Stop => self.engine.stop(),
            Command::GameOver(outcome) => self.engine.game_over(outcome),
            Command::Show => self.output.infos(&self.engine.position.to_string()),
            Command::Eval => {
                // A client that does not wait for `readyok` expects the evaluation set last.
                // Without threads it would never end.
                while self.threads && self.engine.is_preparing() {
                    thread::sleep(POLL_INTERVAL);
                }
                let explained = self.engine.evaluation().explain(&self.engine.position);
                self.output.infos(&explained);
            }
            Command::Bench => self.engine.start(Task::Bench),
            Command::Help => HELP.iter().for_each(|(form, what)| self.output.info(&format!("{form}: {what}"))),
            Command::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// After a rejected `position` the engine resigns: the client waits for an answer, and a move
    /// meant for another position might be legal by chance.
    fn go_without_position(&mut self, task: Task, reason: CommandError) -> Result<(), CommandError> {
        let error = CommandError::new(format_args!("go: the last position was rejected ({reason})"));
        let (answer, limits) = match task {
            Task::Search(limits) => (Answer::Resign, limits),
            Task::Mate { limits, .. } => (Answer::MateUnknown, limits),
            _ => return Err(error),
        };
        self.output.info(&error.to_string());
        self.engine.start(Task::Answer(answer, limits));
        Ok(())
    }

    fn identify(&self) {
        self.output.line(&format!("id name {}", name()));
        self.output.line("id author the Sabi developers");
        self.rows().for_each(|row| self.output.line(&option_line(row)));
        self.output.line("usiok");
    }

    /// The options of this session.
    fn rows(&self) -> impl Iterator<Item = &'static OptionRow> {
        let threads = self.threads;
        rows().filter(move |row| threads || row.name != "Threads")
    }

    /// Shows the value of one option or all as YaneuraOu does, whose clients parse it.
    fn show_options(&self, name: &str) -> Result<(), CommandError> {
        let error = |reason| CommandError::new(format_args!("getoption: {reason}"));
        let one = if name.is_empty() { None } else { Some(find_option(name).map_err(error)?.name) };
        let width = self.rows().map(|row| row.name.len()).max().unwrap_or(0);
        for row in self.rows().filter(|row| one.is_none_or(|name| name == row.name)) {
            let default = || row.kind.default_text().map(|text| row.value_text(&text)).unwrap_or_default();
            let value = self.values.get(row.name).cloned().unwrap_or_else(default);
            let blanks = width - row.name.len() + 1;
            self.output.line(&format!("Options[{}]{:blanks$}= {value}", row.name, ""));
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), CommandError> {
        let error = |reason: String| CommandError::new(format_args!("setoption: {reason}"));
        let old = self.engine.options();
        let new = old.with(name, value).map_err(|reason| error(reason.to_string()))?;
        if !self.files && new.names_files() {
            return Err(error(format!("{} takes no file: no file system available", excerpt(name))));
        }
        let threads = new.resources.threads;
        if !self.threads && threads > old.resources.threads {
            return Err(error(format!("Threads takes 1, not '{threads}': no threads available")));
        }
        // Also with the same name: an error may have closed the log, or the user removed the file.
        if name.eq_ignore_ascii_case("DebugLogFile") {
            let name = &new.debug_log;
            let unusable = |reason: io::Error| {
                let name = excerpt(name);
                error(format!("DebugLogFile takes a file that can be written, not '{name}': {reason}"))
            };
            self.output.log_to(name).map_err(unusable)?;
        }
        self.engine.set_options(new);
        if let (Ok(row), Some(value)) = (find_option(name), value) {
            self.values.insert(row.name, row.value_text(value));
        }
        Ok(())
    }
}

/// A session inside another program, without standard input and files: lines are passed in one by
/// one.
pub struct Embedded(Session);

impl Embedded {
    /// Starts the engine with output to `sink`. Without threads, the runner must be run by its
    /// `catch_up`.
    pub fn new(sink: impl Write + Send + 'static) -> (Self, Option<JobRunner>) {
        let output = Arc::new(Output::new(sink, || {}));
        let listener = Arc::clone(&output) as Arc<dyn EngineListener>;
        let (engine, runner) = match Engine::new(Arc::clone(&listener)) {
            Ok(engine) => (engine, None),
            Err(_) => {
                let (engine, runner) = Engine::without_thread(listener);
                (engine, Some(runner))
            }
        };
        (Self(Session::embedded(engine, output, runner.is_none())), runner)
    }

    /// Executes one line, also while the runner is running; `quit` breaks, and stops the running job.
    /// What was asked before it is answered if the runner runs once more.
    pub fn receive(&mut self, line: &[u8]) -> ControlFlow<()> {
        let flow = self.0.receive(Instant::now(), line);
        if flow.is_break() {
            self.0.engine.stop();
        }
        flow
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;
    use std::sync::Mutex;

    /// The lines that the session gets, decoded.
    fn received(bytes: &[u8]) -> Vec<Result<String, String>> {
        let (sender, receiver) = queue();
        read(BufReader::with_capacity(16, bytes), &sender, &mpsc::channel().0);
        let mut inputs: Vec<_> = std::iter::from_fn(|| receiver.recv_timeout(Duration::ZERO).ok()).collect();
        assert_eq!(inputs.pop(), Some(None));
        let text = |(_, line): (Instant, Vec<u8>)| match decode(&line) {
            Ok(text) => Ok(text.into_owned()),
            Err(error) => Err(error.to_string()),
        };
        inputs.into_iter().map(|input| text(input.expect("the end comes once"))).collect()
    }

    #[test]
    fn accepts_all_line_endings() {
        assert_eq!(received(b""), []);
        assert_eq!(received(b"usi\r\n\nquit"), [Ok("usi".to_owned()), Ok(String::new()), Ok("quit".to_owned())]);
        assert_eq!(received(b"\xef\xbb\xbfusi\n"), [Ok("usi".to_owned())]);
    }

    #[test]
    fn decodes_utf8_and_shift_jis() {
        assert_eq!(received("評価\n".as_bytes()), [Ok("評価".to_owned())]);
        assert_eq!(received(b"\x95\x5d\x89\xbf\n"), [Ok("評価".to_owned())]);
        assert_eq!(received(b"\xff\xfe\xfd\n"), [Err("the line is neither UTF-8 nor Shift_JIS text".to_owned())]);
        for bytes in [&b"\x00\n"[..], b"go\x00 depth 1\n", b"a\rb\n", b"\x1b[31m\n"] {
            assert_eq!(received(bytes), [Err("the line holds control characters".to_owned())], "{bytes:?}");
        }
        assert_eq!(received(b"\tgo\t\r\n"), [Ok("\tgo\t".to_owned())]);
    }

    #[test]
    fn rejects_overlong_line() {
        let mut bytes = vec![b'x'; MAX_LINE];
        bytes.extend(b"\nusi\n");
        let lines = received(&bytes);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].is_ok());
        bytes.insert(0, b'x');
        assert_eq!(received(&bytes), [Err("the line is longer than 4194304 bytes".to_owned()), Ok("usi".to_owned())]);
    }

    /// Forwards each line.
    struct Lines(Mutex<mpsc::Sender<String>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let line = String::from_utf8_lossy(bytes).trim_end().to_owned();
            let sent = self.0.lock().unwrap().send(line);
            sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn lines() -> (Lines, mpsc::Receiver<String>) {
        let (sender, receiver) = mpsc::channel();
        (Lines(Mutex::new(sender)), receiver)
    }

    #[test]
    fn embedded_session_rejects_files() {
        let (sink, lines) = lines();
        let (mut session, runner) = Embedded::new(sink);
        assert!(runner.is_none());
        for (name, value) in [("EvalFile", "nn.bin"), ("BookDir", "books")] {
            assert!(session.receive(format!("setoption name {name} value {value}").as_bytes()).is_continue());
            let expected = format!("info string setoption: {name} takes no file: no file system available");
            assert_eq!(lines.recv().unwrap(), expected);
        }
        for line in ["setoption name BookFile value no_book", "setoption name EvalFile value <empty>", "go nodes 100"] {
            assert!(session.receive(line.as_bytes()).is_continue());
        }
        assert!(lines.iter().any(|line| line.starts_with("bestmove ")));
        assert!(session.receive(b"\xff\xfe\xfd").is_continue());
        assert!(lines.recv().unwrap().starts_with("info string the line is neither"));
        assert!(session.receive(b"quit").is_break());
    }

    #[test]
    fn threadless_worker_answers_in_catch_up() {
        let (sink, lines) = lines();
        let output = Arc::new(Output::new(sink, || {}));
        let (engine, mut runner) = Engine::without_thread(Arc::clone(&output) as Arc<dyn EngineListener>);
        let mut session = Embedded(Session::embedded(engine, output, false));
        let mut send = |line: &str| {
            assert!(session.receive(line.as_bytes()).is_continue());
            lines.try_iter().collect::<Vec<_>>()
        };
        assert!(!send("usi").iter().any(|line| line.contains("Threads")));
        assert_eq!(
            send("setoption name Threads value 512"),
            ["info string setoption: Threads takes 1, not '512': no threads available"]
        );
        assert_eq!(send("setoption name USI_Hash value 1"), [""; 0]);
        assert_eq!(send("isready"), [""; 0]);
        assert!(!send("eval").is_empty(), "the evaluation so far, without waiting for the runner");
        runner.catch_up();
        assert_eq!(send("setoption name USI_OwnBook value false"), ["readyok"]);
        // A job stopped before it started answers too, and the next one runs.
        send("go infinite");
        send("stop");
        send("go nodes 500");
        runner.catch_up();
        let answers = |lines: Vec<String>| lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers(send("")), 2);
        // Also what was asked before `quit`, which ends what is not limited.
        send("go nodes 500");
        send("go infinite");
        assert!(session.receive(b"quit").is_break());
        runner.catch_up();
        assert_eq!(answers(lines.try_iter().collect()), 2);
    }
}
