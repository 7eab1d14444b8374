//! A game as every reader returns it: start, moves, times, scores, comments, result and headers.

use super::error::Warnings;
use super::text::{comment_score, plain};
use sabi_shogi::{Color, Move, Position, STARTPOS_SFEN, Score};
use std::time::Duration;

/// Who won.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the results")]
pub enum GameResult {
    BlackWins,
    WhiteWins,
    Draw,
    #[default]
    Unknown,
}

impl GameResult {
    /// The result when `color` wins.
    pub const fn won_by(color: Color) -> Self {
        match color {
            Color::Black => Self::BlackWins,
            Color::White => Self::WhiteWins,
        }
    }

    /// The winner, if any.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::BlackWins => Some(Color::Black),
            Self::WhiteWins => Some(Color::White),
            Self::Draw | Self::Unknown => None,
        }
    }

    /// Half points of a side: 0, 1 or 2; `None` if the result is unknown.
    pub fn half_points(self, color: Color) -> Option<u8> {
        match self {
            Self::Draw => Some(1),
            result => result.winner().map(|winner| if winner == color { 2 } else { 0 }),
        }
    }

    /// `black`, `white`, `draw` or `unknown`, as in tab-separated lists of games.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BlackWins => "black",
            Self::WhiteWins => "white",
            Self::Draw => "draw",
            Self::Unknown => "unknown",
        }
    }
}

/// Why a game ended.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum EndReason {
    /// Resignation of the side to move.
    Resign,
    /// The side to move has no legal move.
    Checkmate,
    /// A clock ran out.
    Timeout,
    /// Illegal move, which is not among the moves.
    Illegal,
    /// Fourfold repetition, perpetual check included.
    Repetition,
    /// Declaration by entering king.
    Declaration,
    /// Impasse: both kings entered, and the points are even.
    Impasse,
    /// Maximum game length reached.
    MaxMoves,
    /// Adjudicated before the end.
    Adjudication,
    /// Aborted.
    Aborted,
    /// Not recorded.
    #[default]
    Unknown,
}

impl EndReason {
    /// All reasons, in the order of their codes in files of [`sabg`](super::sabg), part of
    /// that format.
    pub const ALL: [Self; 11] = [
        Self::Unknown,
        Self::Resign,
        Self::Checkmate,
        Self::Timeout,
        Self::Illegal,
        Self::Repetition,
        Self::Declaration,
        Self::Impasse,
        Self::MaxMoves,
        Self::Aborted,
        Self::Adjudication,
    ];

    /// Name in tab-separated lists of games.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resign => "resign",
            Self::Checkmate => "checkmate",
            Self::Timeout => "timeout",
            Self::Illegal => "illegal",
            Self::Repetition => "sennichite",
            Self::Declaration => "declaration",
            Self::Impasse => "jishogi",
            Self::MaxMoves => "max_moves",
            Self::Adjudication => "adjudication",
            Self::Aborted => "aborted",
            Self::Unknown => "unknown",
        }
    }
}

/// What a record says about a game beside its moves.
#[derive(Clone, Debug, Default)]
pub struct Headers {
    /// The players, by colour.
    pub names: [Option<String>; 2],
    /// Their ratings, by colour.
    pub ratings: [Option<f64>; 2],
    /// Their time settings, by colour.
    pub clocks: [Option<Clock>; 2],
    /// The tournament, match or source.
    pub event: Option<String>,
    /// Start date, as in the record.
    pub date: Option<String>,
}

impl Headers {
    /// The clocks as a record states them: one without a side, if both are equal.
    pub(super) fn stated_clocks(&self) -> impl Iterator<Item = (Option<Color>, Clock)> {
        let [black, white] = self.clocks;
        let both = black.filter(|_| black == white);
        let single = Color::ALL.into_iter().zip(self.clocks).filter(move |_| both.is_none());
        let single = single.filter_map(|(color, clock)| Some((Some(color), clock?)));
        both.map(|clock| (None, clock)).into_iter().chain(single)
    }
}

/// One game. Every move is legal.
///
/// ```
/// use sabi_records::{EndReason, Game, GameResult};
/// use sabi_shogi::Position;
/// use std::time::Duration;
///
/// let mut game = Game::new(Position::startpos());
/// game.push("7g7f".parse()?, Some(Duration::from_secs(3)), None);
/// game.push("3c3d".parse()?, None, None);
/// (game.end, game.result) = (EndReason::Resign, GameResult::WhiteWins);
/// assert_eq!(game.usi(), "startpos moves 7g7f 3c3d");
/// assert_eq!(game.last_position().ply(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// The first position.
    pub start: Position,
    /// The moves, all of them legal.
    pub moves: Vec<Move>,
    /// Time of each move, where recorded; one element per move.
    pub times: Vec<Option<Duration>>,
    /// The player's score of each move, for Black, where recorded; one element per move.
    pub scores: Vec<Option<Score>>,
    /// Comment lines of the start, and of the position after each move, as written; missing ones are
    /// empty. A comment that is nothing but the score of the move is only among the scores.
    pub comments: Vec<Vec<String>>,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub end: EndReason,
    /// Players and event.
    pub headers: Headers,
    /// Line of the file where the game begins, from 1.
    pub line: usize,
    /// What the reader left out.
    pub warnings: Warnings,
}

impl Game {
    /// A game without moves.
    pub fn new(start: Position) -> Self {
        Self {
            start,
            moves: Vec::new(),
            times: Vec::new(),
            scores: Vec::new(),
            comments: Vec::new(),
            result: GameResult::Unknown,
            end: EndReason::Unknown,
            headers: Headers::default(),
            line: 1,
            warnings: Warnings::default(),
        }
    }

    /// Adds a legal move.
    pub fn push(&mut self, mv: Move, time: Option<Duration>, score: Option<Score>) {
        self.moves.push(mv);
        self.times.push(time);
        self.scores.push(score);
    }

    /// Adds a comment line to the position after the last move.
    pub fn comment(&mut self, line: String) {
        let at = self.moves.len();
        if self.comments.len() <= at {
            self.comments.resize(at + 1, Vec::new());
        }
        self.comments[at].push(line);
    }

    /// The comment lines of the position after this many moves.
    pub fn comments_at(&self, ply: usize) -> &[String] {
        self.comments.get(ply).map_or(&[], Vec::as_slice)
    }

    /// The comments that are written with a move, given its number.
    pub(super) fn comments_after(&self, number: usize) -> &[String] {
        if number == self.moves.len() { self.comments_around_end().0 } else { self.comments_at(number) }
    }

    /// The comments that stand before the word of the end, and those after it: the first score among
    /// the comments of a last move without one, and what follows it, for before the word it would be
    /// that of the move.
    pub(super) fn comments_around_end(&self) -> (&[String], &[String]) {
        let last = self.comments_at(self.moves.len());
        let first = last.iter().position(|comment| comment_score(comment).is_some());
        let has_score = self.scores.last().is_none_or(Option::is_some);
        last.split_at(first.filter(|_| !has_score).unwrap_or(last.len()))
    }

    /// The game that led to a position.
    pub fn before(position: &Position) -> Self {
        let mut start = position.clone();
        let mut moves = Vec::with_capacity(position.plies_played());
        while let Some(mv) = start.last_move() {
            moves.push(mv);
            start.undo();
        }
        moves.reverse();
        let (times, scores) = (vec![None; moves.len()], vec![None; moves.len()]);
        Self { times, scores, moves, ..Self::new(start) }
    }

    /// The position after the last move, with the whole game as its history.
    pub fn last_position(&self) -> Position {
        self.position_at(self.moves.len())
    }

    /// The position after this many moves, with these as its history.
    ///
    /// # Panics
    /// When the game has fewer moves.
    pub fn position_at(&self, ply: usize) -> Position {
        let mut position = self.start.clone();
        self.moves[..ply].iter().for_each(|&mv| position.play(mv));
        position
    }

    /// Start and moves in USI: `startpos moves 7g7f …`.
    pub fn usi(&self) -> String {
        usi_line(&self.start, &self.moves)
    }

    /// A line of a tab-separated list of games: result, both ratings, event, end, start and moves.
    pub fn list_line(&self) -> String {
        let rating =
            |color: Color| self.headers.ratings[color].map_or_else(|| "-".to_owned(), |rating: f64| rating.to_string());
        let event = self.headers.event.as_deref().unwrap_or("-").replace(|c: char| c.is_control(), " ");
        let [result, black, white] = [self.result.name().to_owned(), rating(Color::Black), rating(Color::White)];
        format!("{result}\t{black}\t{white}\t{event}\t{}\t{}", self.end.name(), self.usi())
    }
}

/// A branch, to be written with a game. Only KIF supports them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Number of moves of the game before it.
    pub after: usize,
    /// Its moves, legal there.
    pub moves: Vec<Move>,
    /// The comment lines of its first move.
    pub comment: Vec<String>,
}

/// A position and moves from there, as after the word `position`: `startpos moves 7g7f …`.
pub fn usi_line(start: &Position, moves: &[Move]) -> String {
    let sfen = start.sfen();
    let mut text = if sfen == STARTPOS_SFEN { "startpos".to_owned() } else { format!("sfen {sfen}") };
    for (at, mv) in moves.iter().enumerate() {
        text.push_str(if at == 0 { " moves " } else { " " });
        text.push_str(&mv.to_string());
    }
    text
}

/// Time settings of one player.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Main time.
    pub main: Duration,
    /// Byoyomi.
    pub byoyomi: Duration,
    /// Increment.
    pub increment: Duration,
}

impl Clock {
    /// Parses `600+10+0`, main time, byoyomi and increment in seconds, of CSA 3.0; and `00:25+30`,
    /// hours, minutes and seconds of byoyomi, of CSA 2.2.
    pub(super) fn read_csa(text: &str) -> Option<Self> {
        Self::read(text, 60)
    }

    /// Parses `各1時間30分+30秒`, with 追加 after an increment; `15:00+30`, minutes, seconds and seconds
    /// of byoyomi, of ShogiHome; and the form of CSA 3.0.
    pub(super) fn read_kif(text: &str) -> Option<Self> {
        Self::read(text, 1)
    }

    /// Parses all of these; `colon` is the unit of the number after a colon, in seconds.
    fn read(text: &str, colon: u32) -> Option<Self> {
        let text: String = text.trim().chars().map(plain).collect();
        let parts: Vec<&str> = text.split('+').collect();
        match parts[..] {
            [main, byoyomi, increment] if !text.contains('秒') => {
                Some(Self { main: seconds(main)?, byoyomi: seconds(byoyomi)?, increment: seconds(increment)? })
            }
            [main, byoyomi] if main.contains(':') => {
                let (large, small) = main.split_once(':')?;
                let main = seconds(large)?.checked_mul(60)?.checked_add(seconds(small)?)?.checked_mul(colon)?;
                Some(Self { main, byoyomi: seconds(byoyomi)?, ..Self::default() })
            }
            [main, ref more @ ..] => {
                let main = main.trim_start_matches('各').trim_end_matches("切れ負け");
                let mut clock = Self { main: kif_duration(main)?, ..Self::default() };
                for part in more {
                    match part.strip_suffix("追加").or(part.strip_suffix("加算")) {
                        Some(increment) => clock.increment = kif_duration(increment)?,
                        None => clock.byoyomi = kif_duration(part)?,
                    }
                }
                Some(clock)
            }
            [] => None,
        }
    }

    /// In CSA 3.0 format.
    pub(super) fn csa(&self) -> String {
        [self.main, self.byoyomi, self.increment].map(|time| time.as_secs_f64().to_string()).join("+")
    }

    /// In KIF format.
    pub(super) fn kif(&self) -> String {
        let minutes = self.main.as_secs() / 60;
        let rest = self.main - Duration::from_secs(60 * minutes);
        let part = |number: f64, unit: &str| if number > 0.0 { format!("{number}{unit}") } else { String::new() };
        let main =
            part((minutes / 60) as f64, "時間") + &part((minutes % 60) as f64, "分") + &part(rest.as_secs_f64(), "秒");
        let more =
            [(self.byoyomi, "秒"), (self.increment, "秒追加")].map(|(time, unit)| part(time.as_secs_f64(), unit));
        let more = more.iter().filter(|part| !part.is_empty()).map(|part| format!("+{part}"));
        let main = if main.is_empty() { "0分".to_owned() } else { main };
        main + &more.collect::<String>()
    }
}

/// A time spent, `0:16`: minutes and seconds, or with hours before them.
pub(super) fn spent_by_clock(text: &str) -> Option<Duration> {
    let add = |seconds: u64, part: &str| seconds.checked_mul(60)?.checked_add(part.trim().parse().ok()?);
    text.split(':').try_fold(0, add).map(Duration::from_secs)
}

fn seconds(text: &str) -> Option<Duration> {
    let text = text.trim();
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|_| is_plain).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

/// A time with units: `1時間30分`.
pub(super) fn kif_duration(text: &str) -> Option<Duration> {
    let mut rest: String = text.trim().chars().map(plain).collect();
    let mut total = None;
    for (unit, length) in [("時間", 3600), ("分", 60), ("秒", 1)] {
        if let Some((number, tail)) = rest.split_once(unit) {
            let time = seconds(number)?.checked_mul(length)?;
            total = Some(total.unwrap_or(Duration::ZERO).checked_add(time)?);
            rest = tail.to_owned();
        }
    }
    total.filter(|_| rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn clock(main: u64, byoyomi: u64, increment: u64) -> Clock {
        Clock {
            main: Duration::from_millis(main),
            byoyomi: Duration::from_millis(byoyomi),
            increment: Duration::from_millis(increment),
        }
    }

    #[test]
    fn parses_every_clock() {
        for (text, expected) in [
            ("600+10+0", clock(600_000, 10_000, 0)),
            (" 300.5+0+0.1", clock(300_500, 0, 100)),
            ("00:25+00", clock(1_500_000, 0, 0)),
            ("01:30+60", clock(5_400_000, 60_000, 0)),
            ("８時間", clock(28_800_000, 0, 0)),
            ("各５時間", clock(18_000_000, 0, 0)),
            ("1時間30分", clock(5_400_000, 0, 0)),
            ("15分＋60秒", clock(900_000, 60_000, 0)),
            ("0分+10秒", clock(0, 10_000, 0)),
            ("5分+5秒追加", clock(300_000, 0, 5_000)),
            ("5分+30秒+5秒加算", clock(300_000, 30_000, 5_000)),
            ("3分切れ負け", clock(180_000, 0, 0)),
        ] {
            assert_eq!(Clock::read_csa(text), Some(expected), "{text}");
        }
        assert_eq!(Clock::read_kif("15:00+30"), Some(clock(900_000, 30_000, 0)));
        assert_eq!(Clock::read_kif("600+10+0"), Some(clock(600_000, 10_000, 0)));
    }

    #[test]
    fn rejects_other_clocks() {
        let nines = "9".repeat(400);
        let long = [nines.clone(), format!("{nines}時間"), format!("{nines}:00+00"), "9".repeat(19) + "時間"];
        let short = ["", "+", "++", "+++", "x", "60", "1+2", "-1+0+0", "nan+0+0", "1e3+0+0", "各", "分", "10回"];
        let others = ["15分+30秒+10回", "::+", "1:2:3+4", "30分1時間", "1分2分", "1..5秒", "早指し"];
        for text in short.into_iter().chain(others).chain(long.iter().map(String::as_str)) {
            assert_eq!(Clock::read_kif(text), None, "{text}");
        }
    }

    #[test]
    fn clock_round_trips() {
        for clock in [
            clock(0, 0, 0),
            clock(0, 500, 0),
            clock(10_000, 0, 100),
            clock(60_000, 0, 0),
            clock(3_600_000, 60_000, 0),
            clock(3_661_001, 30_000, 5_000),
        ] {
            assert_eq!(Clock::read_csa(&clock.csa()), Some(clock), "{}", clock.csa());
            assert_eq!(Clock::read_kif(&clock.kif()), Some(clock), "{}", clock.kif());
        }
        assert_eq!(
            (clock(10_000, 0, 100).csa().as_str(), clock(10_000, 0, 100).kif().as_str()),
            ("10+0+0.1", "10秒+0.1秒追加")
        );
        assert_eq!(clock(5_400_000, 30_000, 0).kif(), "1時間30分+30秒");
    }
}
