//! Server, engine, log and events of a client.

use super::config::Config;
use super::connection::Connection;
use super::engine::{EngineOutput, SessionEngine};
use super::event::Event;
use super::log::Log;
use super::session_error::SessionError;
use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

/// Connection, engine and event queue.
pub(super) struct Session {
    pub config: Config,
    pub engine: SessionEngine,
    pub log: Log,
    /// Number of quit requests.
    pub interrupts: u32,
    /// Events received too early.
    pub pending: VecDeque<Event>,
    sender: SyncSender<Event>,
    events: Receiver<Event>,
    connection: Option<Connection>,
    connections: u64,
}

impl Session {
    /// A session without a connection.
    pub(super) fn new(
        config: Config,
        engine: SessionEngine,
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

    /// Sender of events.
    pub(super) fn sender(&self) -> SyncSender<Event> {
        self.sender.clone()
    }

    pub(super) const fn is_connected(&self) -> bool {
        self.connection.is_some()
    }

    pub(super) fn connect(&mut self) -> Result<(), SessionError> {
        let Config { host, port, .. } = &self.config;
        self.log.note(&format!("connecting to {host} port {port}"));
        self.connections += 1;
        self.pending.clear();
        let connection = Connection::open(host, *port, self.connections, self.sender.clone());
        self.connection = Some(connection.map_err(SessionError::Connect)?);
        Ok(())
    }

    pub(super) fn disconnect(&mut self) {
        self.connection = None;
    }

    /// Shuts down the engine without waiting for its output.
    pub(super) fn shut_down(self) {
        drop(self.events);
        self.engine.shut_down();
    }

    /// Reports that a record cannot be saved.
    pub(super) fn log_save_error(&mut self, error: &io::Error) {
        self.log.note(&format!("the record cannot be written: {error}"));
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: &str) -> Result<(), SessionError> {
        if !line.is_empty() {
            self.log.sent(line);
        }
        let connection = self.connection.as_mut().ok_or_else(|| SessionError::Closed("not connected".to_owned()))?;
        connection.send(line).map_err(|error| SessionError::Closed(error.to_string()))
    }

    /// The next line while no search is running. A quit request interrupts it.
    pub(super) fn line(&mut self, deadline: Instant, what: &'static str) -> Result<(Instant, String), SessionError> {
        loop {
            match self.next(Some(deadline), what)? {
                Event::Line { at, text, .. } => return Ok((at, text)),
                Event::Interrupted => return Err(SessionError::Interrupted),
                Event::EngineOutput(output) => drop(self.engine.answer(output)),
                Event::Closed { .. } => {}
            }
        }
    }

    /// The next event other than a message of the engine, which is logged. A closed connection and
    /// a timeout are errors.
    pub(super) fn next(&mut self, deadline: Option<Instant>, what: &'static str) -> Result<Event, SessionError> {
        if let Some(event) = self.pending.pop_front() {
            return Ok(event);
        }
        loop {
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                return Err(SessionError::Timeout(what));
            }
            let ping = self.connection.as_ref().map(|connection| connection.sent + self.config.keep_alive());
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
                        self.log.received(&text);
                    }
                    return Ok(Event::Line { connection, at, text });
                }
                Ok(Event::Closed { connection, reason }) if Some(connection) == current => {
                    return Err(SessionError::Closed(reason));
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
                Err(RecvTimeoutError::Disconnected) => return Err(SessionError::Interrupted),
            }
        }
    }
}
