//! A USI client: sends lines, records answers with times, every wait has a timeout.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use sabi_test_support::exit_status;

use super::grammar::{self, OptionLine};
use super::rules::Board;
use super::thought::Thought;

/// Timeout for normal operations; long because of loaded CI machines.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// From `stop` to the answer. The goal is 20 ms; the rest is tolerance.
pub const STOP_LIMIT: Duration = Duration::from_millis(500);

/// Tolerance of time limits.
pub const SLACK: Duration = Duration::from_millis(400);

/// From end of input, or `quit`, to exit.
const EXIT_LIMIT: Duration = Duration::from_secs(2);

pub const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// An engine line and its time.
#[derive(Debug, Clone)]
pub struct Line {
    pub at: Instant,
    pub text: String,
}

impl Line {
    /// `bestmove` or `checkmate`: the end of a `go`.
    pub fn is_answer(&self) -> bool {
        self.text.starts_with("bestmove") || self.text.starts_with("checkmate")
    }
}

/// The answers in `lines`, as text.
pub fn answers(lines: &[Line]) -> Vec<&str> {
    lines.iter().filter(|line| line.is_answer()).map(|line| line.text.as_str()).collect()
}

/// One running engine. When dropped it is asked to quit, and must do so without another answer.
pub struct Client {
    process: Process,
    /// Written by a thread: an engine that stops reading must not block the test.
    stdin: Option<Sender<Vec<u8>>>,
    stdout: Receiver<Line>,
    stderr: Option<JoinHandle<String>>,
    /// Lines of the running search that a test has already consumed.
    watched: Vec<Line>,
}

impl Client {
    /// The process before any command.
    pub fn spawn() -> Self {
        Self::spawn_command(&mut Command::new(env!("CARGO_BIN_EXE_sabi")))
    }

    pub fn spawn_command(command: &mut Command) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("the engine starts");
        let transcript = Arc::new(Transcript::new());
        let (stdin, to_write) = mpsc::channel();
        let (received, stdout) = mpsc::channel();
        let pipe = child.stdin.take().expect("piped");
        thread::spawn({
            let transcript = Arc::clone(&transcript);
            move || write_all(pipe, &to_write, &transcript)
        });
        let pipe = child.stdout.take().expect("piped");
        thread::spawn({
            let transcript = Arc::clone(&transcript);
            move || read_lines(pipe, &received, &transcript)
        });
        let mut pipe = child.stderr.take().expect("piped");
        let stderr = thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let process = Process { child, transcript };
        Self { process, stdin: Some(stdin), stdout, stderr: Some(stderr), watched: Vec::new() }
    }

    /// An engine after `usiok`, with small tables.
    pub fn small() -> Self {
        Self::spawn().with_small_tables()
    }

    pub fn with_small_tables(mut self) -> Self {
        self.handshake();
        self.set("USI_Hash", "16");
        self.set("Threads", "1");
        self
    }

    /// An engine after `readyok`, without a book.
    pub fn ready() -> Self {
        Self::ready_with(&[])
    }

    pub fn ready_with(options: &[(&str, &str)]) -> Self {
        let mut engine = Self::small();
        for (name, value) in [("BookFile", "no_book")].iter().chain(options) {
            engine.set(name, value);
        }
        let rejected = engine.sync().into_iter().find(|line| line.text.starts_with("info string setoption"));
        assert!(rejected.is_none(), "{rejected:?}");
        engine
    }

    pub fn handshake(&mut self) -> Vec<Line> {
        self.send("usi");
        self.wait_for("usiok", TIMEOUT)
    }

    /// Declared options.
    pub fn options(&mut self) -> Vec<OptionLine> {
        let lines = self.handshake();
        let rows = lines.iter().filter_map(|line| line.text.strip_prefix("option "));
        rows.map(|row| OptionLine::parse(row).expect("checked on arrival")).collect()
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.send(&format!("setoption name {name} value {value}"));
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends exactly these bytes: several lines or a part of one.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if bytes.starts_with(b"go") {
            self.watched.clear();
        }
        self.process.transcript.note('>', &String::from_utf8_lossy(bytes));
        let stdin = self.stdin.as_ref().expect("stdin is still open");
        let _ = stdin.send(bytes.to_vec()); // a dead engine shows when it is waited for
    }

    /// Lines up to the first with this prefix, which is the last one returned.
    pub fn wait_for(&mut self, prefix: &str, timeout: Duration) -> Vec<Line> {
        self.wait_until(timeout, |line| line.text.starts_with(prefix))
            .unwrap_or_else(|| panic!("no {prefix:?} within {timeout:?}"))
    }

    /// Lines that arrive within this time.
    pub fn collect_for(&mut self, time: Duration) -> Vec<Line> {
        let deadline = Instant::now() + time;
        let lines: Vec<_> = std::iter::from_fn(|| self.next_line(deadline)).collect();
        self.watched.extend_from_slice(&lines);
        lines
    }

    pub fn assert_silent(&mut self, time: Duration) {
        let lines = self.collect_for(time);
        assert!(lines.is_empty(), "expected silence, got {:?}", lines[0].text);
    }

    /// The engine may send lines, but no answer.
    pub fn assert_no_answer(&mut self, time: Duration) -> Vec<Line> {
        let lines = self.collect_for(time);
        assert_eq!(answers(&lines), [""; 0], "an answer that was not asked for");
        lines
    }

    /// Sends a line that is not answered within this time.
    pub fn send_unanswered(&mut self, line: &str, time: Duration) -> Vec<Line> {
        self.send(line);
        self.assert_no_answer(time)
    }

    /// `isready`, and the lines before `readyok`.
    pub fn sync(&mut self) -> Vec<Line> {
        self.send("isready");
        let mut lines = self.wait_for("readyok", TIMEOUT);
        lines.pop();
        lines.retain(|line| !line.text.is_empty()); // keep-alive
        lines
    }

    /// The texts of [`sync`](Self::sync).
    pub fn reported(&mut self) -> Vec<String> {
        self.sync().into_iter().map(|line| line.text).collect()
    }

    /// Response of an idle engine to these bytes, without that to `isready`.
    pub fn replies_to_bytes(&mut self, bytes: &[u8]) -> Vec<String> {
        let usual = self.reported();
        self.send_bytes(bytes);
        let mut lines = self.reported();
        assert!(lines.ends_with(&usual), "isready used to say {usual:?}");
        lines.truncate(lines.len() - usual.len());
        lines
    }

    pub fn replies(&mut self, line: &str) -> Vec<String> {
        self.replies_to_bytes(format!("{line}\n").as_bytes())
    }

    /// The line is rejected with one `info string`.
    pub fn assert_rejected(&mut self, line: &str) {
        self.assert_bytes_rejected(format!("{line}\n").as_bytes());
    }

    pub fn assert_bytes_rejected(&mut self, bytes: &[u8]) {
        let replies = self.replies_to_bytes(bytes);
        let one_string = matches!(replies.as_slice(), [line] if line.starts_with("info string "));
        let shown = cut(&String::from_utf8_lossy(bytes));
        assert!(one_string, "{shown:?} wants one info string, got {replies:?}");
    }

    /// Position as seen by the engine.
    pub fn sfen(&mut self) -> String {
        const PREFIX: &str = "info string sfen ";
        self.send("d");
        let lines = self.wait_for(PREFIX, TIMEOUT);
        self.sync(); // `d` may draw more than this line
        lines[lines.len() - 1].text[PREFIX.len()..].to_owned()
    }

    /// Sends the position and returns it.
    pub fn position(&mut self, text: &str) -> Board {
        self.send(&format!("position {text}"));
        Board::at(text)
    }

    /// `go` to `bestmove`, all lines checked against `board`.
    pub fn go(&mut self, board: &Board, limits: &str) -> Thought {
        self.send(&format!("go {limits}"));
        self.bestmove(board, TIMEOUT)
    }

    /// [`position`](Self::position) and [`go`](Self::go).
    pub fn think(&mut self, position: &str, limits: &str) -> Thought {
        let board = self.position(position);
        self.go(&board, limits)
    }

    /// The answer to `stop`, in time.
    pub fn stop(&mut self, board: &Board) -> Thought {
        self.send("stop");
        self.bestmove(board, STOP_LIMIT)
    }

    /// The answer to the last command; lines consumed since `go` belong to it.
    pub fn bestmove(&mut self, board: &Board, timeout: Duration) -> Thought {
        let asked = Instant::now();
        let mut lines = std::mem::take(&mut self.watched);
        lines.extend(self.wait_for("bestmove", timeout));
        let thought = Thought::new(asked, lines);
        thought.assert_valid(board);
        thought
    }

    /// No further output: a second answer per `go` would show here.
    pub fn assert_settled(&mut self) {
        let lines = self.sync();
        assert_eq!(answers(&lines), [""; 0], "an answer too many");
    }

    /// `quit` during a search, and the last lines.
    pub fn quit_during_search(mut self) -> Vec<Line> {
        self.send("quit");
        self.finish()
    }

    /// Closes the input without `quit`, and the last lines.
    pub fn close_input(mut self) -> Vec<Line> {
        self.finish()
    }

    /// Process id.
    #[cfg(target_os = "linux")]
    pub fn id(&self) -> u32 {
        self.process.child.id()
    }

    /// Processor time used.
    #[cfg(target_os = "linux")]
    pub fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.child.id())).expect("/proc");
        let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
        let ticks = fields.split_whitespace().skip(11).take(2).map(|n| n.parse::<u64>().expect("ticks"));
        ms(ticks.sum::<u64>() * 10) // USER_HZ is 100 on every Linux that people run
    }

    /// How long threads of the engine and of this process have been ready to run without a
    /// processor.
    #[cfg(target_os = "linux")]
    pub fn waited(&self) -> Duration {
        let processes = [self.id().to_string(), "self".to_owned()];
        let tasks = processes.iter().flat_map(|id| std::fs::read_dir(format!("/proc/{id}/task")).expect("/proc"));
        // A thread may have ended by now.
        let statistics = tasks.flatten().filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok());
        let nanos = statistics.filter_map(|line| line.split(' ').nth(1)?.parse::<u64>().ok());
        Duration::from_nanos(nanos.sum())
    }

    /// Closes the input, and checks the exit: in time, status 0, empty stderr.
    fn finish(&mut self) -> Vec<Line> {
        self.stdin = None;
        let status = exit_status(&mut self.process.child, EXIT_LIMIT);
        let lines: Vec<_> = self.stdout.iter().collect();
        let stderr = self.stderr.take().map(|thread| thread.join().expect("reader")).unwrap_or_default();
        assert!(status.success(), "exit: {status}, stderr: {stderr}");
        assert_eq!(stderr, "", "a GUI never reads stderr, so nothing may be written there");
        lines.iter().for_each(check);
        lines
    }

    fn wait_until(&mut self, timeout: Duration, last: impl Fn(&Line) -> bool) -> Option<Vec<Line>> {
        let deadline = Instant::now() + timeout;
        let mut lines = Vec::new();
        while let Some(line) = self.next_line(deadline) {
            lines.push(line);
            if lines.last().is_some_and(&last) {
                return Some(lines);
            }
        }
        None
    }

    fn next_line(&mut self, deadline: Instant) -> Option<Line> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.stdout.recv_timeout(left) {
            Ok(line) => {
                check(&line);
                Some(line)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the engine closed its output"),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if self.stdin.is_some() && !thread::panicking() {
            self.send("quit");
            let lines = self.finish();
            assert_eq!(answers(&lines), [""; 0], "an answer too many");
        }
    }
}

/// The process and what was said, for failed tests.
struct Process {
    child: Child,
    transcript: Arc<Transcript>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if thread::panicking() {
            eprintln!("{}", self.transcript);
        }
    }
}

fn check(line: &Line) {
    if let Some(fault) = grammar::fault(&line.text) {
        panic!("{:?}: {fault}", cut(&line.text));
    }
}

fn write_all(mut pipe: ChildStdin, lines: &Receiver<Vec<u8>>, transcript: &Transcript) {
    for bytes in lines {
        if let Err(e) = pipe.write_all(&bytes) {
            transcript.note('!', &format!("write: {e}"));
            return;
        }
    }
}

fn read_lines(pipe: ChildStdout, lines: &Sender<Line>, transcript: &Transcript) {
    for line in BufReader::new(pipe).split(b'\n') {
        let at = Instant::now();
        let text = match line.map(String::from_utf8) {
            Ok(Ok(text)) => text,
            Ok(Err(e)) => format!("\u{0}not UTF-8: {e}"), // the control character makes it a fault
            Err(_) => return,
        };
        transcript.note('<', &text);
        if lines.send(Line { at, text }).is_err() {
            return;
        }
    }
}

/// The transcript, for failed tests.
struct Transcript {
    start: Instant,
    entries: Mutex<Vec<(Duration, char, String)>>,
}

impl Transcript {
    fn new() -> Self {
        Self { start: Instant::now(), entries: Mutex::new(Vec::new()) }
    }

    fn note(&self, direction: char, text: &str) {
        let entry = (self.start.elapsed(), direction, cut(text.trim_end_matches('\n')));
        self.entries.lock().expect("no panic holds this lock").push(entry);
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, direction, text) in self.entries.lock().expect("no panic holds this lock").iter() {
            writeln!(f, "{:9.3} {direction} {}", at.as_secs_f64(), text.escape_debug())?;
        }
        Ok(())
    }
}

/// Start of a text.
fn cut(text: &str) -> String {
    const SHOWN: usize = 300;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}
