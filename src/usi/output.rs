//! The writer: flushed lines, and the log of both directions.

use crate::machine::search_paths;
use sabi_files::{open_regular, open_to_append};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Maximum length of an `info string`.
const MAX_INFO: usize = 400;
/// Maximum length of the time and direction at the start of a log.
const MAX_STAMP: u64 = 32;
/// Maximum number of deferred messages.
const MAX_DEFERRED: usize = 32;

/// Output of all threads.
pub struct Output {
    state: Mutex<State>,
    /// Number of lines written.
    written: AtomicU64,
    start: Instant,
}

struct State {
    sink: Box<dyn Write + Send>,
    log: Option<File>,
    /// Whether the client has sent non-ASCII text, and so can read it.
    non_ascii: bool,
    /// Whether the client is between `usiok` or `isready` and `readyok`, where cshogi, which writes
    /// UTF-8, reads Shift_JIS.
    handshake: bool,
    /// Non-ASCII messages deferred to the end of the handshake.
    deferred: Vec<String>,
    /// Called the first time that writing fails.
    on_broken: Option<Box<dyn FnOnce() + Send>>,
}

impl Output {
    /// Writes to `sink`, and calls `on_broken` the first time that fails.
    pub fn new(sink: impl Write + Send + 'static, on_broken: impl FnOnce() + Send + 'static) -> Self {
        let state = State {
            sink: Box::new(sink),
            log: None,
            non_ascii: false,
            handshake: false,
            deferred: Vec::new(),
            on_broken: Some(Box::new(on_broken)),
        };
        Self { state: Mutex::new(state), written: AtomicU64::new(0), start: Instant::now() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a line.
    pub fn line(&self, text: &str) {
        let mut state = self.lock();
        self.write_line(&mut state, text);
        match text.split(' ').next() {
            Some("usiok") => state.handshake = true,
            // Some clients omit `isready`.
            Some("readyok" | "bestmove" | "checkmate") => {
                state.handshake = false;
                for text in std::mem::take(&mut state.deferred) {
                    self.write_line(&mut state, &text);
                }
            }
            _ => {}
        }
    }

    fn write_line(&self, state: &mut State, text: &str) {
        let mut line = String::with_capacity(text.len() + 1);
        line.push_str(text);
        line.push('\n');
        let written = state.sink.write_all(line.as_bytes()).and_then(|()| state.sink.flush());
        if written.is_ok() {
            self.written.fetch_add(1, Ordering::Relaxed);
        } else if let Some(on_broken) = state.on_broken.take() {
            on_broken();
        }
        self.record(state, Instant::now(), '<', text);
    }

    /// Number of lines taken by the client so far.
    pub(super) fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Writes an `info string`, shortened, in ASCII unless the client has sent other text.
    /// Non-ASCII text is deferred to the end of the handshake.
    pub fn info(&self, text: &str) {
        let mut state = self.lock();
        let defers = state.handshake && state.non_ascii && state.deferred.len() < MAX_DEFERRED;
        let reads_all = state.non_ascii && (defers || !state.handshake);
        let text = if text.is_ascii() || reads_all { text.to_owned() } else { in_english(text, message_and_kind) };
        let readable = |c: char| if c.is_control() || (!c.is_ascii() && !reads_all) { '?' } else { c };
        let text: String = text.trim_end().chars().take(MAX_INFO).map(readable).collect();
        let line = format!("info string {text}");
        if defers && !text.is_ascii() {
            state.deferred.push(line);
        } else if !text.is_empty() {
            self.write_line(&mut state, &line);
        }
    }

    /// Writes every line of a text as an `info string`.
    pub fn infos(&self, text: &str) {
        text.lines().for_each(|line| self.info(line));
    }

    /// Logs a received line.
    pub(super) fn received(&self, at: Instant, text: &str) {
        let mut state = self.lock();
        state.non_ascii |= !text.is_ascii();
        state.handshake |= text.split_ascii_whitespace().next() == Some("isready");
        self.record(&mut state, at, '>', text);
    }

    /// Logs a message of the engine itself.
    pub(super) fn log_message(&self, text: &str) {
        let mut state = self.lock();
        self.record(&mut state, Instant::now(), '#', text);
    }

    /// On a write error the log is closed with a message.
    fn record(&self, state: &mut State, at: Instant, direction: char, text: &str) {
        let Some(log) = &mut state.log else { return };
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        if let Err(error) = log.write_all(format!("{seconds:.3} {direction} {text}\n").as_bytes()) {
            state.log = None;
            self.write_line(state, &format!("info string the log is closed: {:?}", error.kind()));
        }
    }

    /// Logs all input and output to this file from now on; an empty name ends the log.
    ///
    /// # Errors
    /// When the file cannot be opened; the old log continues.
    pub(super) fn log_to(&self, name: &str) -> io::Result<()> {
        let log = if name.is_empty() { None } else { Some(open_log(name)?) };
        self.lock().log = log;
        Ok(())
    }
}

/// A text in which the message of the operating system, which Windows writes in the language of the
/// user, is in English. `describe` gives message and English kind of an error number.
fn in_english(text: &str, describe: impl FnOnce(i32) -> [String; 2]) -> String {
    let code = text.rsplit_once("(os error ").and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok());
    let Some(code) = code else { return text.to_owned() };
    let [message, kind] = describe(code);
    if message.is_ascii() { text.to_owned() } else { text.replace(&message, &format!("{kind} (os error {code})")) }
}

fn message_and_kind(code: i32) -> [String; 2] {
    let error = io::Error::from_raw_os_error(code);
    [error.to_string(), error.kind().to_string()]
}

/// Checks that a file is empty or begins with a line of a log.
fn check_log(path: &Path) -> io::Result<()> {
    let mut head = Vec::new();
    open_regular(path)?.take(MAX_STAMP).read_to_end(&mut head)?;
    let mut words = head.split(|&byte| byte == b' ');
    let is_stamp = |word: &[u8]| std::str::from_utf8(word).is_ok_and(|word| word.parse::<f64>().is_ok());
    if head.is_empty() || words.next().is_some_and(is_stamp) && matches!(words.next(), Some(b">" | b"<" | b"#")) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "not a log: nothing is appended to it"))
}

/// Opens a log file in the first of its [`search_paths`] where that is possible.
fn open_log(name: &str) -> io::Result<File> {
    let mut result = Err(io::ErrorKind::NotFound.into());
    for path in search_paths(Path::new(name)) {
        result = open_to_append(&path).and_then(|log| check_log(&path).map(|()| log));
        if result.is_ok() {
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn info_is_short_without_control_characters() {
        let sink = Shared::default();
        let output = Output::new(sink.clone(), || {});
        output.info("評価 \u{7}x \n");
        output.info("");
        output.info(&"y".repeat(10_000));
        let text = String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "info string ?? ?x");
        assert_eq!((lines.len(), lines[1].len()), (2, MAX_INFO + "info string ".len()));
    }

    /// Windows writes them in Japanese, which would become question marks.
    #[test]
    fn system_errors_are_in_english() {
        let told = |text: &str, message: &str| in_english(text, |code| [message.to_owned(), format!("kind {code}")]);
        let japanese = "ファイルがありません。 (os error 2)";
        assert_eq!(told(&format!("book 定跡: {japanese}; and 2"), japanese), "book 定跡: kind 2 (os error 2); and 2");
        let english = "No such file (os error 2)";
        assert_eq!(told(&format!("book 定跡: {english}"), english), "book 定跡: No such file (os error 2)");
        for text in ["定跡", "定跡 (os error", "定跡 (os error x)", "(os error 99999999999)"] {
            assert_eq!(told(text, japanese), text);
        }
        assert_eq!(message_and_kind(2)[1], "entity not found");
    }

    #[test]
    fn names_are_echoed_to_clients() {
        let sink = Shared::default();
        let output = Output::new(sink.clone(), || {});
        let written = || String::from_utf8(std::mem::take(&mut *sink.0.lock().unwrap())).unwrap();
        output.info("定跡");
        output.received(Instant::now(), "setoption name BookFile value 定跡");
        output.info("定跡");
        assert_eq!(written(), "info string ??\ninfo string 定跡\n");
        // During the handshake the message is deferred, but complete.
        output.line("usiok");
        output.info("定跡 a");
        output.info("b");
        output.line("readyok");
        output.info("定跡 c\u{7}");
        assert_eq!(written(), "usiok\ninfo string b\nreadyok\ninfo string 定跡 a\ninfo string 定跡 c?\n");
        for answer in ["bestmove resign", "checkmate nomate"] {
            output.line("usiok");
            (0..=MAX_DEFERRED).for_each(|_| output.info("定跡"));
            assert_eq!(written(), "usiok\ninfo string ??\n");
            output.line(answer);
            assert_eq!(written().lines().count(), 1 + MAX_DEFERRED);
        }
    }

    #[test]
    fn reports_broken_pipe() {
        let calls = Arc::new(AtomicUsize::new(0));
        let output = Output::new(Broken, {
            let calls = Arc::clone(&calls);
            move || {
                calls.fetch_add(1, Ordering::Relaxed);
            }
        });
        output.line("usiok");
        output.line("readyok");
        assert_eq!((calls.load(Ordering::Relaxed), output.written()), (1, 0));
    }
}
