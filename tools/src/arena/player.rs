//! An engine as a child process. Nothing waits for it without a limit.

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

/// The longest line that is read; no engine comes near.
const MAX_LINE: u64 = 1 << 20;
/// Lines that are kept until somebody wants them. An engine that says more has to wait.
const QUEUE: usize = 256;
/// How long an engine may take to go when it is told to.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long a process that has closed its output may take to tell how it ended.
const LAST_BREATH: Duration = Duration::from_millis(200);

/// One engine of a match: how it is started.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    program: PathBuf,
    options: Vec<(String, String)>,
    patience: Duration,
}

impl EngineConfig {
    /// The program with this path, or with this name in one of the folders of `PATH`, with these options set. For `usiok` and `readyok` it is given `patience`.
    ///
    /// # Errors
    /// When there is no such program.
    pub fn new(program: &Path, options: Vec<(String, String)>, patience: Duration) -> io::Result<Self> {
        Ok(Self { program: find(program)?, options, patience })
    }

    /// The program, as an absolute path.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The names and values of the options that are set.
    pub fn options(&self) -> &[(String, String)] {
        &self.options
    }

    /// The same with these options set as well.
    pub(super) fn with(&self, options: &[(String, String)]) -> Self {
        Self { options: [&self.options, options].concat(), ..self.clone() }
    }
}

/// An existing file is meant before a program of that name in `PATH`.
fn find(program: &Path) -> io::Result<PathBuf> {
    let is_name = program.components().count() == 1;
    let in_path = |folders| {
        let named = std::env::split_paths(&folders).map(|folder| folder.join(program).with_extension(EXE_EXTENSION));
        named.filter(|file| file.is_file()).find_map(|file| file.canonicalize().ok())
    };
    program.canonicalize().or_else(|error| {
        let folders = if is_name { std::env::var_os("PATH") } else { None };
        folders.and_then(in_path).ok_or(error)
    })
}

/// What can go wrong with an engine.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The operating system does not start it.
    #[error("it cannot be started: {0}")]
    Start(#[from] io::Error),
    /// Nothing came of what is waited for, and nothing else either.
    #[error("no '{0}' came, and nothing else")]
    Silent(&'static str),
    /// Lines came, but not what is waited for.
    #[error("no '{0}' came, only other lines")]
    MissingAnswer(&'static str),
    /// It is gone, or says nothing more; how it ended.
    #[error("{0}")]
    Died(String),
    /// It writes a line that does not end.
    #[error("it wrote a line of more than {MAX_LINE} bytes")]
    EndlessLine,
}

/// An answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The word behind `bestmove`; empty when there is none.
    pub answer: String,
    /// From `go` to the answer.
    pub time: Duration,
    /// What was said on the way.
    pub info: SearchInfo,
}

/// What the reader hands on. Thoughts are only remembered.
enum Heard {
    Line { at: Instant, text: String, info: SearchInfo },
    EndlessLine,
}

/// A running engine. It ends with this value.
pub struct Player {
    child: Child,
    usi_id: UsiId,
    patience: Duration,
    /// Lines to the process. A thread of its own writes them: a pipe without a reader fills up.
    orders: Option<Sender<String>>,
    heard: Receiver<Heard>,
    /// How many lines have come, thoughts included.
    lines: Arc<AtomicU64>,
    asked: Instant,
}

impl Player {
    /// Starts an engine in its own folder, sets its options and waits until it is ready.
    ///
    /// # Errors
    /// The first thing that goes wrong.
    pub fn start(engine: &EngineConfig) -> Result<Self, Failure> {
        let folder = engine.program.parent().unwrap_or(Path::new("."));
        let mut child = Command::new(&engine.program)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (orders, received) = mpsc::channel();
        let (sender, heard) = mpsc::sync_channel(QUEUE);
        let lines = Arc::new(AtomicU64::new(0));
        if let Some(pipe) = child.stdin.take() {
            thread::spawn(move || speak(pipe, &received));
        }
        if let Some(pipe) = child.stdout.take() {
            let lines = Arc::clone(&lines);
            thread::spawn(move || listen(pipe, &sender, &lines));
        }
        let mut player = Self {
            child,
            usi_id: UsiId::default(),
            patience: engine.patience,
            orders: Some(orders),
            heard,
            lines,
            asked: Instant::now(),
        };
        player.introduce(&engine.options)?;
        Ok(player)
    }

    fn introduce(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        self.send("usi".to_owned());
        let mut usi_id = UsiId::default();
        self.wait("usiok", self.patience, |line| usi_id.hear(line))?;
        self.usi_id = usi_id;
        self.prepare(options)
    }

    /// What the engine has told of itself.
    pub const fn usi_id(&self) -> &UsiId {
        &self.usi_id
    }

    /// Sets options, waits until it is ready, and tells it that a new game begins.
    ///
    /// # Errors
    /// When it does not get ready.
    pub fn prepare(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        options.iter().for_each(|(name, value)| self.send(format!("setoption name {name} value {value}")));
        self.send("isready".to_owned());
        self.wait("readyok", self.patience, |_| {})?;
        self.send("usinewgame".to_owned());
        Ok(())
    }

    /// Asks for a move, with the lines `position …` and `go …`.
    ///
    /// # Errors
    /// When no answer comes within `limit`.
    pub fn think(&mut self, position: &str, go: &str, limit: Duration) -> Result<Reply, Failure> {
        // What is said before it is asked is no answer.
        while self.heard.try_recv().is_ok() {}
        self.send(format!("{position}\n{go}"));
        self.answer(limit)
    }

    /// Calls for the answer that is overdue.
    ///
    /// # Errors
    /// When none comes now either.
    pub fn stop(&mut self, limit: Duration) -> Result<Reply, Failure> {
        let asked = self.asked;
        self.send("stop".to_owned());
        self.asked = asked;
        self.answer(limit + asked.elapsed())
    }

    /// Tells it how the game ended: `win`, `lose` or `draw`.
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
        if let Some(orders) = &self.orders {
            // Whether the process still reads shows when it is waited for.
            let _ = orders.send(lines);
        }
    }

    /// Waits for a line that begins with `word`, at most `limit` after the last order. Other lines are shown on the way.
    fn wait(
        &mut self,
        word: &'static str,
        limit: Duration,
        mut other: impl FnMut(&str),
    ) -> Result<(Instant, String, SearchInfo), Failure> {
        let before = self.lines.load(Ordering::Relaxed);
        loop {
            match self.heard.recv_timeout(limit.saturating_sub(self.asked.elapsed())) {
                Ok(Heard::Line { at, text, info }) => match text.split_ascii_whitespace().next() {
                    Some(first) if first == word => return Ok((at, text, info)),
                    // An engine that always has a line ready would never time out.
                    _ if self.asked.elapsed() > limit => return Err(Failure::MissingAnswer(word)),
                    _ => other(&text),
                },
                Ok(Heard::EndlessLine) => return Err(Failure::EndlessLine),
                Err(RecvTimeoutError::Timeout) if self.lines.load(Ordering::Relaxed) > before => {
                    return Err(Failure::MissingAnswer(word));
                }
                Err(RecvTimeoutError::Timeout) => return Err(Failure::Silent(word)),
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Died(self.ending())),
            }
        }
    }

    /// How the process ended, or that it only closed its output.
    fn ending(&mut self) -> String {
        match self.wait_for_exit(LAST_BREATH) {
            Some(status) => format!("it ended: {status}"),
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

impl Drop for Player {
    fn drop(&mut self) {
        self.send("quit".to_owned());
        // The end of its input, for those who do not know the word.
        self.orders = None;
        if self.wait_for_exit(FAREWELL).is_none() {
            // It is gone already, or it goes now.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Writes orders until there are no more, or the pipe is closed.
fn speak(mut pipe: ChildStdin, orders: &Receiver<String>) {
    for mut lines in orders {
        lines.push('\n');
        if pipe.write_all(lines.as_bytes()).is_err() {
            return;
        }
    }
}

/// Reads lines until the output ends, or the receiver is gone.
fn listen(pipe: ChildStdout, heard: &SyncSender<Heard>, lines: &AtomicU64) {
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
            let _ = heard.send(Heard::EndlessLine);
            return;
        }
        lines.fetch_add(1, Ordering::Relaxed);
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        if text.starts_with("info") {
            info.hear(text);
        } else if !text.is_empty() {
            let line = Heard::Line { at, text: text.to_owned(), info: std::mem::take(&mut info) };
            if heard.send(line).is_err() {
                return;
            }
        }
    }
}
