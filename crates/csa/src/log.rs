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

/// A log on an output and optionally in a file. The login line is written without the password.
pub(super) struct Log {
    /// Written by a thread of its own: a console blocks while its user selects text.
    out: Option<SyncSender<String>>,
    writer: Option<JoinHandle<()>>,
    file: Option<File>,
    /// The login line, and as it is written.
    login: [String; 2],
}

impl Log {
    /// A log that hides `secret` at the end of the line `login`, also when a server repeats it.
    /// Elsewhere a replacement would spoil the text, and give away a password that is a common word.
    pub(super) fn new(
        mut out: Box<dyn Write + Send>,
        file: Option<File>,
        login: &str,
        secret: &str,
    ) -> io::Result<Self> {
        let shown = format!("{}***", login.strip_suffix(secret).unwrap_or_default());
        let (sender, lines) = mpsc::sync_channel::<String>(QUEUE);
        let writer = Builder::new().name("log".to_owned()).spawn(move || {
            let mut write = |line: String| out.write_all(line.as_bytes()).and_then(|()| out.flush());
            let _ = lines.into_iter().try_for_each(&mut write);
        })?;
        Ok(Self { out: Some(sender), writer: Some(writer), file, login: [login.to_owned(), shown] })
    }

    /// A message of the client.
    pub(super) fn note(&mut self, text: &str) {
        self.write('-', text);
    }

    /// A message, or a line: `<` received, `>` sent. A failing log must not lose a game.
    pub(super) fn write(&mut self, sign: char, text: &str) {
        let [login, shown] = &self.login;
        let text = text.replace(login, shown);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn only_the_login_line_hides_the_password() {
        for (login, secret, shown) in [
            ("LOGIN sabi y", "y", "LOGIN sabi ***"),
            ("LOGIN sabi floodgate-300-10F,0", "0", "LOGIN sabi floodgate-300-10F,***"),
            ("LOGIN LOGIN LOGIN", "LOGIN", "LOGIN LOGIN ***"),
        ] {
            let mut file = tempfile::tempfile().unwrap();
            let mut log = Log::new(Box::new(io::sink()), Some(file.try_clone().unwrap()), login, secret).unwrap();
            log.note("trying again in 10 s");
            log.write('>', login);
            log.write('<', &format!("unknown command: {login}!"));
            log.write('<', "LOGIN:sabi OK");
            drop(log);
            let mut text = String::new();
            io::Seek::rewind(&mut file).unwrap();
            file.read_to_string(&mut text).unwrap();
            // Each begins with date, time and sign.
            let lines: Vec<&str> = text.lines().filter_map(|line| line.splitn(4, ' ').nth(3)).collect();
            let echo = format!("unknown command: {shown}!");
            assert_eq!(lines, ["trying again in 10 s", shown, &echo, "LOGIN:sabi OK"]);
        }
    }
}
