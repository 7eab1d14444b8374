//! What a server sends: messages of one line, and `Game_Summary`, a game offered.

use super::server_clock::{ServerClocks, TimeRules};
use sabi_records::{EndReason, Fault, Game, GameResult, read_csa};
use sabi_shogi::{Color, excerpt};
use std::time::Duration;

/// A server message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Message<'a> {
    /// A signed move with its time, which servers send in seconds whatever their `Time_Unit`.
    Move { text: &'a str, time: Option<Duration> },
    /// A special move, without `%`.
    Special { word: &'a str },
    /// A line that begins with `#`: end reason or result.
    End { word: &'a str },
    /// The login is accepted.
    LoginOk,
    /// The login is rejected.
    LoginIncorrect,
    /// The logout is confirmed.
    LogoutCompleted,
    /// A game is offered; `Game_Summary` begins.
    Summary,
    /// The game begins.
    Start { id: &'a str },
    /// A player rejected the game.
    Reject { reason: &'a str },
    /// Anything else.
    Other,
}

/// Parses a line.
pub(super) fn parse(line: &str) -> Message<'_> {
    let line = line.trim();
    match line.as_bytes() {
        [b'+' | b'-', _, ..] => {
            let (text, rest) = line.split_once(',').unwrap_or((line, ""));
            let seconds = rest.split(',').find_map(|part| part.strip_prefix('T')?.parse().ok());
            Message::Move { text, time: seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) }
        }
        [b'%', word, ..] if *word != b'%' => {
            Message::Special { word: line[1..].split_once(',').map_or(&line[1..], |(word, _)| word) }
        }
        [b'#', next, ..] if *next != b'#' => Message::End { word: &line[1..] },
        _ => parse_words(line),
    }
}

fn parse_words(line: &str) -> Message<'_> {
    match line.split_once(':') {
        None if line == "BEGIN Game_Summary" => Message::Summary,
        Some(("LOGOUT", "completed")) => Message::LogoutCompleted,
        Some(("LOGIN", "incorrect")) => Message::LoginIncorrect,
        Some(("LOGIN", rest)) if rest.ends_with(" OK") => Message::LoginOk,
        Some(("START", id)) => Message::Start { id },
        Some(("REJECT", reason)) => Message::Reject { reason },
        _ => Message::Other,
    }
}

/// A game offered or resumed.
#[derive(Clone, Debug)]
pub(super) struct GameSummary {
    /// Empty if missing.
    pub id: String,
    /// The side to play.
    pub color: Color,
    /// Maximum number of moves.
    pub max_moves: Option<u32>,
    /// Start position and moves already played, with their times.
    pub game: Game,
    rules: [TimeRules; 2],
    remaining: [Option<u64>; 2],
}

/// Why a game cannot be played.
#[derive(Debug, thiserror::Error)]
pub(super) enum SummaryError {
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("invalid '{key}:{value}'", value = excerpt(value))]
    Value { key: String, value: String },
    #[error("the position: {0}")]
    Position(#[from] Fault),
}

#[derive(Default)]
struct Reader {
    id: String,
    names: [Option<String>; 2],
    color: Option<Color>,
    to_move: Option<Color>,
    max_moves: Option<u32>,
    /// In units of the server.
    rules: [TimeRules; 2],
    remaining: [Option<u64>; 2],
    position: Vec<String>,
}

impl GameSummary {
    /// Parses the lines between `BEGIN Game_Summary` and `END Game_Summary`.
    pub(super) fn parse(lines: &[String]) -> Result<Self, SummaryError> {
        let mut reader = Reader::default();
        let mut sections: Vec<&str> = Vec::new();
        for line in lines.iter().map(|line| line.trim()) {
            if let Some(section) = line.strip_prefix("BEGIN ") {
                sections.push(section);
            } else if line.starts_with("END ") {
                sections.pop();
            } else {
                reader.read(sections.last().copied().unwrap_or_default(), line)?;
            }
        }
        reader.finish()
    }

    /// The clocks before the next move. Times of moves already played are deducted; increments are
    /// added only if the game was `running`.
    pub(super) fn clocks(&self, running: bool) -> ServerClocks {
        let mut clocks = ServerClocks::new(self.rules);
        let mut color = self.game.start.side_to_move();
        for time in &self.game.times {
            let used = clocks.used(color, *time, Duration::ZERO);
            clocks.spend(color, used, running);
            color = !color;
        }
        for color in Color::ALL {
            if let Some(remaining) = self.remaining[color] {
                clocks.remaining[color] = remaining;
            }
        }
        clocks
    }

    /// Takes times that the server does not repeat from the record of the same game, as far as its
    /// moves are these.
    pub(super) fn add_times(&mut self, known: &Game) {
        let same = self.game.moves.iter().zip(&known.moves).take_while(|(mv, known)| mv == known).count();
        for (time, known) in self.game.times[..same].iter_mut().zip(&known.times) {
            *time = time.or(*known);
        }
    }

    /// The game so far as a record.
    pub(super) fn record(&self, clocks: &ServerClocks) -> Game {
        let mut game = self.game.clone();
        game.headers.clocks = clocks.of_record();
        game.headers.event = (!self.id.is_empty()).then(|| self.id.clone());
        game
    }
}

impl Reader {
    fn read(&mut self, section: &str, line: &str) -> Result<(), SummaryError> {
        if section == "Position" {
            self.position.push(line.to_owned());
            return Ok(());
        }
        let Some((key, value)) = line.split_once(':') else { return Ok(()) };
        let (key, value) = (key.trim(), value.trim());
        let known = match section {
            "" => self.read_head(key, value),
            "Time" => Color::ALL.into_iter().try_for_each(|side| self.read_time(side, key, value)),
            "Time+" => self.read_time(Color::Black, key, value),
            "Time-" => self.read_time(Color::White, key, value),
            _ => Some(()),
        };
        known.ok_or_else(|| SummaryError::Value { key: key.to_owned(), value: value.to_owned() })
    }

    /// `None` for an invalid value. Unknown keys are ignored.
    fn read_head(&mut self, key: &str, value: &str) -> Option<()> {
        let name = || Some(value.to_owned()).filter(|name| !name.is_empty());
        match key {
            "Game_ID" => self.id = value.to_owned(),
            "Name+" => self.names[Color::Black] = name(),
            "Name-" => self.names[Color::White] = name(),
            "Your_Turn" => self.color = Some(color(value)?),
            "To_Move" => self.to_move = Some(color(value)?),
            "Max_Moves" => self.max_moves = Some(value.parse().ok()?).filter(|&moves| moves > 0),
            "Format" => return value.starts_with("Shogi").then_some(()),
            "Protocol_Mode" => return (value == "Server").then_some(()),
            _ => {}
        }
        Some(())
    }

    fn read_time(&mut self, side: Color, key: &str, value: &str) -> Option<()> {
        let rules = &mut self.rules[side];
        let number = || value.parse::<u64>().ok();
        match key {
            "Time_Unit" => rules.unit = unit(value)?,
            "Total_Time" => rules.total = Some(number()?),
            "Byoyomi" => rules.byoyomi = number()?,
            "Increment" => rules.increment = number()?,
            "Delay" => rules.delay = number()?,
            "Least_Time_Per_Move" => rules.least = number()?,
            "Remaining_Time" => self.remaining[side] = Some(number()?),
            "Remaining_Time+" => self.remaining[Color::Black] = Some(number()?),
            "Remaining_Time-" => self.remaining[Color::White] = Some(number()?),
            "Time_Roundup" => {
                rules.round_up = match value {
                    "YES" => true,
                    "NO" => false,
                    _ => return None,
                }
            }
            _ => {}
        }
        Some(())
    }

    fn finish(mut self) -> Result<GameSummary, SummaryError> {
        let color = self.color.ok_or(SummaryError::Missing("Your_Turn"))?;
        if self.position.is_empty() {
            return Err(SummaryError::Missing("Position"));
        }
        let tells_turn = self.position.iter().any(|line| line.starts_with(['+', '-']));
        if let (false, Some(side)) = (tells_turn, self.to_move) {
            self.position.push(if side == Color::Black { "+" } else { "-" }.to_owned());
        }
        let mut game = read_csa(&self.position.join("\n"))?;
        if game.end == EndReason::Illegal {
            return Err(SummaryError::Missing("a legal last move"));
        }
        (game.end, game.result) = (EndReason::Unknown, GameResult::Unknown);
        game.headers.names = self.names;
        let remaining = [0, 1].map(|at: usize| Some(self.remaining[at]?.saturating_mul(self.rules[at].unit)));
        let rules = self.rules.map(TimeRules::scaled);
        Ok(GameSummary { id: self.id, color, max_moves: self.max_moves, game, rules, remaining })
    }
}

fn color(sign: &str) -> Option<Color> {
    match sign {
        "+" => Some(Color::Black),
        "-" => Some(Color::White),
        _ => None,
    }
}

/// `1sec`, `10msec`, `1min`, in milliseconds.
fn unit(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = if number.is_empty() { 1 } else { number.parse().ok()? };
    let milliseconds = match unit.trim() {
        "msec" => 1,
        "sec" => 1000,
        "min" => 60_000,
        _ => return None,
    };
    number.checked_mul(milliseconds).filter(|&unit| unit > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::TurnTime;

    #[test]
    fn parses_every_server_message() {
        for (line, message) in [
            ("+7776FU,T12", Message::Move { text: "+7776FU", time: Some(Duration::from_secs(12)) }),
            ("-0055KA", Message::Move { text: "-0055KA", time: None }),
            ("+7776FU,T1.5\r", Message::Move { text: "+7776FU", time: Some(Duration::from_millis(1500)) }),
            ("+7776FU,'* 30 -3334FU,T3", Message::Move { text: "+7776FU", time: Some(Duration::from_secs(3)) }),
            ("+7776FU,T-1", Message::Move { text: "+7776FU", time: None }),
            ("+7776FU,Tinf", Message::Move { text: "+7776FU", time: None }),
            ("%TORYO,T4", Message::Special { word: "TORYO" }),
            ("#TIME_UP", Message::End { word: "TIME_UP" }),
            ("##[CHAT]hello", Message::Other),
            ("LOGIN:sabi OK", Message::LoginOk),
            ("LOGIN:incorrect", Message::LoginIncorrect),
            ("LOGOUT:completed", Message::LogoutCompleted),
            ("BEGIN Game_Summary", Message::Summary),
            ("START:20261122-1", Message::Start { id: "20261122-1" }),
            ("REJECT:20261122-1 by gote", Message::Reject { reason: "20261122-1 by gote" }),
            ("", Message::Other),
            ("+", Message::Other),
            ("%", Message::Other),
            ("#", Message::Other),
            ("%%LIST", Message::Other),
        ] {
            assert_eq!(parse(line), message, "{line}");
        }
    }

    const HEAD: &str = "Protocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\nGame_ID:g-1\n\
                        Name+:a\nName-:b\nYour_Turn:-\nRematch_On_Draw:NO\nTo_Move:+\nMax_Moves:256\n";
    const EVEN: &str = "BEGIN Position\nPI\n+\nEND Position";

    fn summary(text: &str) -> Result<GameSummary, SummaryError> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        GameSummary::parse(&lines)
    }

    /// Time left, increment, and byoyomi or delay.
    fn control(summary: &GameSummary, color: Color) -> (u64, u64, u64) {
        match summary.clocks(true).control(color) {
            TurnTime::Clock { remaining, increment, byoyomi } => (remaining[color], increment[color], byoyomi),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn parses_floodgate_summary() {
        let time =
            "BEGIN Time\nTime_Unit:1sec\nTotal_Time:300\nByoyomi:0\nIncrement:10\nLeast_Time_Per_Move:0\nEND Time\n";
        let summary = summary(&format!("{HEAD}{time}{EVEN}")).unwrap();
        assert_eq!((summary.id.as_str(), summary.color, summary.max_moves), ("g-1", Color::White, Some(256)));
        assert_eq!(summary.game.headers.names, [Some("a".to_owned()), Some("b".to_owned())]);
        assert_eq!(control(&summary, Color::Black), (300_000, 10_000, 0));
        assert!(summary.rules[0].drops_fractions());
    }

    #[test]
    fn parses_time_settings() {
        for (time, black, white) in [
            ("BEGIN Time\nTotal_Time:600\nByoyomi:10\nEND Time", (600_000, 0, 10_000), (600_000, 0, 10_000)),
            ("BEGIN Time\nTime_Unit:1min\nTotal_Time:15\nEND Time", (900_000, 0, 0), (900_000, 0, 0)),
            ("BEGIN Time\nTime_Unit:1msec\nTotal_Time:1500\nDelay:20\nEND Time", (1_500, 0, 20), (1_500, 0, 20)),
            ("BEGIN Time\nTime_Unit:10msec\nIncrement:5\nEND Time", (0, 50, 0), (0, 50, 0)),
            (
                "BEGIN Time+\nTotal_Time:60\nTime_Unit:1sec\nEND Time+\nBEGIN Time-\nByoyomi:1\nTime_Unit:1min\nEND Time-",
                (60_000, 0, 0),
                (0, 0, 60_000),
            ),
            ("BEGIN Time\nTotal_Time:60\nRemaining_Time+:7\nRemaining_Time-:8\nEND Time", (7_000, 0, 0), (8_000, 0, 0)),
            ("BEGIN Time\nTotal_Time:18446744073709551615\nEND Time", (u64::MAX, 0, 0), (u64::MAX, 0, 0)),
        ] {
            let summary = summary(&format!("{HEAD}{time}\n{EVEN}")).unwrap();
            assert_eq!((control(&summary, Color::Black), control(&summary, Color::White)), (black, white), "{time}");
        }
        let up = summary(&format!("{HEAD}BEGIN Time\nTime_Roundup:YES\nEND Time\n{EVEN}")).unwrap();
        assert!(!up.rules[0].drops_fractions());
    }

    /// Move times are in seconds, the settings in units.
    #[test]
    fn resumed_moves_use_clock() {
        let text = format!(
            "{HEAD}BEGIN Time\nTime_Unit:1min\nTotal_Time:10\nIncrement:1\nEND Time\n\
             BEGIN Position\nPI\n+\n+7776FU,T120\n-3334FU,T0\n+2726FU\nT75\nEND Position"
        );
        let summary = summary(&text).unwrap();
        let position = summary.game.last_position();
        assert_eq!((summary.game.moves.len(), position.side_to_move()), (3, Color::White));
        assert_eq!(control(&summary, Color::Black), (525_000, 60_000, 0));
        assert_eq!(control(&summary, Color::White), (660_000, 60_000, 0));
        // Moves of a game that starts from them have no increments.
        let clocks = summary.clocks(false);
        assert_eq!(clocks.available(Color::White), Some(Duration::from_secs(660)));
        let record = summary.record(&clocks);
        assert_eq!(record.times[0], Some(Duration::from_secs(120)));
    }

    #[test]
    fn known_times_fill_gaps() {
        let offer = |moves: &str| {
            let time = "BEGIN Time\nTotal_Time:600\nEND Time\n";
            summary(&format!("{HEAD}{time}BEGIN Position\nPI\n+\n{moves}END Position")).unwrap()
        };
        let known = offer("+7776FU,T100\n-3334FU,T50\n+2726FU,T9\n").game;
        let mut resumed = offer("+7776FU\n-3334FU,T60\n+6766FU\n-8384FU\n");
        resumed.add_times(&known);
        assert_eq!(control(&resumed, Color::Black), (500_000, 0, 0));
        assert_eq!(control(&resumed, Color::White), (540_000, 0, 0));
    }

    #[test]
    fn parses_start_positions() {
        for (position, side) in [
            ("PI82HI22KA\n-", Color::White),
            ("P+59OU\nP-51OU\nP+00KI\n+", Color::Black),
            // The side to move is given in the header only.
            ("PI", Color::Black),
        ] {
            let summary = summary(&format!("{HEAD}BEGIN Position\n{position}\nEND Position")).unwrap();
            assert_eq!(summary.game.start.side_to_move(), side, "{position}");
        }
    }

    #[test]
    fn rejects_invalid_summary() {
        for (text, message) in [
            (String::new(), "Your_Turn is missing"),
            (HEAD.to_owned(), "Position is missing"),
            (format!("{HEAD}Your_Turn:x\n{EVEN}"), "'Your_Turn:x'"),
            (format!("{HEAD}Format:Chess 1.0\n{EVEN}"), "'Format:Chess 1.0'"),
            (format!("{HEAD}Protocol_Mode:Direct\n{EVEN}"), "'Protocol_Mode:Direct'"),
            (format!("{HEAD}BEGIN Time\nTotal_Time:-1\nEND Time\n{EVEN}"), "'Total_Time:-1'"),
            (format!("{HEAD}BEGIN Time\nTime_Unit:1year\nEND Time\n{EVEN}"), "'Time_Unit:1year'"),
            (format!("{HEAD}BEGIN Time\nTime_Unit:0sec\nEND Time\n{EVEN}"), "'Time_Unit:0sec'"),
            (format!("{HEAD}BEGIN Position\nPI\n+\n+7775FU\nEND Position"), "the position: move 1"),
            (format!("{HEAD}BEGIN Position\nP1nonsense\nEND Position"), "the position:"),
            (format!("{HEAD}BEGIN Position\nP+55FU\n+\n-1122FU\nEND Position"), "the position:"),
        ] {
            let error = summary(&text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
