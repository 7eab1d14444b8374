//! One game, from its start to the final message, and its record.

use super::engine::EngineAnswer;
use super::message::{self, GameSummary, Message};
use super::server_clock::ServerClocks;
use super::session::{Event, ServerError, ServerSession};
use chrono::Local;
use sabi_files::replace_with_bytes;
use sabi_records::{EndReason, Game, GameResult, Notation, comment_score, csa_line, csa_move, read_csa_move};
use sabi_shogi::{Color, Move, Position, Score};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time beyond the clock for the server to report a timeout or to echo a move.
const SLACK: Duration = Duration::from_secs(60);
/// Time between the end reason and the result.
const RESULT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum length of a PV sent.
const LINE_MOVES: usize = 16;
/// Score of a mate in comments.
const MATE: i32 = 100_000;

/// A game interrupted by a lost connection.
pub(super) struct InterruptedGame {
    game: Game,
    pub record_file: Option<RecordFile>,
    id: String,
    /// When the clock of the side to move was started.
    turn_start: Instant,
}

impl InterruptedGame {
    /// Whether the server offers this game again.
    pub(super) fn is_of(&self, summary: &GameSummary) -> bool {
        !self.id.is_empty() && self.id == summary.id && self.game.start.sfen() == summary.game.start.sfen()
    }
}

/// How a game ended for this client.
pub(super) enum GameEnd {
    /// Finished.
    Over { result: GameResult, text: String },
    /// Interrupted; it may continue on the server.
    Interrupted { game: Box<InterruptedGame>, error: ServerError },
}

/// State of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum State {
    /// It is the turn of the engine.
    Thinking,
    /// Move sent; waiting for its echo.
    Sent,
    /// The opponent's turn.
    Waiting,
    /// The opponent's turn; pondering on this move.
    Pondering(Move),
}

/// End of the game as reported by the server.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct ServerResult {
    end: EndReason,
    result: GameResult,
    /// Whether the result was reported.
    last: bool,
}

/// A running game.
pub(super) struct RunningGame<'s> {
    session: &'s mut ServerSession,
    id: String,
    color: Color,
    position: Position,
    game: Game,
    record_file: Option<RecordFile>,
    clocks: ServerClocks,
    state: State,
    /// When the clock of the side to move was started.
    turn_start: Instant,
    /// When the state was entered.
    state_since: Instant,
    /// Ponder move of the move sent.
    expected: Option<Move>,
    /// Comment to be recorded with it.
    comment: Option<String>,
    server_result: ServerResult,
    /// When to give up waiting for the end.
    end_deadline: Option<Instant>,
}

impl<'s> RunningGame<'s> {
    pub(super) fn new(
        session: &'s mut ServerSession,
        mut summary: GameSummary,
        record_file: Option<RecordFile>,
        interrupted: Option<Box<InterruptedGame>>,
    ) -> Self {
        if let Some(interrupted) = &interrupted {
            summary.add_times(&interrupted.game);
        }
        let clocks = summary.clocks(interrupted.is_some());
        let position = summary.game.last_position();
        let mut game = summary.record(&clocks);
        game.headers.date = Some(Local::now().format("%Y/%m/%d %H:%M:%S").to_string());
        let mut turn_start = Instant::now();
        if let Some(interrupted) = interrupted {
            game.headers.date = interrupted.game.headers.date;
            if game.moves.starts_with(&interrupted.game.moves) {
                // The times of moves made meanwhile are unknown; the clock has been running at most
                // since then.
                (game.comments, turn_start) = (interrupted.game.comments, interrupted.turn_start);
            }
        }
        Self {
            session,
            id: summary.id,
            color: summary.color,
            position,
            game,
            record_file,
            clocks,
            state: State::Waiting,
            turn_start,
            state_since: Instant::now(),
            expected: None,
            comment: None,
            server_result: ServerResult::default(),
            end_deadline: None,
        }
    }

    /// Plays to the end of the game or of the connection.
    pub(super) fn play(mut self) -> GameEnd {
        self.save();
        let result = self.begin_turn().and_then(|()| self.listen());
        self.session.engine.abandon();
        match result {
            Ok(()) => self.over(),
            // An earlier report is sufficient.
            Err(ServerError::Timeout(_) | ServerError::Closed(_)) if self.server_result != ServerResult::default() => {
                self.over()
            }
            Err(error) => self.into_interrupted(error),
        }
    }

    fn listen(&mut self) -> Result<(), ServerError> {
        while !self.server_result.last {
            let (deadline, what) = self.deadline();
            match self.session.next(deadline, what)? {
                Event::Line { at, text, .. } => self.handle(at, &text)?,
                Event::EngineOutput(output) => {
                    if let Some(answer) = self.session.engine.answer(output)
                        && self.state == State::Thinking
                        && self.end_deadline.is_none()
                    {
                        self.send_answer(answer)?;
                    }
                }
                Event::Interrupted => self.interrupted()?,
                Event::Closed { .. } => {}
            }
        }
        Ok(())
    }

    /// Deadline of the next event.
    fn deadline(&self) -> (Option<Instant>, &'static str) {
        if let Some(end_deadline) = self.end_deadline {
            return (Some(end_deadline), "the end of the game");
        }
        let available = self.clocks.available(self.position.side_to_move());
        let (available, what) = match self.state {
            State::Sent => (Some(Duration::ZERO), "the move to be repeated"),
            State::Thinking => (available, "the engine"),
            State::Waiting | State::Pondering(_) => (available, "the opponent's move"),
        };
        // A clock out of range is unlimited.
        (available.and_then(|available| self.state_since.checked_add(available)?.checked_add(SLACK)), what)
    }

    /// Sets the deadline for the report of the end.
    fn set_end_deadline(&mut self, timeout: Duration) {
        self.end_deadline.get_or_insert_with(|| Instant::now() + timeout);
    }

    fn interrupted(&mut self) -> Result<(), ServerError> {
        if self.session.interrupts == 1 {
            self.session.log.note("quitting after this game; repeat to abort it");
            return Ok(());
        }
        self.session.engine.abandon();
        self.set_end_deadline(RESULT_TIMEOUT);
        self.session.send("%CHUDAN")
    }

    fn handle(&mut self, at: Instant, line: &str) -> Result<(), ServerError> {
        match message::parse(line) {
            Message::Move { text, time } if self.server_result.end == EndReason::Unknown => {
                match read_csa_move(&self.position, text) {
                    Ok(mv) => self.played(mv, time, at)?,
                    // The server may reject it too. Otherwise the positions differ.
                    Err(fault) => {
                        self.session.log.note(&fault.to_string());
                        self.session.engine.abandon();
                        self.set_end_deadline(RESULT_TIMEOUT);
                    }
                }
            }
            Message::Special { .. } => {
                self.session.engine.abandon();
                self.set_end_deadline(SLACK);
            }
            Message::End { word } => self.ending(word),
            Message::Summary => {
                return Err(ServerError::Protocol("a game was offered during another one".to_owned()));
            }
            _ => {}
        }
        Ok(())
    }

    /// A line that begins with `#`.
    fn ending(&mut self, word: &str) {
        let (reason, result) = match word {
            "WIN" => (None, Some(GameResult::won_by(self.color))),
            "LOSE" => (None, Some(GameResult::won_by(!self.color))),
            "DRAW" => (None, Some(GameResult::Draw)),
            "CENSORED" => (None, Some(GameResult::Unknown)),
            "CHUDAN" => (Some(EndReason::Aborted), Some(GameResult::Unknown)),
            "RESIGN" => (Some(EndReason::Resign), None),
            "TIME_UP" => (Some(EndReason::Timeout), None),
            "ILLEGAL_MOVE" | "ILLEGAL_ACTION" => (Some(EndReason::Illegal), None),
            "SENNICHITE" | "OUTE_SENNICHITE" => (Some(EndReason::Repetition), None),
            "JISHOGI" => (Some(EndReason::Impasse), None),
            "MAX_MOVES" => (Some(EndReason::MaxMoves), None),
            _ => return,
        };
        let reported = &mut self.server_result;
        reported.end = reason.unwrap_or(reported.end);
        if let Some(result) = result {
            (reported.result, reported.last) = (result, true);
            match (reported.end, result) {
                // A `#JISHOGI` with a winner is a declaration.
                (EndReason::Impasse, GameResult::BlackWins | GameResult::WhiteWins) => {
                    reported.end = EndReason::Declaration;
                }
                // The maximum game length was reached: no winner.
                (EndReason::MaxMoves, GameResult::Unknown) => reported.result = GameResult::Draw,
                _ => {}
            }
        }
        self.session.engine.abandon();
        self.set_end_deadline(RESULT_TIMEOUT);
    }

    /// A move of either side, echoed by the server.
    fn played(&mut self, mv: Move, reported: Option<Duration>, at: Instant) -> Result<(), ServerError> {
        let side = self.position.side_to_move();
        let used = self.clocks.used(side, reported, at.saturating_duration_since(self.turn_start));
        self.clocks.spend(side, used, true);
        self.position.play(mv);
        self.game.push(mv, Some(used), None);
        (self.turn_start, self.state_since) = (at, at);
        if let Some(comment) = self.comment.take_if(|_| side == self.color) {
            // Among the scores too: a score in the comments of a last move without one would be that of the
            // end.
            if let Some(score) = self.game.scores.last_mut() {
                *score = comment_score(&comment);
            }
            self.game.comment(comment);
        }
        match self.state {
            State::Pondering(expected) if expected == mv => {
                self.state = State::Thinking;
                let time = self.clocks.control(self.color);
                self.session.engine.engine.ponder_hit(at, time);
            }
            _ => self.begin_turn()?,
        }
        if side == self.color {
            self.save();
        }
        Ok(())
    }

    /// Starts a search, or pondering on the opponent's turn.
    fn begin_turn(&mut self) -> Result<(), ServerError> {
        let expected = self.expected.take();
        let engine = &mut self.session.engine;
        let time = self.clocks.control(self.color);
        if self.position.side_to_move() == self.color {
            self.state = State::Thinking;
            engine.search(self.position.clone(), self.turn_start, time, false);
            return Ok(());
        }
        engine.abandon();
        self.state = State::Waiting;
        if let Some(expected) = expected.filter(|&mv| engine.engine.ponders() && self.position.is_legal(mv)) {
            engine.search(self.position.after(expected), Instant::now(), time, true);
            self.state = State::Pondering(expected);
        }
        Ok(())
    }

    fn send_answer(&mut self, answer: EngineAnswer) -> Result<(), ServerError> {
        (self.state, self.state_since) = (State::Sent, Instant::now());
        let (best, ponder) = match answer {
            EngineAnswer::Move { best, ponder } => (best, ponder),
            EngineAnswer::Declare => return self.session.send("%KACHI"),
            EngineAnswer::Resign => return self.session.send("%TORYO"),
        };
        self.expected = ponder;
        let mut line = csa_move(&self.position, best);
        let thought = self.session.engine.line_of(best);
        self.comment = thought.map(|(score, moves)| comment(&self.position, *score, moves));
        if let Some(comment) = self.comment.as_ref().filter(|_| self.session.config.comments) {
            line += &format!(",'{comment}");
        }
        self.session.send(&line)
    }

    fn save(&mut self) {
        let Some(record_file) = &self.record_file else { return };
        if let Err(error) = record_file.save(&self.game) {
            self.session.log_save_error(&error);
        }
    }

    fn over(mut self) -> GameEnd {
        let ServerResult { end, result, .. } = self.server_result;
        (self.game.end, self.game.result) = (end, result);
        self.session.engine.game_over(self.position.clone(), self.color, result);
        self.save();
        let word = match result {
            GameResult::Unknown => "without a result",
            GameResult::Draw => "drawn",
            won if won == GameResult::won_by(self.color) => "won",
            _ => "lost",
        };
        let record = self.record_file.map_or_else(String::new, |file| format!(", {}", file.path.display()));
        let text = format!("{word} by {} after {} moves{record}", end.name(), self.game.moves.len());
        GameEnd::Over { result, text }
    }

    fn into_interrupted(mut self, error: ServerError) -> GameEnd {
        self.game.end = EndReason::Aborted;
        self.save();
        let Self { record_file, game, id, turn_start, .. } = self;
        let game = Box::new(InterruptedGame { game, record_file, id, turn_start });
        GameEnd::Interrupted { game, error }
    }
}

/// Score and PV as a floodgate comment: for Black, without the move itself.
fn comment(position: &Position, score: Score, line: &[Move]) -> String {
    let centipawns = match (score.is_mate_win(), score.is_mate_loss()) {
        (true, _) => MATE,
        (_, true) => -MATE,
        _ => score.get(),
    };
    let replies = match line {
        [first, replies @ ..] => csa_line(&position.after(*first), &replies[..replies.len().min(LINE_MOVES - 1)]),
        [] => String::new(),
    };
    format!("* {}{replies}", centipawns * position.side_to_move().sign())
}

/// Maximum length of a name in bytes; file systems allow 255.
const MAX_NAME: usize = 150;

/// The file of a game, rewritten as the game continues.
#[derive(Clone, Debug)]
pub(super) struct RecordFile {
    pub path: PathBuf,
}

impl RecordFile {
    /// A new file, named after the game.
    pub(super) fn new(folder: &Path, name: &str) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let stem = file_name(name);
        let mut names =
            std::iter::once(format!("{stem}.csa")).chain((2..).map(|number| format!("{stem}-{number}.csa")));
        // Another client may save to the same folder: the first to create the file gets the name.
        let created = names.find_map(|name| {
            let path = folder.join(name);
            match File::create_new(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
                created => Some(created.map(|_| Self { path })),
            }
        });
        created.unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))
    }

    /// Writes the current game, replacing the previous content.
    pub(super) fn save(&self, game: &Game) -> io::Result<()> {
        let text = Notation::Csa.write(game) + "\n";
        replace_with_bytes(&self.path, text.as_bytes())
    }
}

/// A server's game id as a portable file name without path separators.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "+-_@.".contains(c) { c } else { '_' };
    let name: String = name.chars().take(MAX_NAME).map(plain).collect();
    if name.is_empty() || name.starts_with('.') { format!("game{name}") } else { name }
}

/// The game of a summary and the moves after it, with times as counted on the clocks: without a
/// connection, for tests with arbitrary lines.
///
/// # Errors
/// A message about the first line that a client would reject.
pub fn game_of_lines(text: &str) -> Result<Game, String> {
    let mut lines = text.lines().skip_while(|line| message::parse(line) != Message::Summary).skip(1);
    let summary: Vec<_> =
        lines.by_ref().take_while(|line| line.trim() != "END Game_Summary").map(str::to_owned).collect();
    let summary = GameSummary::parse(&summary).map_err(|error| error.to_string())?;
    let mut clocks = summary.clocks(false);
    let mut game = summary.record(&clocks);
    let mut position = game.last_position();
    for line in lines {
        let Message::Move { text, time } = message::parse(line) else { continue };
        let mv = read_csa_move(&position, text).map_err(|fault| fault.to_string())?;
        let side = position.side_to_move();
        let used = clocks.used(side, time, Duration::ZERO);
        clocks.spend(side, used, true);
        position.play(mv);
        game.push(mv, Some(used), None);
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comment_scores_are_for_black() {
        let start = Position::startpos();
        let line: Vec<Move> = ["7g7f", "3c3d", "2g2f"].iter().map(|mv| mv.parse().unwrap()).collect();
        assert_eq!(comment(&start, Score::cp(30), &line), "* 30 -3334FU +2726FU");
        let next = start.with_moves(["7g7f"]).unwrap();
        assert_eq!(comment(&next, Score::cp(30), &line[1..2]), "* -30");
        assert_eq!(comment(&next, Score::mate_in(3), &line[1..2]), "* -100000");
        assert_eq!(comment(&start, Score::mated_in(2), &line[..1]), "* -100000");
    }

    use sabi_shogi::Position;

    #[test]
    fn record_names_stay_in_folder() {
        assert_eq!(file_name("wdoor+floodgate-300-10F+a+b+2026"), "wdoor+floodgate-300-10F+a+b+2026");
        for name in ["", ".", "..", "../../x", "/etc/passwd", "a\\b", "C:x", "a\0b", "対局", &"x".repeat(999)] {
            let file = file_name(name);
            assert!(!file.is_empty() && !file.starts_with('.') && file.len() <= MAX_NAME, "{name}: {file}");
            assert!(!file.contains(['/', '\\', ':', '\0']), "{name}: {file}");
        }
    }

    #[test]
    fn existing_records_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let game = Game::new(Position::startpos());
        let first = RecordFile::new(&folder.path().join("a/b"), "x").unwrap();
        first.save(&game).unwrap();
        first.save(&game).unwrap();
        let second = RecordFile::new(&folder.path().join("a/b"), "x").unwrap();
        assert_eq!(second.path, folder.path().join("a/b/x-2.csa"));
        // Before either has saved.
        let third = RecordFile::new(&folder.path().join("a/b"), "x").unwrap();
        assert_eq!(third.path, folder.path().join("a/b/x-3.csa"));
    }
}
