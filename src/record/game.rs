//! A game as every reader gives it.

use super::clock::Clock;
use crate::position::{Position, STARTPOS_SFEN};
use crate::types::{Color, Move, Score};
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

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::BlackWins => Some(Color::Black),
            Self::WhiteWins => Some(Color::White),
            Self::Draw | Self::Unknown => None,
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
    /// The side to move gave up.
    Resign,
    /// The side to move has no move.
    Checkmate,
    /// A clock ran out.
    Timeout,
    /// A rule was broken. The illegal move itself is not among the moves.
    Illegal,
    /// The position stood on the board for the fourth time.
    Repetition,
    /// A king got through, and its side declared the win.
    Declaration,
    /// Both kings got through, and the points were even.
    Impasse,
    /// The longest game allowed.
    MaxMoves,
    /// Judged by others than the players and the rules, before it was over.
    Adjudication,
    /// Broken off.
    Aborted,
    /// Not told.
    #[default]
    Unknown,
}

impl EndReason {
    /// The word for it in tab-separated lists of games.
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

/// One game. Every move is legal where it stands.
#[derive(Clone, Debug)]
pub struct Game {
    /// The first position.
    pub start: Position,
    /// The moves, all of them legal.
    pub moves: Vec<Move>,
    /// What each move took on the clock, as far as the record tells: one element for each move.
    pub times: Vec<Option<Duration>>,
    /// What the player of each move thought the position was worth, from Black's view, as far as the record tells: one element
    /// for each move.
    pub scores: Vec<Option<Score>>,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub end: EndReason,
    /// The players, by colour.
    pub names: [Option<String>; 2],
    /// Their ratings, by colour.
    pub ratings: [Option<f64>; 2],
    /// The time they had, by colour.
    pub clocks: [Option<Clock>; 2],
    /// The tournament, match or source.
    pub event: Option<String>,
    /// When it began, as the record spells it.
    pub date: Option<String>,
    /// The line of the file where the game begins, from 1.
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
            result: GameResult::Unknown,
            end: EndReason::Unknown,
            names: [None, None],
            ratings: [None, None],
            clocks: [None, None],
            event: None,
            date: None,
            line: 1,
        }
    }

    /// Adds a move, which is legal after those that are there.
    pub fn push(&mut self, mv: Move, time: Option<Duration>, score: Option<Score>) {
        self.moves.push(mv);
        self.times.push(time);
        self.scores.push(score);
    }

    /// The game so far that led to a position.
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
        let mut position = self.start.clone();
        self.moves.iter().for_each(|&mv| position.play(mv));
        position
    }

    /// The start and the moves as the protocol spells them: `startpos moves 7g7f …`.
    pub fn usi(&self) -> String {
        let sfen = self.start.sfen();
        let mut text = if sfen == STARTPOS_SFEN { "startpos".to_owned() } else { format!("sfen {sfen}") };
        for (at, mv) in self.moves.iter().enumerate() {
            text.push_str(if at == 0 { " moves " } else { " " });
            text.push_str(&mv.to_string());
        }
        text
    }

    /// One line of a tab-separated list of games: result, both ratings, event, end, start and moves.
    pub fn list_line(&self) -> String {
        let rating =
            |color: Color| self.ratings[color].map_or_else(|| "-".to_owned(), |rating: f64| rating.to_string());
        let event = self.event.as_deref().unwrap_or("-").replace(|c: char| c.is_control(), " ");
        let [result, black, white] = [self.result.name().to_owned(), rating(Color::Black), rating(Color::White)];
        format!("{result}\t{black}\t{white}\t{event}\t{}\t{}", self.end.name(), self.usi())
    }
}
