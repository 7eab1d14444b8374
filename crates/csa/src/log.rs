//! Log with timestamps.

use chrono::Local;
use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{self, SyncSender};
use std::thread::{Builder, JoinHandle};

/// Longer lines are cut.
const MAX_LINE: usize = 400;
/// Lines that wait for the output; later ones are missing there.
const QUEUE: usize = 4096;

/// A log on an output and optionally in a file. It never contains the password.
pub(super) struct Log {
    /// Written by a thread of its own: a console blocks while its user selects text.
    out: Option<SyncSender<String>>,
    writer: Option<JoinHandle<()>>,
    file: Option<File>,
    secret: String,
}

impl Log {
    pub(super) fn new(mut out: Box<dyn Write + Send>, file: Option<File>, secret: String) -> io::Result<Self> {
        let (sender, lines) = mpsc::sync_channel::<String>(QUEUE);
        let writer = Builder::new().name("log".to_owned()).spawn(move || {
            let mut write = |line: String| out.write_all(line.as_bytes()).and_then(|()| out.flush());
            let _ = lines.into_iter().try_for_each(&mut write);
        })?;
        Ok(Self { out: Some(sender), writer: Some(writer), file, secret })
    }

    /// A message of the client.
    pub(super) fn note(&mut self, text: &str) {
        self.write('-', text);
    }

    /// A message, or a line: `<` received, `>` sent. A failing log must not lose a game.
    pub(super) fn write(&mut self, sign: char, text: &str) {
        let text = text.replace(&self.secret, "***");
        let plain = text.chars().take(MAX_LINE).map(|c| if c.is_control() { '?' } else { c });
        let line = format!("{} {sign} {}\n", Local::now().format("%F %T%.3f"), plain.collect::<String>());
        if let Some(file) = &mut self.file {
            let _ = file.write_all(line.as_bytes());
        }
        if let Some(out) = &self.out {
            let _ = out.try_send(line);
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.out = None;
        let _ = self.writer.take().map(JoinHandle::join);
    }
}
