//! What was played from the book in the game that is on, to be noted beside the book when its result is known.

use super::Note;
use crate::book::learning::{list_of, note_game};
use crate::position::Position;
use crate::record::{Game, GameResult};
use crate::types::{Color, Move};
use std::path::{Path, PathBuf};

/// How a game ended for the side that the engine played.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the outcomes")]
pub enum Outcome {
    Win,
    Lose,
    Draw,
}

/// Remembers the moves of the book in one game.
#[derive(Default)]
pub(super) struct Learner {
    /// Those on the way to the last position that was searched, and the answer to it, in this order.
    answers: Vec<BookAnswer>,
    /// The book beside which nothing could be written; that is told once.
    refused: Option<PathBuf>,
}

/// A move that the book gave.
struct BookAnswer {
    book: PathBuf,
    side: Color,
    /// The game up to that move, which is its last.
    game: Game,
}

impl BookAnswer {
    /// Whether the move was played on the way to the end of a line.
    fn is_on(&self, line: &Game) -> bool {
        line.moves.starts_with(&self.game.moves) && self.game.start.sfen() == line.start.sfen()
    }

    /// Whether the move answers the position at the end of a line.
    fn answers(&self, line: &Game) -> bool {
        self.game.moves.split_last().is_some_and(|(_, before)| before == line.moves)
            && self.game.start.sfen() == line.start.sfen()
    }
}

impl Learner {
    /// Hears how a position of the game is answered: by a move of this book, or by thought. What was answered before and is
    /// not on the way to the position was not played.
    pub(super) fn hear(&mut self, position: &Position, found: Option<(&Path, Move)>) {
        let line = Game::before(position);
        self.answers.retain(|answer| answer.is_on(&line));
        if let Some((book, mv)) = found {
            let mut game = line;
            game.push(mv, None, None);
            self.answers.push(BookAnswer { book: book.to_owned(), side: position.side_to_move(), game });
        }
    }

    /// Another game begins. Without its result a game teaches nothing.
    pub(super) fn forget(&mut self) {
        self.answers.clear();
    }

    /// Notes the game up to its last move from the book, if there is one. `last` is the last position that was told.
    pub(super) fn game_over(&mut self, outcome: Outcome, last: &Position) -> Option<Note> {
        let line = Game::before(last);
        let mut answers = std::mem::take(&mut self.answers);
        answers.retain(|answer| answer.is_on(&line) || answer.answers(&line));
        let BookAnswer { book, side, mut game } = answers.pop()?;
        // Who played both sides is not told which of them won.
        if answers.iter().any(|answer| answer.side != side) {
            return None;
        }
        game.result = match outcome {
            Outcome::Win => GameResult::won_by(side),
            Outcome::Lose => GameResult::won_by(!side),
            Outcome::Draw => GameResult::Draw,
        };
        let Err(error) = note_game(&book, &game) else {
            self.refused = None;
            return None;
        };
        let is_known = self.refused.as_ref() == Some(&book);
        let note = Note::NotLearnt { name: list_of(&book).display().to_string(), reason: error.to_string() };
        self.refused = Some(book);
        (!is_known).then_some(note)
    }
}
