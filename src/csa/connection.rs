//! A connection to a server: lines out, and lines in from a thread that reads.

use super::event::Event;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, Instant};

/// The longest line of a server. Those of the protocol have less than a hundred bytes.
const LONGEST_LINE: usize = 4096;
/// How long an address has to answer, and a line to be taken.
const PATIENCE: Duration = Duration::from_secs(15);

/// The end of a connection that is written to.
pub(super) struct Connection {
    stream: TcpStream,
    number: u64,
    /// When a line was last sent.
    pub sent: Instant,
}

impl Connection {
    /// Connects; what comes in goes to `events`.
    pub(super) fn open(host: &str, port: u16, number: u64, events: SyncSender<Event>) -> io::Result<Self> {
        let stream = connect(host, port)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let source = stream.try_clone()?;
        thread::Builder::new().name("server".to_owned()).spawn(move || {
            let reason = read(source, number, &events);
            // After the client has ended nothing is received any more.
            let _ = events.send(Event::Closed { connection: number, reason });
        })?;
        Ok(Self { stream, number, sent: Instant::now() })
    }

    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: &str) -> io::Result<()> {
        self.sent = Instant::now();
        self.stream.write_all(format!("{line}\n").as_bytes())
    }
}

impl Drop for Connection {
    /// Ends the thread that reads, too.
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Tries every address of the host.
fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut result = Err(io::Error::new(io::ErrorKind::NotFound, "the host has no address"));
    for address in (host, port).to_socket_addrs()? {
        result = TcpStream::connect_timeout(&address, PATIENCE);
        if result.is_ok() {
            break;
        }
    }
    result
}

/// Reads lines until the end, and tells why it ended.
fn read(mut source: impl Read, connection: u64, events: &SyncSender<Event>) -> String {
    let mut line = Vec::new();
    let mut bytes = [0; 4096];
    loop {
        let end = match source.read(&mut bytes) {
            Ok(0) => Some("the server closed it".to_owned()),
            Ok(count) => {
                for &byte in &bytes[..count] {
                    if byte == b'\n' {
                        if !pass_on(&mut line, connection, events) {
                            return String::new();
                        }
                    } else if line.len() == LONGEST_LINE {
                        return format!("a line has more than {LONGEST_LINE} bytes");
                    } else {
                        line.push(byte);
                    }
                }
                None
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => None,
            Err(error) => Some(error.to_string()),
        };
        if let Some(reason) = end {
            // The last line may lack its end.
            if !line.is_empty() {
                pass_on(&mut line, connection, events);
            }
            return reason;
        }
    }
}

/// Whether there is still a client.
fn pass_on(line: &mut Vec<u8>, connection: u64, events: &SyncSender<Event>) -> bool {
    let text = String::from_utf8_lossy(line).trim_end_matches('\r').to_owned();
    line.clear();
    events.send(Event::Line { connection, at: Instant::now(), text }).is_ok()
}
