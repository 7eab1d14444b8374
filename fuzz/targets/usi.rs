//! The protocol.

use super::assert_clear;
use sabi::engine::{OptionKind, rows};
use sabi::usi::{Command, run};
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// Maximum commands of a session.
const MAX_COMMANDS: usize = 24;
/// Maximum time of a search before the next command.
const SHORT: Duration = Duration::from_millis(15);
/// Timeout of `readyok`.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A line is a command or is rejected with a clear message; surrounding blanks change nothing.
pub fn line(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // Rejected by the reader.
    if text.contains(|c: char| c.is_control() && c != '\t') {
        return;
    }
    let at = Instant::now();
    let meaning = |text: &str| match Command::parse(text, at, None) {
        Ok(command) => Ok(format!("{command:?}")),
        Err(error) => Err(error.to_string()),
    };
    let meant = meaning(text);
    assert_eq!(meant, meaning(&format!(" {text}\t")));
    if let Err(error) = meant {
        assert_clear(&error);
    }
    match Command::parse(text, at, None) {
        Ok(Some(Command::Position(position))) => super::rules::assert_valid(&position),
        Ok(Some(Command::Go(_, Some(left_out)) | Command::PonderHit(_, Some(left_out)))) => {
            assert_clear(&left_out.to_string());
        }
        _ => {}
    }
}

/// A session is answered line by line, and the engine is ready and exits on request.
pub fn session(bytes: &[u8]) {
    let mut lines: Vec<Vec<u8>> = SMALL.iter().map(|line| line.as_bytes().to_vec()).collect();
    let harmless = bytes.split(|&byte| byte == b'\n').filter(|line| is_harmless(line));
    lines.extend(harmless.take(MAX_COMMANDS).map(<[u8]>::to_vec));
    lines.extend(["stop", "isready"].map(|line| line.as_bytes().to_vec()));
    let count = |word: &str| lines.iter().filter(|line| first_word(line) == word).count();
    let is_perft = |line: &&Vec<u8>| words(line).take(2).eq([&b"go"[..], b"perft"]);
    let (searches, questions) = (count("go") - lines.iter().filter(is_perft).count(), count("isready"));
    lines.push(b"quit".to_vec());
    lines.reverse();
    let output = Shared::default();
    let client = Client { lines, line: Vec::new(), sent: 0, questions, output: output.clone() };
    run(client, output.clone(), false).expect("threads");
    let said = output.text();
    assert_eq!(said.lines().filter(|&line| line == "readyok").count(), questions, "{said}");
    assert_eq!(said.lines().filter(|line| is_answer(line)).count(), searches, "{said}");
    let mut reported = None;
    for line in said.lines() {
        assert!(!line.chars().any(char::is_control), "{line:?}");
        assert!(!line.contains("internal error"), "{line}");
        if line.contains(" multipv 1 ") {
            reported = line.split_once(" pv ").and_then(|(_, pv)| pv.split(' ').next());
        }
        if let Some(best) = line.strip_prefix("bestmove ").and_then(|line| line.split(' ').next()) {
            assert!(matches!(best, "resign" | "win") || reported == Some(best), "{said}");
            reported = None;
        }
    }
}

/// Small tables.
const SMALL: [&str; 2] = ["setoption name USI_Hash value 1", "setoption name MateHash value 1"];

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    // As the reader does, after a byte order mark.
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn first_word(line: &[u8]) -> &str {
    words(line).next().and_then(|word| std::str::from_utf8(word).ok()).unwrap_or_default()
}

fn is_answer(line: &str) -> bool {
    line.starts_with("bestmove ") || line.starts_with("checkmate ")
}

/// Whether a line is harmless: no end of session, files, large memory, or many threads.
fn is_harmless(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    if !text.trim_start().starts_with("setoption") {
        return !text.contains("quit");
    }
    let greatest = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok()).fold(0.0, f64::max);
    let named = rows().filter(|row| text.split_whitespace().any(|word| word.eq_ignore_ascii_case(row.name)));
    named.into_iter().all(|row| match row.kind {
        OptionKind::Text { .. } | OptionKind::Filename { .. } => false,
        OptionKind::Spin { max, .. } if row.name == "Threads" || row.name.contains("Hash") => {
            greatest <= 4.0 || greatest > max as f64
        }
        _ => row.name != "BookLearning",
    })
}

/// Engine output, with a condition variable.
#[derive(Clone, Default)]
struct Shared(Arc<(Mutex<Vec<u8>>, Condvar)>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.0.lock().unwrap().clone()).expect("UTF-8")
    }

    /// Waits for this number of lines of a kind.
    fn wait_for(&self, count: usize, timeout: Duration, is_one: fn(&str) -> bool) {
        let (output, change) = &*self.0;
        let lacks =
            |output: &mut Vec<u8>| String::from_utf8_lossy(output).lines().filter(|line| is_one(line)).count() < count;
        drop(change.wait_timeout_while(output.lock().unwrap(), timeout, lacks));
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.0.lock().unwrap().extend(bytes);
        self.0.1.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A client that waits briefly for every search, and for the last `readyok`.
struct Client {
    /// The next line is the last one.
    lines: Vec<Vec<u8>>,
    /// Current line, and number of bytes sent.
    line: Vec<u8>,
    sent: usize,
    /// Number of `isready` sent.
    questions: usize,
    output: Shared,
}

impl Client {
    /// Waits for the answer to the last line, then proceeds.
    fn turn(&mut self) {
        if first_word(&self.line) == "go" {
            let answers = self.output.text().lines().filter(|line| is_answer(line)).count();
            self.output.wait_for(answers + 1, SHORT, is_answer);
        }
        if self.lines.len() == 1 {
            self.output.wait_for(self.questions, TIMEOUT, |line| line == "readyok");
        }
        self.line = self.lines.pop().map(|line| [&line, b"\n".as_slice()].concat()).unwrap_or_default();
        self.sent = 0;
    }
}

impl Read for Client {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Client {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.sent == self.line.len() {
            self.turn();
        }
        Ok(&self.line[self.sent..])
    }

    fn consume(&mut self, count: usize) {
        self.sent += count;
    }
}
