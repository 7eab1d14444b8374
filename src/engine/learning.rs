//! Book moves of the current game, recorded for book learning.

use super::InfoMessage;
use sabi_books::learning::{append_game, learning_file_of};
use sabi_records::{Game, GameResult};
use sabi_shogi::{Color, Move, Position};
use std::path::{Path, PathBuf};

/// Outcome of a game for the engine's side.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the outcomes")]
pub enum Outcome {
    Win,
    Lose,
    Draw,
}

/// Records the book moves of one game.
#[derive(Default)]
pub(super) struct BookMoveRecorder {
    /// Book moves on the way to the last position searched, and the one played there, in order.
    answers: Vec<BookAnswer>,
    /// The book whose learning file cannot be written; reported once.
    unwritable: Option<PathBuf>,
}

/// A move played from the book.
struct BookAnswer {
    book: PathBuf,
    side: Color,
    /// The game up to and including that move.
    game: Game,
}

impl BookAnswer {
    /// Whether the move is part of `line`.
    fn is_on(&self, line: &Game) -> bool {
        line.moves.starts_with(&self.game.moves) && self.game.start.sfen() == line.start.sfen()
    }

    /// Whether the move was played in the last position of `line`.
    fn answers(&self, line: &Game) -> bool {
        self.game.moves.split_last().is_some_and(|(_, before)| before == line.moves)
            && self.game.start.sfen() == line.start.sfen()
    }
}

impl BookMoveRecorder {
    /// Records the answer to a position: a move of this book, or `None`. Earlier moves that are not
    /// on the way to the position were not played.
    pub(super) fn record(&mut self, position: &Position, book_move: Option<(&Path, Move)>) {
        let line = Game::before(position);
        self.answers.retain(|answer| answer.is_on(&line));
        if let Some((book, mv)) = book_move {
            let mut game = line;
            game.push(mv, None, None);
            self.answers.push(BookAnswer { book: book.to_owned(), side: position.side_to_move(), game });
        }
    }

    /// Clears the record for a new game.
    pub(super) fn clear(&mut self) {
        self.answers.clear();
    }

    /// Appends the game up to its last book move to the learning file, if there is one. `last` is
    /// the last known position.
    pub(super) fn game_over(&mut self, outcome: Outcome, last: &Position) -> Option<InfoMessage> {
        let line = Game::before(last);
        let mut answers = std::mem::take(&mut self.answers);
        answers.retain(|answer| answer.is_on(&line) || answer.answers(&line));
        let BookAnswer { book, side, mut game } = answers.pop()?;
        // If the engine played both sides, the outcome is ambiguous.
        if answers.iter().any(|answer| answer.side != side) {
            return None;
        }
        game.result = match outcome {
            Outcome::Win => GameResult::won_by(side),
            Outcome::Lose => GameResult::won_by(!side),
            Outcome::Draw => GameResult::Draw,
        };
        let Err(error) = append_game(&book, &game) else {
            self.unwritable = None;
            return None;
        };
        let is_known = self.unwritable.as_ref() == Some(&book);
        let note = InfoMessage::LearningFailed {
            name: learning_file_of(&book).display().to_string(),
            reason: error.to_string(),
        };
        self.unwritable = Some(book);
        (!is_known).then_some(note)
    }
}
