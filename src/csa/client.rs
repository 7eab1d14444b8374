//! One player on one server: logs in, plays game after game, and comes back when the connection is cut.

use super::archive::Archive;
use super::config::{Config, ConfigError};
use super::connection::{Connection, Event};
use super::game::{Cut, Ended, Playing};
use super::log::Log;
use super::message::{self, Message};
use super::summary::Summary;
use super::thinker::{Heard, Thinker};
use super::trouble::Trouble;
use crate::engine::{Options, Outcome};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

/// What may be said before the client listens.
const QUEUE: usize = 1024;
/// How long a server has for the answer to a login, and to finish the description of a game it has begun.
const ANSWER: Duration = Duration::from_secs(30);
/// How long the opponent has to agree to a game.
const AGREEMENT: Duration = Duration::from_secs(600);
/// How long a server has to say that a game goes on that it offers again.
const RESUMPTION: Duration = Duration::from_secs(10);
/// How long the engine has to be ready. A large network on a slow disk takes seconds.
const PREPARATION: Duration = Duration::from_secs(300);
/// How long a server has to say good-bye.
const FAREWELL: Duration = Duration::from_secs(5);
/// After this long without a word from the server while waiting for a game, the login is tried anew.
const IDLE: Duration = Duration::from_secs(4 * 3600);
/// The most lines of a description: more than the longest game.
const MOST_LINES: usize = 4096;

/// Games won, lost and drawn, and those without a result.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won.
    pub won: u32,
    /// Lost.
    pub lost: u32,
    /// Drawn.
    pub drawn: u32,
    /// Broken off.
    pub unknown: u32,
}

impl Tally {
    const fn games(&self) -> u32 {
        self.won + self.lost + self.drawn + self.unknown
    }
}

/// Why a client cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The log, the folder of the records, or a thread.
    #[error("{0}: {1}")]
    Io(&'static str, io::Error),
    /// The server, after the tries that are allowed.
    #[error("{0}")]
    Server(String),
}

/// Tells a client to leave: after the game that is on, or, told again, in the midst of it.
#[derive(Clone)]
pub struct Interrupter(SyncSender<Event>);

impl Interrupter {
    /// Tells it.
    pub fn interrupt(&self) {
        let _ = self.0.send(Event::Interrupted);
    }
}

/// A player.
pub struct Client {
    pub(super) config: Config,
    pub(super) thinker: Thinker,
    pub(super) log: Log,
    /// How often the user has asked to leave.
    pub(super) interrupts: u32,
    options: Options,
    login: String,
    sender: SyncSender<Event>,
    events: Receiver<Event>,
    connection: Option<Connection>,
    connections: u64,
    /// Lines that were heard too early.
    put_back: VecDeque<Event>,
    tally: Tally,
    /// The game that was cut.
    cut: Option<Cut>,
}

impl Client {
    /// A player that has not connected yet. Its log goes to `out`.
    ///
    /// # Errors
    /// When the log or the folder of the records cannot be written, or the system gives no thread.
    pub fn new(config: Config, out: impl Write + Send + 'static) -> Result<Self, ClientError> {
        let (secret, login) = config.login()?;
        let log =
            Log::new(Box::new(out), config.log.as_deref(), secret).map_err(|error| ClientError::Io("log", error))?;
        std::fs::create_dir_all(&config.records).map_err(|error| ClientError::Io("records", error))?;
        let options = config.engine_options().map_err(ConfigError::from)?;
        let (sender, events) = mpsc::sync_channel(QUEUE);
        let thinker =
            Thinker::new(sender.clone(), options.clone()).map_err(|error| ClientError::Io("engine", error))?;
        Ok(Self {
            config,
            thinker,
            log,
            interrupts: 0,
            options,
            login,
            sender,
            events,
            connection: None,
            connections: 0,
            put_back: VecDeque::new(),
            tally: Tally::default(),
            cut: None,
        })
    }

    /// What tells this client to leave.
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.sender.clone())
    }

    /// Plays the games that are wanted.
    ///
    /// # Errors
    /// When the first login is refused, or the connection fails more often in a row than is allowed.
    pub fn play(mut self) -> Result<Tally, ClientError> {
        let result = self.play_games();
        self.log_out();
        let Self { thinker, events, tally, .. } = self;
        // What the engine still says must not wait for a listener.
        drop(events);
        thinker.shut_down();
        result.map(|()| tally)
    }

    fn play_games(&mut self) -> Result<(), ClientError> {
        let mut failures = 0;
        let mut was_in = false;
        while self.wants_more() {
            let trouble = match self.play_one(&mut was_in, &mut failures) {
                Ok(()) => continue,
                Err(Trouble::Interrupted) => break,
                Err(trouble) => trouble,
            };
            self.connection = None;
            self.log.note(&trouble.to_string());
            failures += 1;
            let is_refused = matches!(trouble, Trouble::Login) && !was_in;
            let most = self.config.reconnect.tries;
            if is_refused || most > 0 && failures >= most {
                return Err(ClientError::Server(trouble.to_string()));
            }
            let pause = self.config.reconnect.pause(failures);
            self.log.note(&format!("trying again in {} s", pause.as_secs()));
            if let Err(Trouble::Interrupted) = self.sleep(pause) {
                break;
            }
        }
        self.forget_cut();
        Ok(())
    }

    const fn wants_more(&self) -> bool {
        let games = self.config.games;
        self.interrupts == 0 && (games == 0 || self.tally.games() < games)
    }

    /// From the login, if there is no connection, to the end of a game.
    fn play_one(&mut self, was_in: &mut bool, failures: &mut u32) -> Result<(), Trouble> {
        if self.connection.is_none() {
            self.log_in()?;
            *was_in = true;
        }
        let summary = self.await_summary()?;
        let cut = match self.cut.take() {
            Some(cut) if cut.is_of(&summary) => Some(cut),
            other => {
                self.cut = other;
                self.forget_cut();
                None
            }
        };
        let resumed = cut.is_some();
        self.prepare(&summary, resumed)?;
        self.agree(&summary, resumed)?;
        *failures = 0;
        let archive = match cut.as_ref().and_then(|cut| cut.archive.clone()) {
            Some(archive) => Some(archive),
            None => Archive::new(&self.config.records, &summary.id).map_err(|error| self.unsaved(&error)).ok(),
        };
        let number = self.tally.games() + 1;
        let names = summary.game.names.each_ref().map(|name| name.as_deref().unwrap_or("?"));
        let verb = if resumed { "goes on" } else { "begins" };
        self.log.note(&format!("game {number} {verb}: {} - {}, as {:?}", names[0], names[1], summary.color));
        match Playing::new(self, summary, archive, cut).play() {
            Ended::Over { outcome, text } => {
                self.count(outcome);
                self.log.note(&format!("game {number} over: {text}"));
                self.tell_tally();
                if self.config.login_every_game {
                    self.log_out();
                }
                Ok(())
            }
            Ended::Cut { cut, trouble } => {
                self.cut = Some(cut);
                Err(trouble)
            }
        }
    }

    fn count(&mut self, outcome: Option<Outcome>) {
        *match outcome {
            Some(Outcome::Win) => &mut self.tally.won,
            Some(Outcome::Lose) => &mut self.tally.lost,
            Some(Outcome::Draw) => &mut self.tally.drawn,
            None => &mut self.tally.unknown,
        } += 1;
    }

    /// A game that was cut will not go on: it counts as one without a result.
    fn forget_cut(&mut self) {
        if self.cut.take().is_some() {
            self.count(None);
            self.log.note("the game that was cut did not go on");
            self.tell_tally();
        }
    }

    fn tell_tally(&mut self) {
        let Tally { won, lost, drawn, unknown } = self.tally;
        self.log.note(&format!("won {won}, lost {lost}, drawn {drawn}, without a result {unknown}"));
    }

    /// Says that a record cannot be kept.
    pub(super) fn unsaved(&mut self, error: &io::Error) {
        self.log.note(&format!("the record cannot be written: {error}"));
    }

    fn log_in(&mut self) -> Result<(), Trouble> {
        let Config { host, port, .. } = &self.config;
        self.log.note(&format!("connecting to {host} port {port}"));
        self.connections += 1;
        self.put_back.clear();
        let connection = Connection::open(host, *port, self.connections, self.sender.clone());
        self.connection = Some(connection.map_err(Trouble::Connect)?);
        let login = self.login.clone();
        self.send(&login)?;
        let deadline = Instant::now() + ANSWER;
        loop {
            let (_, line) = self.line(deadline, "the answer to the login")?;
            match message::parse(&line) {
                Message::LoginOk => return Ok(()),
                Message::LoginIncorrect => return Err(Trouble::Login),
                _ => {}
            }
        }
    }

    /// Leaves the server, if there is one.
    fn log_out(&mut self) {
        if self.connection.is_some() && self.send("LOGOUT").is_ok() {
            let deadline = Instant::now() + FAREWELL;
            while let Ok((_, line)) = self.line(deadline, "the logout") {
                if message::parse(&line) == Message::LogoutCompleted {
                    break;
                }
            }
        }
        self.connection = None;
    }

    fn await_summary(&mut self) -> Result<Summary, Trouble> {
        loop {
            let (_, line) = self.line(Instant::now() + IDLE, "a game")?;
            if message::parse(&line) == Message::Summary {
                break;
            }
        }
        let deadline = Instant::now() + ANSWER;
        let mut lines = Vec::new();
        loop {
            let (_, line) = self.line(deadline, "the rest of Game_Summary")?;
            if line.trim() == "END Game_Summary" {
                break;
            }
            if lines.len() == MOST_LINES {
                return Err(Trouble::Protocol(format!("Game_Summary has more than {MOST_LINES} lines")));
            }
            lines.push(line);
        }
        Summary::parse(&lines).map_err(|error| {
            let told = format!("Game_Summary: {error}");
            // Without an id, which may be what is missing, it is the game that was offered last.
            let id = lines.iter().find_map(|line| line.strip_prefix("Game_ID:")).unwrap_or_default();
            let _ = self.send(format!("REJECT {id}").trim_end());
            Trouble::Protocol(told)
        })
    }

    /// Makes the engine ready, with the options that this game asks for where the user has not set them.
    fn prepare(&mut self, summary: &Summary, resumed: bool) -> Result<(), Trouble> {
        let mut options = self.options.clone();
        if !self.config.sets("RoundUpToFullSecond") {
            options.search.time.round_up = summary.clocks(false).rules(summary.color).drops_fractions();
        }
        if !self.config.sets("MaxMovesToDraw") {
            options.search.max_moves = summary.max_moves;
        }
        self.thinker.prepare(options, !resumed);
        let deadline = Instant::now() + PREPARATION;
        let mut early = VecDeque::new();
        loop {
            match self.next(Some(deadline), "the engine")? {
                Event::Said(said) => match self.thinker.hear(said) {
                    Heard::Ready => break,
                    Heard::Note(text) => self.log.note(&text),
                    _ => {}
                },
                Event::Interrupted => return Err(Trouble::Interrupted),
                _ if early.len() == QUEUE => {
                    return Err(Trouble::Protocol("it does not wait for an answer".to_owned()));
                }
                line => early.push_back(line),
            }
        }
        self.put_back = early;
        Ok(())
    }

    /// Agrees to a game, and waits for its start. A server that offers a running game again may leave that out.
    fn agree(&mut self, summary: &Summary, resumed: bool) -> Result<(), Trouble> {
        self.send(format!("AGREE {}", summary.id).trim_end())?;
        let deadline = Instant::now() + if resumed { RESUMPTION } else { AGREEMENT };
        loop {
            let (at, line) = match self.line(deadline, "the start of the game") {
                Err(Trouble::Silence(_)) if resumed => return Ok(()),
                other => other?,
            };
            match message::parse(&line) {
                Message::Start { .. } => return Ok(()),
                Message::Reject { reason } => return Err(Trouble::Rejected(reason.to_owned())),
                Message::Move { .. } | Message::End { .. } | Message::Special { .. } => {
                    let connection = self.connections;
                    self.put_back.push_back(Event::Line { connection, at, text: line });
                    return Ok(());
                }
                _ => {}
            }
        }
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: &str) -> Result<(), Trouble> {
        if !line.is_empty() {
            self.log.sent(line);
        }
        let connection = self.connection.as_mut().ok_or_else(|| Trouble::Closed("it was given up".to_owned()))?;
        connection.send(line).map_err(|error| Trouble::Closed(error.to_string()))
    }

    /// The next line while nothing is thought about. To be asked to leave then ends the waiting.
    fn line(&mut self, deadline: Instant, what: &'static str) -> Result<(Instant, String), Trouble> {
        loop {
            match self.next(Some(deadline), what)? {
                Event::Line { at, text, .. } => return Ok((at, text)),
                Event::Interrupted => return Err(Trouble::Interrupted),
                Event::Said(said) => {
                    if let Heard::Note(text) = self.thinker.hear(said) {
                        self.log.note(&text);
                    }
                }
                Event::Closed { .. } => {}
            }
        }
    }

    /// The next thing that is heard. The end of the connection is a trouble; so is silence up to the deadline.
    pub(super) fn next(&mut self, deadline: Option<Instant>, what: &'static str) -> Result<Event, Trouble> {
        if let Some(event) = self.put_back.pop_front() {
            return Ok(event);
        }
        loop {
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                return Err(Trouble::Silence(what));
            }
            let ping = self.connection.as_ref().map(|connection| connection.sent + self.config.keep_alive());
            if ping.is_some_and(|ping| now >= ping) {
                self.send("")?;
                continue;
            }
            let due = [deadline, ping].into_iter().flatten().min();
            let wait = due.map_or(Duration::MAX, |due| due.saturating_duration_since(now));
            let current = self.connection.as_ref().map(Connection::number);
            match self.events.recv_timeout(wait) {
                Ok(Event::Line { connection, at, text }) if Some(connection) == current => {
                    if !text.is_empty() {
                        self.log.received(&text);
                    }
                    return Ok(Event::Line { connection, at, text });
                }
                Ok(Event::Closed { connection, reason }) if Some(connection) == current => {
                    return Err(Trouble::Closed(reason));
                }
                // Of an earlier connection.
                Ok(Event::Line { .. } | Event::Closed { .. }) => {}
                Ok(Event::Interrupted) => {
                    self.interrupts += 1;
                    return Ok(Event::Interrupted);
                }
                Ok(event @ Event::Said(_)) => return Ok(event),
                Err(RecvTimeoutError::Timeout) => {}
                // This side holds a sender itself.
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Interrupted),
            }
        }
    }

    fn sleep(&mut self, pause: Duration) -> Result<(), Trouble> {
        match self.line(Instant::now() + pause, "the next try") {
            Err(Trouble::Interrupted) => Err(Trouble::Interrupted),
            _ => Ok(()),
        }
    }
}
