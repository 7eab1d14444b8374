//! A USI engine as a child process. Every wait has a timeout.

use super::search_info::SearchInfo;
use super::usi_id::UsiId;
use std::env::consts::EXE_EXTENSION;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum length of an engine's line.
const MAX_LINE: u64 = 1 << 20;
/// Lines buffered before the reader blocks.
const QUEUE: usize = 256;
/// Messages kept of those before `readyok`.
const MAX_MESSAGES: usize = 20;
/// Time to exit after `quit`.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// Time to exit after closing the output.
const STATUS_TIMEOUT: Duration = Duration::from_millis(200);

/// Configuration of an engine of a match.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    program: PathBuf,
    options: Vec<(String, String)>,
    timeout: Duration,
}

impl EngineConfig {
    /// The program at this path or of this name in `PATH`, with options to set. `timeout` is that
    /// of `usiok` and `readyok`.
    ///
    /// # Errors
    /// When the program is not found.
    pub fn new(program: &Path, options: Vec<(String, String)>, timeout: Duration) -> io::Result<Self> {
        Ok(Self { program: find(program)?, options, timeout })
    }

    /// The program, as an absolute path.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Names and values of the options to set.
    pub fn options(&self) -> &[(String, String)] {
        &self.options
    }

    /// The same engine with more options.
    pub(super) fn with(&self, options: &[(String, String)]) -> Self {
        Self { options: [&self.options, options].concat(), ..self.clone() }
    }
}

/// An existing file takes precedence over `PATH`.
fn find(program: &Path) -> io::Result<PathBuf> {
    let is_name = program.components().count() == 1;
    let folders = std::env::var_os("PATH").filter(|_| is_name);
    // The current folder first.
    let places = std::iter::once(PathBuf::new()).chain(folders.iter().flat_map(std::env::split_paths));
    // The extension of programs, if any, may be left out.
    let mut files = places.flat_map(|place| {
        let file = place.join(program);
        [file.with_added_extension(EXE_EXTENSION), file]
    });
    // The error of a missing file or a folder is that of the path itself.
    let found = files.find(|file| file.is_file()).unwrap_or_else(|| program.to_owned());
    let found = dunce::canonicalize(found)?;
    if found.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(found) }
}

/// Engine failure.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The operating system does not start it.
    #[error("it cannot be started")]
    Start(#[from] io::Error),
    /// Timeout without any line.
    #[error("no '{0}', no output at all")]
    NoOutput(&'static str),
    /// Timeout with other lines.
    #[error("no '{0}', only other lines")]
    MissingAnswer(&'static str),
    /// The process exited or closed its output; exit status.
    #[error("{0}")]
    Exited(String),
    /// A line longer than `MAX_LINE` bytes.
    #[error("it wrote a line of more than {MAX_LINE} bytes")]
    LineTooLong,
}

/// Answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Word after `bestmove`; empty when missing.
    pub answer: String,
    /// Time from `go` to the answer.
    pub time: Duration,
    /// `info` lines before the answer.
    pub info: SearchInfo,
}

/// Messages of the reader thread. Of `info` lines only the last values and the texts are kept.
enum Message {
    Line { at: Instant, text: String, info: SearchInfo },
    LineTooLong,
}

/// A running engine, killed on drop.
pub struct EngineProcess {
    child: Child,
    usi_id: UsiId,
    ready_messages: Vec<String>,
    timeout: Duration,
    /// Lines to the process, written by a thread, because a pipe without a reader fills up.
    commands: Option<Sender<String>>,
    messages: Receiver<Message>,
    /// Number of lines received, `info` included.
    lines: Arc<AtomicU64>,
    asked: Instant,
}

impl EngineProcess {
    /// Starts an engine in its own folder, sets its options and waits for `readyok`.
    ///
    /// # Errors
    /// The first failure.
    pub fn start(engine: &EngineConfig) -> Result<Self, Failure> {
        let folder = engine.program.parent().unwrap_or(Path::new("."));
        let mut child = Command::new(&engine.program)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (commands, received) = mpsc::channel();
        let (sender, messages) = mpsc::sync_channel(QUEUE);
        let lines = Arc::new(AtomicU64::new(0));
        if let Some(pipe) = child.stdin.take() {
            thread::Builder::new().spawn(move || write_lines(pipe, &received))?;
        }
        if let Some(pipe) = child.stdout.take() {
            let lines = Arc::clone(&lines);
            thread::Builder::new().spawn(move || read_lines(pipe, &sender, &lines))?;
        }
        let mut player = Self {
            child,
            usi_id: UsiId::default(),
            ready_messages: Vec::new(),
            timeout: engine.timeout,
            commands: Some(commands),
            messages,
            lines,
            asked: Instant::now(),
        };
        player.handshake(&engine.options)?;
        Ok(player)
    }

    fn handshake(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        self.send("usi".to_owned());
        let mut usi_id = UsiId::default();
        self.wait("usiok", self.timeout, |line| usi_id.parse_line(line))?;
        self.usi_id = usi_id;
        self.new_game(options)
    }

    /// Name and options declared before `usiok`.
    pub const fn usi_id(&self) -> &UsiId {
        &self.usi_id
    }

    /// Texts of the `info string` lines before the last `readyok`, such as that a file cannot be
    /// used.
    pub fn ready_messages(&self) -> &[String] {
        &self.ready_messages
    }

    /// Sets options, waits for `readyok`, and sends `usinewgame`.
    ///
    /// # Errors
    /// When the engine does not become ready.
    pub fn new_game(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        options.iter().for_each(|(name, value)| self.send(format!("setoption name {name} value {value}")));
        self.send("isready".to_owned());
        let mut messages = Vec::new();
        self.wait("readyok", self.timeout, |line| {
            let text = line.strip_prefix("info string ").filter(|_| messages.len() < MAX_MESSAGES);
            messages.extend(text.map(|text| text.trim().to_owned()));
        })?;
        self.ready_messages = messages;
        self.send("usinewgame".to_owned());
        Ok(())
    }

    /// Sends `position …` and `go …`, and waits for `bestmove`.
    ///
    /// # Errors
    /// When no answer comes within `limit`.
    pub fn go(&mut self, position: &str, go: &str, limit: Duration) -> Result<Reply, Failure> {
        // Discards lines sent before `go`.
        while self.messages.try_recv().is_ok() {}
        self.send(format!("{position}\n{go}"));
        self.answer(limit)
    }

    /// Sends `stop` and waits for the overdue `bestmove`.
    ///
    /// # Errors
    /// When no answer comes within `limit`.
    pub fn stop(&mut self, limit: Duration) -> Result<Reply, Failure> {
        let asked = self.asked;
        self.send("stop".to_owned());
        self.asked = asked;
        self.answer(limit + asked.elapsed())
    }

    /// Sends `gameover` with `win`, `lose` or `draw`.
    pub fn game_over(&mut self, outcome: &str) {
        self.send(format!("gameover {outcome}"));
    }

    fn answer(&mut self, limit: Duration) -> Result<Reply, Failure> {
        let asked = self.asked;
        let (at, text, info) = self.wait("bestmove", limit, |_| {})?;
        let answer = text.split_ascii_whitespace().nth(1).unwrap_or_default().to_owned();
        Ok(Reply { answer, time: at.saturating_duration_since(asked), info })
    }

    fn send(&mut self, lines: String) {
        self.asked = Instant::now();
        if let Some(commands) = &self.commands {
            // A failed write shows up as a missing answer.
            let _ = commands.send(lines);
        }
    }

    /// Waits for a line that starts with `word`, at most `limit` after the last command. Other
    /// lines are passed to `other`.
    fn wait(
        &mut self,
        word: &'static str,
        limit: Duration,
        mut other: impl FnMut(&str),
    ) -> Result<(Instant, String, SearchInfo), Failure> {
        let before = self.lines.load(Ordering::Relaxed);
        loop {
            match self.messages.recv_timeout(limit.saturating_sub(self.asked.elapsed())) {
                Ok(Message::Line { at, text, info }) => match text.split_ascii_whitespace().next() {
                    Some(first) if first == word => return Ok((at, text, info)),
                    // An engine that writes continuously must time out too.
                    _ if self.asked.elapsed() > limit => return Err(Failure::MissingAnswer(word)),
                    _ => other(&text),
                },
                Ok(Message::LineTooLong) => return Err(Failure::LineTooLong),
                Err(RecvTimeoutError::Timeout) if self.lines.load(Ordering::Relaxed) > before => {
                    return Err(Failure::MissingAnswer(word));
                }
                Err(RecvTimeoutError::Timeout) => return Err(Failure::NoOutput(word)),
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Exited(self.ending())),
            }
        }
    }

    /// Exit status, or that the output was closed.
    fn ending(&mut self) -> String {
        match self.wait_for_exit(STATUS_TIMEOUT) {
            Some(status) => format!("it exited: {status}"),
            None => "it closed its output".to_owned(),
        }
    }

    fn wait_for_exit(&mut self, limit: Duration) -> Option<String> {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Err(error) => return Some(error.to_string()),
                Ok(None) if start.elapsed() > limit => return None,
                Ok(None) => thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.send("quit".to_owned());
        // Closes stdin for engines that ignore `quit`.
        self.commands = None;
        if self.wait_for_exit(EXIT_TIMEOUT).is_none() {
            // An error means that it has exited already.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Writer thread: ends when the channel or the pipe is closed.
fn write_lines(mut pipe: ChildStdin, commands: &Receiver<String>) {
    for mut lines in commands {
        lines.push('\n');
        if pipe.write_all(lines.as_bytes()).is_err() {
            return;
        }
    }
}

/// Reader thread: ends when the output or the channel is closed.
fn read_lines(pipe: ChildStdout, sender: &SyncSender<Message>, lines: &AtomicU64) {
    let mut reader = BufReader::new(pipe);
    let (mut bytes, mut info) = (Vec::new(), SearchInfo::default());
    loop {
        bytes.clear();
        match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let at = Instant::now();
        if bytes.len() as u64 == MAX_LINE && bytes.last() != Some(&b'\n') {
            let _ = sender.send(Message::LineTooLong);
            return;
        }
        lines.fetch_add(1, Ordering::Relaxed);
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        let is_info = text.starts_with("info");
        if is_info && !text.starts_with("info string") {
            info.parse_line(text);
        } else if !text.is_empty() {
            let line = Message::Line { at, text: text.to_owned(), info };
            if !is_info {
                info = SearchInfo::default();
            }
            if sender.send(line).is_err() {
                return;
            }
        }
    }
}
