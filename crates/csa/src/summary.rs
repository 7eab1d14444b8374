//! `Game_Summary`: a game offered by the server.

use super::clock::{ServerClocks, TimeRules};
use sabi_records::{EndReason, Fault, Game, GameResult, read_csa};
use sabi_shogi::{Color, excerpt};
use std::time::Duration;

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

/// The sides of a section `Time`.
fn sides(section: &str) -> Option<&'static [Color]> {
    match section {
        "Time" => Some(&Color::ALL),
        "Time+" => Some(&[Color::Black]),
        "Time-" => Some(&[Color::White]),
        _ => None,
    }
}

#[derive(Default)]
struct Reader {
    id: String,
    names: [Option<String>; 2],
    color: Option<Color>,
    to_move: Option<Color>,
    max_moves: Option<u32>,
    times: [Times; 2],
    position: Vec<String>,
}

/// Time section of one side, in units.
#[derive(Copy, Clone, Default)]
struct Times {
    unit: Option<u64>,
    total: Option<u64>,
    byoyomi: u64,
    increment: u64,
    delay: u64,
    least: u64,
    round_up: bool,
    remaining: Option<u64>,
}

impl Times {
    fn rules(&self) -> TimeRules {
        let unit = self.unit.unwrap_or(1000);
        let [byoyomi, increment, delay, least] =
            [self.byoyomi, self.increment, self.delay, self.least].map(|units| units.saturating_mul(unit));
        let total = self.total.map(|units| units.saturating_mul(unit));
        TimeRules { unit, total, byoyomi, increment, delay, least, round_up: self.round_up }
    }
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
                clocks.set_remaining(color, remaining);
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
        let known = match sides(section) {
            Some(sides) => sides.iter().try_for_each(|&side| self.read_time(side, key, value)),
            None if section.is_empty() => self.read_head(key, value),
            None => Some(()),
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
        let times = &mut self.times[side];
        let number = || value.parse::<u64>().ok();
        match key {
            "Time_Unit" => times.unit = Some(unit(value)?),
            "Total_Time" => times.total = Some(number()?),
            "Byoyomi" => times.byoyomi = number()?,
            "Increment" => times.increment = number()?,
            "Delay" => times.delay = number()?,
            "Least_Time_Per_Move" => times.least = number()?,
            "Remaining_Time" => times.remaining = Some(number()?),
            "Remaining_Time+" => self.times[Color::Black].remaining = Some(number()?),
            "Remaining_Time-" => self.times[Color::White].remaining = Some(number()?),
            "Time_Roundup" => {
                times.round_up = match value {
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
        let rules = self.times.map(|times| times.rules());
        let remaining = [0, 1].map(|at: usize| Some(self.times[at].remaining?.saturating_mul(rules[at].unit)));
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

    const HEAD: &str = "Protocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\nGame_ID:g-1\n\
                        Name+:a\nName-:b\nYour_Turn:-\nRematch_On_Draw:NO\nTo_Move:+\nMax_Moves:256\n";
    const EVEN: &str = "BEGIN Position\nPI\n+\nEND Position";

    fn parse(text: &str) -> Result<GameSummary, SummaryError> {
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
        let summary = parse(&format!("{HEAD}{time}{EVEN}")).unwrap();
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
            let summary = parse(&format!("{HEAD}{time}\n{EVEN}")).unwrap();
            assert_eq!((control(&summary, Color::Black), control(&summary, Color::White)), (black, white), "{time}");
        }
        let up = parse(&format!("{HEAD}BEGIN Time\nTime_Roundup:YES\nEND Time\n{EVEN}")).unwrap();
        assert!(!up.rules[0].drops_fractions());
    }

    /// Move times are in seconds, the settings in units.
    #[test]
    fn resumed_moves_use_clock() {
        let text = format!(
            "{HEAD}BEGIN Time\nTime_Unit:1min\nTotal_Time:10\nIncrement:1\nEND Time\n\
             BEGIN Position\nPI\n+\n+7776FU,T120\n-3334FU,T0\n+2726FU\nT75\nEND Position"
        );
        let summary = parse(&text).unwrap();
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
            parse(&format!("{HEAD}{time}BEGIN Position\nPI\n+\n{moves}END Position")).unwrap()
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
            let summary = parse(&format!("{HEAD}BEGIN Position\n{position}\nEND Position")).unwrap();
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
            let error = parse(&text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
