//! The log file, the only state of the run.

use super::event::{Event, LogEntry};
use super::history::History;
use sabi_files::{append_line, open_lines};
use std::io::{self, BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};

/// The log cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum LogError {
    #[error("cannot read '{}'", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("'{}', line {line}: {reason}", path.display())]
    Line { path: PathBuf, line: usize, reason: String },
}

/// An append-only file of events, each written at once: a truncated last event is ignored.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    history: History,
}

impl Log {
    /// Opens or creates a log.
    ///
    /// # Errors
    /// When it cannot be read, or its events are inconsistent.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let error = |source| LogError::Io { path: path.to_owned(), source };
        let mut file = open_lines(path, true).map_err(error)?;
        file.rewind().map_err(error)?;
        let mut history = History::default();
        for (at, line) in BufReader::new(file).split(b'\n').enumerate() {
            let line = line.map_err(error)?;
            // Before decoding: it may be truncated within a character.
            if line.ends_with(b"<cut>") {
                continue;
            }
            let bad = |reason: String| LogError::Line { path: path.to_owned(), line: at + 1, reason };
            let entry: LogEntry = serde_json::from_slice(&line).map_err(|error| bad(error.to_string()))?;
            history.add(&entry).map_err(|reason| bad(reason.to_owned()))?;
        }
        Ok(Self { path: path.to_owned(), history })
    }

    /// State after all events.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Appends an event, syncs the file and returns the line.
    ///
    /// # Errors
    /// I/O errors, and events inconsistent with the previous ones.
    pub fn add(&mut self, time: u64, active_seconds: u64, event: Event) -> io::Result<String> {
        let entry = LogEntry { time, active_seconds, event };
        let mut history = self.history.clone();
        history.add(&entry).map_err(io::Error::other)?;
        let line = serde_json::to_string(&entry)?;
        append_line(&self.path, &line)?;
        self.history = history;
        Ok(line)
    }
}
