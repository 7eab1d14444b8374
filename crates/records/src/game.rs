//! A game as returned by every reader.

use super::clock::Clock;
use super::usi_line::usi_line;
use sabi_shogi::{Color, Move, Position, Score};
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
    /// All reasons, in the order of their codes in files of [compact games](super::compact), which
    /// is part of that format.
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

/// One game. Every move is legal.
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
    /// Comment lines of the start, and of the position after each move, other than its score;
    /// missing ones are empty.
    pub comments: Vec<Vec<String>>,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub end: EndReason,
    /// Players and event.
    pub headers: Headers,
    /// Line of the file where the game begins, from 1.
    pub line: usize,
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
