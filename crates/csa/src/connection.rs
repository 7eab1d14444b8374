//! A server connection: sends lines; a thread receives them.

use super::event::Event;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, Instant};

/// Maximum line length. Lines of the protocol have less than a hundred bytes.
const MAX_LINE: usize = 4096;
/// Timeout of connecting and of sending a line.
const IO_TIMEOUT: Duration = Duration::from_secs(15);

/// The sending side of a connection.
pub(super) struct Connection {
    stream: TcpStream,
    pub number: u64,
    /// When the last line was sent.
    pub sent: Instant,
}

impl Connection {
    /// Connects; received lines go to `events`.
    pub(super) fn open(host: &str, port: u16, number: u64, events: SyncSender<Event>) -> io::Result<Self> {
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
    pub(super) fn send(&mut self, line: &str) -> io::Result<()> {
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
