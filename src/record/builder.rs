//! A game in the making: every move passes here, and here its end is decided.

use super::error::{Fault, Located, excerpt};
use super::game::{EndReason, Game, GameResult};
use super::illegal::IllegalReason;
use crate::movegen::has_legal_move;
use crate::position::{Position, Repetition};
use crate::types::{Color, Move, Score, Square};
use std::time::Duration;

/// Longer than any game, and short enough that the history of a position can count it.
const MAX_MOVES: usize = 10_000;

/// How a game ended, before it is known whose turn it was.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The side to move lost.
    MoverLoses,
    /// The side to move won.
    MoverWins,
    /// This side won.
    Wins(Color),
    Draw,
    Unknown,
}

/// The reason and the outcome that a word of a format stands for.
pub(super) type Ending = (EndReason, Outcome);

/// An illegal move that is pardoned if it turns out to be the last: it then lost the game.
struct LastIllegal {
    line: usize,
    number: usize,
    text: String,
    reason: IllegalReason,
}

pub(super) struct Builder {
    game: Game,
    position: Position,
    last_illegal: Option<LastIllegal>,
    /// The word in the place of a move: `%TORYO`, 投了.
    word: Option<(EndReason, GameResult)>,
    /// The sentence at the end: `'summary`, `まで…`. It knows better than the word.
    summary: Option<(EndReason, GameResult)>,
}

impl Builder {
    pub(super) fn new(start: Position, line: usize) -> Self {
        let position = start.clone();
        Self { game: Game { line, ..Game::new(start) }, position, last_illegal: None, word: None, summary: None }
    }

    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    /// The headers, to fill in.
    pub(super) const fn game(&mut self) -> &mut Game {
        &mut self.game
    }

    /// The number of the next move within the record, from 1.
    pub(super) const fn number(&self) -> usize {
        self.game.moves.len() + 1
    }

    pub(super) fn last_target(&self) -> Option<Square> {
        self.game.moves.last().map(|mv| mv.to())
    }

    /// Makes sure that the record may go on with this move. To be asked before the text is understood as a move of the
    /// position reached.
    pub(super) fn expect_move(&mut self, text: &str, line: usize) -> Result<(), Located> {
        if let Some(reason) = self.last_illegal.take() {
            // It was not the last move.
            return Err(reason.into_error());
        }
        if self.word.is_some() || self.summary.is_some() {
            return Err(Fault::AfterTheEnd(excerpt(text)).at(line));
        }
        if self.game.moves.len() >= MAX_MOVES {
            return Err(Fault::LongGame(MAX_MOVES).at(line));
        }
        Ok(())
    }

    /// Plays a move, or remembers that it was a foul.
    pub(super) fn play(&mut self, mv: Move, text: &str, line: usize) -> Result<(), Located> {
        match IllegalReason::of(&self.position, mv) {
            None => {
                self.position.play(mv);
                self.game.push(mv, None, None);
            }
            Some(reason) => {
                let last = LastIllegal { line, number: self.number(), text: excerpt(text), reason };
                if !reason.can_be_played() {
                    return Err(last.into_error());
                }
                self.last_illegal = Some(last);
            }
        }
        Ok(())
    }

    /// Plays a move that is known to be legal, with what its player thought of it, from Black's view.
    pub(super) fn push(&mut self, mv: Move, score: Option<Score>) {
        self.position.play(mv);
        self.game.push(mv, None, score);
    }

    /// The time of the last move.
    pub(super) fn set_time(&mut self, time: Option<Duration>) {
        if let (Some(last), None, None) = (self.game.times.last_mut(), &self.last_illegal, &self.word) {
            *last = time;
        }
    }

    /// What its player thought of the last move, from Black's view. The first word on it counts.
    pub(super) fn set_score(&mut self, score: Score) {
        if let (Some(last), None, None) = (self.game.scores.last_mut(), &self.last_illegal, &self.word) {
            last.get_or_insert(score);
        }
    }

    /// The word that stands where the next move would. The first one counts.
    pub(super) fn end(&mut self, ending: Ending) {
        let resolved = self.resolve(ending);
        self.word.get_or_insert(resolved);
    }

    /// What the record says of its end in a sentence of its own.
    pub(super) fn summarise(&mut self, ending: Ending) {
        self.summary = Some(self.resolve(ending));
    }

    fn resolve(&self, (reason, outcome): Ending) -> (EndReason, GameResult) {
        let mover = self.position.side_to_move();
        let result = match outcome {
            Outcome::MoverLoses => GameResult::won_by(!mover),
            Outcome::MoverWins => GameResult::won_by(mover),
            Outcome::Wins(color) => GameResult::won_by(color),
            Outcome::Draw => GameResult::Draw,
            Outcome::Unknown => GameResult::Unknown,
        };
        (reason, result)
    }

    pub(super) fn finish(mut self) -> Game {
        let (reason, result) = self.told();
        let (reason, result) = self.by_the_rules(reason, result);
        self.game.end = reason;
        self.game.result = result;
        self.game
    }

    /// What the record tells, the summary before the word.
    fn told(&self) -> (EndReason, GameResult) {
        let nothing = (EndReason::Unknown, GameResult::Unknown);
        let mover = self.position.side_to_move();
        let word = match self.last_illegal {
            // Whatever the word says, it was said after the game had been lost.
            Some(_) => (EndReason::Illegal, GameResult::won_by(!mover)),
            None => self.word.unwrap_or(nothing),
        };
        let summary = self.summary.unwrap_or(nothing);
        let result = if summary.1 == GameResult::Unknown { word.1 } else { summary.1 };
        let reason = match (summary.0, word.0) {
            (EndReason::Unknown, EndReason::Unknown) if result == GameResult::won_by(!mover) => self.unnamed_end(),
            (EndReason::Unknown, word) => word,
            (summary, _) => summary,
        };
        (reason, result)
    }

    /// The last mover won, and the record does not say how.
    fn unnamed_end(&self) -> EndReason {
        if has_legal_move(&self.position) { EndReason::Resign } else { EndReason::Checkmate }
    }

    /// What the rules say where the record says nothing, and of a repetition in any case: servers call it a draw even when
    /// one side gave check throughout.
    fn by_the_rules(&self, reason: EndReason, result: GameResult) -> (EndReason, GameResult) {
        let mover = self.position.side_to_move();
        let untold = reason == EndReason::Unknown && result == GameResult::Unknown && !self.game.moves.is_empty();
        if untold && !has_legal_move(&self.position) {
            return (EndReason::Checkmate, GameResult::won_by(!mover));
        }
        if !untold && reason != EndReason::Repetition {
            return (reason, result);
        }
        match self.position.repetition() {
            Some(Repetition::Win) => (EndReason::Repetition, GameResult::won_by(mover)),
            Some(Repetition::Loss) => (EndReason::Repetition, GameResult::won_by(!mover)),
            Some(_) => (EndReason::Repetition, GameResult::Draw),
            None => (reason, result),
        }
    }
}

impl LastIllegal {
    fn into_error(self) -> Located {
        Fault::Illegal { number: self.number, text: self.text, reason: self.reason }.at(self.line)
    }
}
