//! What is said and done, with the time.

use crate::util::open_to_append;
use chrono::Local;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// The longest line that is repeated whole.
const LONGEST: usize = 400;

/// A log on an output and perhaps in a file. It never shows the password.
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

    /// A line from the server.
    pub(super) fn received(&mut self, line: &str) {
        self.write('<', line);
    }

    /// A line to the server.
    pub(super) fn sent(&mut self, line: &str) {
        self.write('>', line);
    }

    /// What there is to say besides.
    pub(super) fn note(&mut self, text: &str) {
        self.write('-', text);
    }

    /// That the log cannot be written is no reason to lose a game.
    fn write(&mut self, sign: char, text: &str) {
        let text = text.replace(&self.secret, "***");
        let plain = text.chars().take(LONGEST).map(|c| if c.is_control() { '?' } else { c });
        let line = format!("{} {sign} {}\n", Local::now().format("%F %T%.3f"), plain.collect::<String>());
        let _ = self.out.write_all(line.as_bytes()).and_then(|()| self.out.flush());
        if let Some(file) = &mut self.file {
            let _ = file.write_all(line.as_bytes());
        }
    }
}
