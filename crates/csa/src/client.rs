//! A player on one server: logs in, plays games, and reconnects.

use super::config::{Config, ConfigError};
use super::engine::{ClientEngine, Engine, EngineOutput, EngineOutputs, GameRules};
use super::game::{GameEnd, InterruptedGame, RecordFile, RunningGame};
use super::message::{self, GameSummary, Message};
use super::session::{Event, Log, ServerError, ServerSession};
use sabi_files::open_to_append;
use sabi_records::GameResult;
use sabi_shogi::Color;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, SyncSender};
use std::time::{Duration, Instant};

/// Capacity of the event queue.
const QUEUE: usize = 1024;
/// Timeout of the login, and of the rest of a game summary.
const ANSWER: Duration = Duration::from_secs(30);
/// Timeout of the opponent's agreement.
const AGREEMENT: Duration = Duration::from_secs(600);
/// Timeout of the confirmation that an offered game is a resumed one.
const RESUMPTION: Duration = Duration::from_secs(10);
/// Timeout of the engine's setup. A large network on a slow disk takes seconds.
const PREPARATION: Duration = Duration::from_secs(300);
/// Timeout of the logout.
const LOGOUT: Duration = Duration::from_secs(5);
/// Idle time without a line from the server after which the login is repeated.
const IDLE: Duration = Duration::from_secs(4 * 3600);
/// Maximum lines of a game summary: more than the longest game.
const MAX_SUMMARY_LINES: usize = 4096;

/// Numbers of games by result.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultCounts {
    /// Won.
    pub won: u32,
    /// Lost.
    pub lost: u32,
    /// Drawn.
    pub drawn: u32,
    /// Aborted.
    pub unknown: u32,
}

impl ResultCounts {
    const fn games(&self) -> u32 {
        self.won + self.lost + self.drawn + self.unknown
    }
}

/// Why a client stops.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ClientError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The log or the record folder.
    #[error("cannot write '{}': {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// Server failure, after all retries.
    #[error("{0}")]
    Server(String),
}

/// Asks a client to quit: after the current game, or, if asked again, at once.
#[derive(Clone)]
pub struct QuitHandle(SyncSender<Event>);

impl QuitHandle {
    /// Asks the client to quit.
    pub fn interrupt(&self) {
        let _ = self.0.send(Event::Interrupted);
    }
}

/// A player.
pub struct Client {
    session: ServerSession,
    login: String,
    counts: ResultCounts,
    /// The game interrupted by a lost connection.
    interrupted: Option<Box<InterruptedGame>>,
}

impl Client {
    /// A client, not yet connected, that plays with the engine made by `engine`. Its log goes to
    /// `out`.
    ///
    /// # Errors
    /// When the log or the record folder cannot be written, or a thread cannot be started.
    pub fn new(
        config: Config,
        out: impl Write + Send + 'static,
        engine: impl FnOnce(EngineOutputs) -> io::Result<Box<dyn Engine>>,
    ) -> Result<Self, ClientError> {
        let (secret, login) = config.login()?;
        let open = |path: &PathBuf| open_to_append(path).map_err(|error| ClientError::File(path.clone(), error));
        let file = config.log.as_ref().map(open).transpose()?;
        let log = Log::new(Box::new(out), file, &login, &secret).map_err(ClientError::Thread)?;
        std::fs::create_dir_all(&config.records).map_err(|error| ClientError::File(config.records.clone(), error))?;
        let channel = mpsc::sync_channel(QUEUE);
        let sender = channel.0.clone();
        let outputs = Arc::new(move |output| drop(sender.send(Event::EngineOutput(output))));
        let engine = engine(outputs).map_err(ClientError::Thread)?;
        let session = ServerSession::new(config, ClientEngine::new(engine), log, channel);
        Ok(Self { session, login, counts: ResultCounts::default(), interrupted: None })
    }

    /// A handle that asks this client to quit.
    pub fn quit_handle(&self) -> QuitHandle {
        QuitHandle(self.session.sender.clone())
    }

    /// Plays the configured games.
    ///
    /// # Errors
    /// When the first login is rejected, or the connection fails too often in a row.
    pub fn play(mut self) -> Result<ResultCounts, ClientError> {
        let result = self.play_games();
        self.log_out();
        self.session.shut_down();
        result.map(|()| self.counts)
    }

    /// Prepares the engine, logs in and out, and plays nothing.
    ///
    /// # Errors
    /// When the engine does not become ready, the server cannot be reached, or the login is rejected.
    pub fn check(mut self) -> Result<(), ClientError> {
        let rules = GameRules { drops_fractions: false, max_moves: None };
        let result = self.prepare(rules, true).and_then(|()| self.log_in());
        self.log_out();
        if result.is_ok() {
            self.session.log.note("engine and login work");
        }
        self.session.shut_down();
        result.map_err(|error| ClientError::Server(error.to_string()))
    }

    fn play_games(&mut self) -> Result<(), ClientError> {
        let mut failures = 0;
        let mut was_logged_in = false;
        while self.wants_more() {
            let error = match self.play_one(&mut was_logged_in, &mut failures) {
                Ok(()) => continue,
                Err(ServerError::Interrupted) => break,
                Err(error) => error,
            };
            self.session.connection = None;
            self.session.log.note(&error.to_string());
            if !self.wants_more() {
                break;
            }
            failures += 1;
            let is_rejected = matches!(error, ServerError::Login) && !was_logged_in;
            let most = self.session.config.reconnect.tries;
            if is_rejected || most > 0 && failures >= most {
                return Err(ClientError::Server(error.to_string()));
            }
            let pause = self.session.config.reconnect.pause(failures);
            self.session.log.note(&format!("trying again in {} s", pause.as_secs()));
            if let Err(ServerError::Interrupted) = self.session.line(Instant::now() + pause, "the next try") {
                break;
            }
        }
        self.drop_interrupted_game();
        Ok(())
    }

    const fn wants_more(&self) -> bool {
        let games = self.session.config.games;
        self.session.interrupts == 0 && (games == 0 || self.counts.games() < games)
    }

    /// From the login, if not connected, to the end of a game or its rejection.
    fn play_one(&mut self, was_logged_in: &mut bool, failures: &mut u32) -> Result<(), ServerError> {
        if self.session.connection.is_none() {
            self.log_in()?;
            *was_logged_in = true;
        }
        let summary = self.await_summary()?;
        let resumed = self.interrupted.as_ref().is_some_and(|game| game.is_of(&summary));
        if !resumed {
            self.drop_interrupted_game();
            // The dropped game may have been the last one.
            if !self.wants_more() {
                return self.reject(&summary.id);
            }
        }
        let drops_fractions = summary.clocks(false).rules[summary.color].drops_fractions();
        self.prepare(GameRules { drops_fractions, max_moves: summary.max_moves }, !resumed)?;
        if !self.agree(&summary, resumed)? {
            return Ok(());
        }
        *failures = 0;
        let interrupted = self.interrupted.take();
        let record_file = match interrupted.as_ref().and_then(|game| game.record_file.clone()) {
            Some(record_file) => Some(record_file),
            None => RecordFile::new(&self.session.config.records, &summary.id)
                .map_err(|error| self.session.log_save_error(&error))
                .ok(),
        };
        let number = self.counts.games() + 1;
        let names = summary.game.headers.names.each_ref().map(|name| name.as_deref().unwrap_or("?"));
        let verb = if resumed { "continues" } else { "begins" };
        self.session.log.note(&format!("game {number} {verb}: {} - {}, as {:?}", names[0], names[1], summary.color));
        let color = summary.color;
        match RunningGame::new(&mut self.session, summary, record_file, interrupted).play() {
            GameEnd::Over { result, text } => {
                self.count(result, color);
                self.session.log.note(&format!("game {number} over: {text}"));
                self.log_results();
                if self.session.config.login_every_game {
                    self.log_out();
                }
                Ok(())
            }
            GameEnd::Interrupted { game, error } => {
                self.interrupted = Some(game);
                Err(error)
            }
        }
    }

    fn count(&mut self, result: GameResult, color: Color) {
        *match result {
            GameResult::Unknown => &mut self.counts.unknown,
            GameResult::Draw => &mut self.counts.drawn,
            won if won == GameResult::won_by(color) => &mut self.counts.won,
            _ => &mut self.counts.lost,
        } += 1;
    }

    /// An interrupted game that will not be resumed counts as one without a result.
    fn drop_interrupted_game(&mut self) {
        if self.interrupted.take().is_some() {
            self.counts.unknown += 1;
            self.session.log.note("the interrupted game was not resumed");
            self.log_results();
        }
    }

    fn log_results(&mut self) {
        let ResultCounts { won, lost, drawn, unknown } = self.counts;
        self.session.log.note(&format!("won {won}, lost {lost}, drawn {drawn}, without a result {unknown}"));
    }

    fn log_in(&mut self) -> Result<(), ServerError> {
        self.session.connect()?;
        self.session.send(&self.login)?;
        let deadline = Instant::now() + ANSWER;
        loop {
            let (_, line) = self.session.line(deadline, "the answer to the login")?;
            match message::parse(&line) {
                Message::LoginOk => return Ok(()),
                Message::LoginIncorrect => return Err(ServerError::Login),
                _ => {}
            }
        }
    }

    /// Logs out, if connected.
    fn log_out(&mut self) {
        if self.session.connection.is_some() && self.session.send("LOGOUT").is_ok() {
            let deadline = Instant::now() + LOGOUT;
            while let Ok((_, line)) = self.session.line(deadline, "the logout") {
                if message::parse(&line) == Message::LogoutCompleted {
                    break;
                }
            }
        }
        self.session.connection = None;
    }

    fn await_summary(&mut self) -> Result<GameSummary, ServerError> {
        loop {
            let (_, line) = self.session.line(Instant::now() + IDLE, "a game")?;
            if message::parse(&line) == Message::Summary {
                break;
            }
        }
        let deadline = Instant::now() + ANSWER;
        let mut lines = Vec::new();
        loop {
            let (_, line) = self.session.line(deadline, "the rest of Game_Summary")?;
            if line.trim() == "END Game_Summary" {
                break;
            }
            if lines.len() == MAX_SUMMARY_LINES {
                return Err(ServerError::Protocol(format!("Game_Summary has more than {MAX_SUMMARY_LINES} lines")));
            }
            lines.push(line);
        }
        GameSummary::parse(&lines).map_err(|error| {
            let message = format!("Game_Summary: {error}");
            let id = lines.iter().find_map(|line| line.strip_prefix("Game_ID:")).unwrap_or_default();
            let _ = self.reject(id);
            ServerError::Protocol(message)
        })
    }

    /// Rejects an offered game. Without an id the reply refers to the last offer.
    fn reject(&mut self, id: &str) -> Result<(), ServerError> {
        self.session.send(format!("REJECT {id}").trim_end())
    }

    /// Sets up the engine by the rules of this game.
    fn prepare(&mut self, rules: GameRules, new_game: bool) -> Result<(), ServerError> {
        self.session.engine.prepare(rules, new_game);
        let deadline = Instant::now() + PREPARATION;
        let mut early = VecDeque::new();
        loop {
            match self.session.next(Some(deadline), "the engine")? {
                Event::EngineOutput(EngineOutput::Ready) => break,
                Event::EngineOutput(output) => drop(self.session.engine.answer(output)),
                Event::Interrupted => return Err(ServerError::Interrupted),
                _ if early.len() == QUEUE => {
                    return Err(ServerError::Protocol("it did not wait for the agreement".to_owned()));
                }
                line => early.push_back(line),
            }
        }
        self.session.pending = early;
        Ok(())
    }

    /// Agrees to a game and waits for its start: `false` if it is rejected, after which the server
    /// may offer another. A server that resumes a running game may omit the start.
    fn agree(&mut self, summary: &GameSummary, resumed: bool) -> Result<bool, ServerError> {
        self.session.send(format!("AGREE {}", summary.id).trim_end())?;
        let deadline = Instant::now() + if resumed { RESUMPTION } else { AGREEMENT };
        loop {
            let (at, line) = match self.session.line(deadline, "the start of the game") {
                Err(ServerError::Timeout(_)) if resumed => return Ok(true),
                other => other?,
            };
            match message::parse(&line) {
                Message::Start { .. } => return Ok(true),
                Message::Reject { reason } => {
                    self.session.log.note(&format!("the game was rejected: {reason}"));
                    return Ok(false);
                }
                Message::Move { .. } | Message::End { .. } | Message::Special { .. } => {
                    self.session.pending.push_front(Event::Line { connection: 0, at, text: line });
                    return Ok(true);
                }
                _ => {}
            }
        }
    }
}
