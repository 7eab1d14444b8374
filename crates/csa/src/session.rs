//! The client's side of a server: the connection, the events of server, engine and user in one
//! queue, the errors that end a connection, and the log.

use super::config::Config;
use super::engine::{ClientEngine, EngineOutput};
use chrono::Local;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Maximum line length. Lines of the protocol have less than a hundred bytes.
const MAX_LINE: usize = 4096;
/// Timeout of connecting and of sending a line.
const IO_TIMEOUT: Duration = Duration::from_secs(15);

/// Event from server, engine or user.
pub(super) enum Event {
    /// A line of this connection.
    Line { connection: u64, at: Instant, text: String },
    /// This connection is closed.
    Closed { connection: u64, reason: String },
    /// Output of the engine.
    EngineOutput(EngineOutput),
    /// The user asks to quit.
    Interrupted,
}

/// Why a connection is closed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ServerError {
    #[error("no connection: {0}")]
    Connect(io::Error),
    #[error("connection lost: {0}")]
    Closed(String),
    #[error("timeout while waiting for {0}")]
    Timeout(&'static str),
    #[error("login rejected: wrong user or password, or the user is logged in already")]
    Login,
    #[error("protocol error of the server: {0}")]
    Protocol(String),
    #[error("interrupted by the user")]
    Interrupted,
}

/// Connection, engine and event queue.
pub(super) struct ServerSession {
    pub config: Config,
    pub engine: ClientEngine,
    pub log: Log,
    /// Number of quit requests.
    pub interrupts: u32,
    /// Events received too early.
    pub pending: VecDeque<Event>,
    pub sender: SyncSender<Event>,
    events: Receiver<Event>,
    pub connection: Option<Connection>,
    connections: u64,
}

impl ServerSession {
    /// A session without a connection.
    pub(super) fn new(
        config: Config,
        engine: ClientEngine,
        log: Log,
        (sender, events): (SyncSender<Event>, Receiver<Event>),
    ) -> Self {
        Self {
            config,
            engine,
            log,
            interrupts: 0,
            pending: VecDeque::new(),
            sender,
            events,
            connection: None,
            connections: 0,
        }
    }

    pub(super) fn connect(&mut self) -> Result<(), ServerError> {
        let Config { host, port, .. } = &self.config;
        self.log.note(&format!("connecting to {host} port {port}"));
        self.connections += 1;
        self.pending.clear();
        let connection = Connection::open(host, *port, self.connections, self.sender.clone());
        self.connection = Some(connection.map_err(ServerError::Connect)?);
        Ok(())
    }

    /// Shuts down the engine without waiting for its output.
    pub(super) fn shut_down(self) {
        drop(self.events);
        self.engine.engine.shut_down();
    }

    /// Reports that a record cannot be saved.
    pub(super) fn log_save_error(&mut self, error: &io::Error) {
        self.log.note(&format!("the record cannot be written: {error}"));
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: &str) -> Result<(), ServerError> {
        if !line.is_empty() {
            self.log.write('>', line);
        }
        let connection = self.connection.as_mut().ok_or_else(|| ServerError::Closed("not connected".to_owned()))?;
        connection.send(line).map_err(|error| ServerError::Closed(error.to_string()))
    }

    /// The next line while no search is running. A quit request interrupts it.
    pub(super) fn line(&mut self, deadline: Instant, what: &'static str) -> Result<(Instant, String), ServerError> {
        loop {
            match self.next(Some(deadline), what)? {
                Event::Line { at, text, .. } => return Ok((at, text)),
                Event::Interrupted => return Err(ServerError::Interrupted),
                Event::EngineOutput(output) => drop(self.engine.answer(output)),
                Event::Closed { .. } => {}
            }
        }
    }

    /// The next event other than a message of the engine, which is logged. A closed connection and
    /// a timeout are errors.
    pub(super) fn next(&mut self, deadline: Option<Instant>, what: &'static str) -> Result<Event, ServerError> {
        if let Some(event) = self.pending.pop_front() {
            return Ok(event);
        }
        loop {
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                return Err(ServerError::Timeout(what));
            }
            let ping = self
                .connection
                .as_ref()
                .map(|connection| connection.sent + Duration::from_secs(self.config.keep_alive));
            if ping.is_some_and(|ping| now >= ping) {
                self.send("")?;
                continue;
            }
            let due = [deadline, ping].into_iter().flatten().min();
            let wait = due.map_or(Duration::MAX, |due| due.saturating_duration_since(now));
            let current = self.connection.as_ref().map(|connection| connection.number);
            match self.events.recv_timeout(wait) {
                Ok(Event::Line { connection, at, text }) if Some(connection) == current => {
                    if !text.is_empty() {
                        self.log.write('<', &text);
                    }
                    return Ok(Event::Line { connection, at, text });
                }
                Ok(Event::Closed { connection, reason }) if Some(connection) == current => {
                    return Err(ServerError::Closed(reason));
                }
                // From an earlier connection.
                Ok(Event::Line { .. } | Event::Closed { .. }) => {}
                Ok(Event::Interrupted) => {
                    self.interrupts += 1;
                    return Ok(Event::Interrupted);
                }
                Ok(Event::EngineOutput(EngineOutput::Note(text))) => self.log.note(&text),
                Ok(event @ Event::EngineOutput(_)) => return Ok(event),
                Err(RecvTimeoutError::Timeout) => {}
                // This side holds a sender itself.
                Err(RecvTimeoutError::Disconnected) => return Err(ServerError::Interrupted),
            }
        }
    }
}

/// The sending side of a connection.
pub(super) struct Connection {
    stream: TcpStream,
    number: u64,
    /// When the last line was sent.
    sent: Instant,
}

impl Connection {
    /// Connects; received lines go to `events`.
    fn open(host: &str, port: u16, number: u64, events: SyncSender<Event>) -> io::Result<Self> {
        let stream = connect(host, port)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(IO_TIMEOUT))?;
        let source = stream.try_clone()?;
        thread::Builder::new().name("server".to_owned()).spawn(move || {
            let reason = read(source, number, &events);
            // Fails after the client has ended.
            let _ = events.send(Event::Closed { connection: number, reason });
        })?;
        Ok(Self { stream, number, sent: Instant::now() })
    }

    /// Sends a line.
    fn send(&mut self, line: &str) -> io::Result<()> {
        self.sent = Instant::now();
        self.stream.write_all(format!("{line}\n").as_bytes())
    }
}

impl Drop for Connection {
    /// Also ends the receiving thread.
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Tries every address of the host.
fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut result = Err(io::Error::new(io::ErrorKind::NotFound, "the host has no address"));
    for address in (host, port).to_socket_addrs()? {
        result = TcpStream::connect_timeout(&address, IO_TIMEOUT);
        if result.is_ok() {
            break;
        }
    }
    result
}

/// Reads lines to the end of input; returns why it ended.
fn read(source: impl Read, connection: u64, events: &SyncSender<Event>) -> String {
    let mut source = BufReader::new(source);
    loop {
        let mut line = Vec::new();
        let result = source.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line);
        let is_terminated = line.pop_if(|byte| *byte == b'\n').is_some();
        if line.len() > MAX_LINE {
            return format!("a line has more than {MAX_LINE} bytes");
        }
        // The last line may be unterminated.
        if is_terminated || !line.is_empty() {
            let text = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
            if events.send(Event::Line { connection, at: Instant::now(), text }).is_err() {
                // The client is gone.
                return String::new();
            }
        }
        match result {
            Ok(_) if is_terminated => {}
            Ok(_) => return "the server closed it".to_owned(),
            Err(error) => return error.to_string(),
        }
    }
}

/// Longer lines are cut.
const MAX_LOGGED: usize = 400;
/// Lines that wait for the output; later ones are missing there.
const LOG_QUEUE: usize = 4096;

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
        let (sender, lines) = mpsc::sync_channel::<String>(LOG_QUEUE);
        let writer = thread::Builder::new().name("log".to_owned()).spawn(move || {
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
        let plain = text.chars().take(MAX_LOGGED).map(|c| if c.is_control() { '?' } else { c });
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
