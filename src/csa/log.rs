//! Log with timestamps.

use crate::util::open_to_append;
use chrono::Local;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Longer lines are cut.
const MAX_LINE: usize = 400;

/// A log on an output and optionally in a file. It never contains the password.
pub(super) struct Log {
    out: Box<dyn Write + Send>,
    file: Option<File>,
    secret: String,
}

impl Log {
    pub(super) fn new(out: Box<dyn Write + Send>, file: Option<&Path>, secret: String) -> io::Result<Self> {
        let file = file.map(open_to_append).transpose()?;
        Ok(Self { out, file, secret })
    }

    /// A received line.
    pub(super) fn received(&mut self, line: &str) {
        self.write('<', line);
    }

    /// A sent line.
    pub(super) fn sent(&mut self, line: &str) {
        self.write('>', line);
    }

    /// A message of the client.
    pub(super) fn note(&mut self, text: &str) {
        self.write('-', text);
    }

    /// A failing log must not lose a game.
    fn write(&mut self, sign: char, text: &str) {
        let text = text.replace(&self.secret, "***");
        let plain = text.chars().take(MAX_LINE).map(|c| if c.is_control() { '?' } else { c });
        let line = format!("{} {sign} {}\n", Local::now().format("%F %T%.3f"), plain.collect::<String>());
        let _ = self.out.write_all(line.as_bytes()).and_then(|()| self.out.flush());
        if let Some(file) = &mut self.file {
            let _ = file.write_all(line.as_bytes());
        }
    }
}
