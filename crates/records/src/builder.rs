//! What every reader builds: a start position piece by piece, then the game: each move is checked,
//! and how it ended is determined.

use super::error::{Fault, IllegalReason, Located, Warnings};
use super::game::{EndReason, Game, GameResult, Headers};
use super::text::{comment_score, is_score_alone};
use sabi_shogi::{
    Color, Hand, HandKind, MAX_GAME_MOVES, Move, Piece, Position, Repetition, Score, SfenError, Square, excerpt,
    has_legal_move, piece_text,
};
use std::time::Duration;

/// Result of a word relative to the side to move, which is not known yet.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum WordResult {
    /// The side to move lost.
    MoverLoses,
    /// The side to move won, unless it is mated.
    MoverWins,
    /// The side whose king is on its goal square won, otherwise the side to move.
    Tried,
    /// This side won.
    Wins(Color),
    Draw,
    Unknown,
}

/// End reason and result of a format's word.
pub(super) type Ending = (EndReason, WordResult);

/// An end without reason and result, such as that of an unknown word.
pub(super) const UNKNOWN_END: Ending = (EndReason::Unknown, WordResult::Unknown);

/// An illegal move, accepted if it is the last one: it lost the game.
struct LastIllegal {
    line: usize,
    number: usize,
    text: String,
    reason: IllegalReason,
}

/// What the readers of text share: the game, once it has begun, and what is known before.
#[derive(Default)]
pub(super) struct Draft {
    /// Number of the first line in the file.
    pub(super) first: usize,
    pub(super) builder: Option<Builder>,
    /// Comments before the first position is known.
    comments: Vec<String>,
    pub(super) warnings: Warnings,
}

impl Draft {
    pub(super) fn new(first: usize) -> Self {
        Self { first, ..Self::default() }
    }

    pub(super) fn comment(&mut self, text: &str) {
        match &mut self.builder {
            Some(builder) => builder.comment(text),
            None => self.comments.push(text.to_owned()),
        }
    }

    /// The game, which the first call begins with the position `start`.
    pub(super) fn begin(&mut self, start: impl FnOnce() -> Result<Position, Located>) -> Result<&mut Builder, Located> {
        if self.builder.is_none() {
            let builder = self.builder.insert(Builder::new(start()?, self.first));
            self.comments.drain(..).for_each(|comment| builder.comment(&comment));
        }
        self.builder.as_mut().ok_or_else(|| Fault::NoGame.at(self.first))
    }

    pub(super) fn finish(self, headers: Headers) -> Result<Game, Located> {
        let mut builder = self.builder.ok_or_else(|| Fault::NoGame.at(self.first))?;
        (builder.game.headers, builder.game.warnings) = (headers, self.warnings);
        Ok(builder.finish())
    }
}

pub(super) struct Builder {
    /// The headers are to be filled in.
    pub(super) game: Game,
    position: Position,
    last_illegal: Option<LastIllegal>,
    /// The word in place of a move: `%TORYO`, 投了.
    word: Option<(EndReason, GameResult)>,
    /// The result line: `'summary`, `まで…`. Takes precedence over the word.
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

    /// Number of the next move within the record, from 1.
    pub(super) const fn number(&self) -> usize {
        self.game.moves.len() + 1
    }

    pub(super) fn last_target(&self) -> Option<Square> {
        self.game.moves.last().map(|mv| mv.to())
    }

    /// Plays the move of a text, or remembers an illegal one. The text is interpreted in the current
    /// position after a check that another move is allowed.
    pub(super) fn read_move(
        &mut self,
        text: &str,
        line: usize,
        parse: impl FnOnce(&Self) -> Result<Move, Fault>,
    ) -> Result<(), Located> {
        if let Some(reason) = self.last_illegal.take() {
            // It was not the last move.
            return Err(reason.into_error());
        }
        if self.word.is_some() || self.summary.is_some() {
            return Err(Fault::AfterTheEnd(excerpt(text)).at(line));
        }
        if self.game.moves.len() >= MAX_GAME_MOVES {
            return Err(Fault::LongGame(MAX_GAME_MOVES).at(line));
        }
        let mv = parse(self).map_err(|fault| fault.at(line))?;
        match IllegalReason::of(&self.position, mv) {
            None => self.push(mv, None),
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

    /// Plays a legal move, with the player's score for Black.
    pub(super) fn push(&mut self, mv: Move, score: Option<Score>) {
        self.position.play(mv);
        self.game.push(mv, None, score);
    }

    /// Sets the time of the last move.
    pub(super) fn set_time(&mut self, time: Option<Duration>) {
        if let (Some(last), None, None) = (self.game.times.last_mut(), &self.last_illegal, &self.word) {
            *last = time;
        }
    }

    /// Sets the player's score of the last move, for Black. The first one counts.
    pub(super) fn set_score(&mut self, score: Score) {
        if let (Some(last), None, None) = (self.game.scores.last_mut(), &self.last_illegal, &self.word) {
            last.get_or_insert(score);
        }
    }

    /// Takes a comment line after the last move: the score of a move without one, or a comment on
    /// the position. It stays word for word, also with a score in it, unless it is nothing else.
    pub(super) fn comment(&mut self, text: &str) {
        let is_over = self.word.is_some() || self.last_illegal.is_some();
        if !is_over && let (Some(score), Some(None)) = (comment_score(text), self.game.scores.last()) {
            self.set_score(score);
            if is_score_alone(text, score) {
                return;
            }
        }
        self.game.comment(text.to_owned());
    }

    /// The word in place of the next move. The first one counts.
    pub(super) fn end(&mut self, ending: Ending) {
        let resolved = self.resolve(ending);
        self.word.get_or_insert(resolved);
    }

    /// The sentence about the end.
    pub(super) fn summarise(&mut self, ending: Ending) {
        self.summary = Some(self.resolve(ending));
    }

    /// The record says that the reason is unknown: that of the word does not count.
    pub(super) fn forget_reason(&mut self) {
        if let Some((reason, _)) = &mut self.word {
            *reason = EndReason::Unknown;
        }
    }

    fn resolve(&self, (reason, outcome): Ending) -> (EndReason, GameResult) {
        let mover = self.position.side_to_move();
        let result = match outcome {
            WordResult::MoverLoses => GameResult::won_by(!mover),
            WordResult::MoverWins if reason == EndReason::Checkmate && !has_legal_move(&self.position) => {
                GameResult::won_by(!mover)
            }
            WordResult::MoverWins => GameResult::won_by(mover),
            WordResult::Tried => {
                let goal = Square::at(4, if mover == Color::White { 0 } else { 8 });
                let has_come = self.position.king(!mover).is_some() && self.position.king(!mover) == goal;
                GameResult::won_by(if has_come { !mover } else { mover })
            }
            WordResult::Wins(color) => GameResult::won_by(color),
            WordResult::Draw => GameResult::Draw,
            WordResult::Unknown => GameResult::Unknown,
        };
        (reason, result)
    }

    pub(super) fn finish(mut self) -> Game {
        let (reason, result) = self.recorded_end();
        (self.game.end, self.game.result) = self.by_the_rules(reason, result);
        self.game
    }

    /// The recorded end: summary, else word.
    fn recorded_end(&self) -> (EndReason, GameResult) {
        let nothing = (EndReason::Unknown, GameResult::Unknown);
        let mover = self.position.side_to_move();
        let word = match self.last_illegal {
            // Anything after the illegal move was recorded after the loss.
            Some(_) => (EndReason::Illegal, GameResult::won_by(!mover)),
            None => self.word.unwrap_or(nothing),
        };
        let mut summary = self.summary.unwrap_or(nothing);
        if summary == (EndReason::Aborted, GameResult::Unknown) && word.1 != GameResult::Unknown {
            // The word says more; both must be of one end.
            summary = nothing;
        }
        let result = if summary.1 == GameResult::Unknown { word.1 } else { summary.1 };
        let reason = match (summary.0, word.0) {
            (EndReason::Unknown, EndReason::Unknown) if result == GameResult::won_by(!mover) => {
                // For an unrecorded reason.
                if has_legal_move(&self.position) { EndReason::Resign } else { EndReason::Checkmate }
            }
            (EndReason::Unknown, word) => word,
            (summary, _) => summary,
        };
        (reason, result)
    }

    /// The end by rule where the record has none, and for repetitions in any case: servers record a
    /// perpetual check as a draw, KIF records it as an illegal move.
    fn by_the_rules(&self, reason: EndReason, result: GameResult) -> (EndReason, GameResult) {
        let mover = self.position.side_to_move();
        let untold = reason == EndReason::Unknown && result == GameResult::Unknown && !self.game.moves.is_empty();
        if untold && !has_legal_move(&self.position) {
            return (EndReason::Checkmate, GameResult::won_by(!mover));
        }
        let illegal = reason == EndReason::Illegal && self.last_illegal.is_none();
        if !untold && !illegal && reason != EndReason::Repetition {
            return (reason, result);
        }
        let by_rule = match self.position.repetition() {
            Some(Repetition::Win) => GameResult::won_by(mover),
            Some(Repetition::Loss) => GameResult::won_by(!mover),
            Some(_) => GameResult::Draw,
            None => return (reason, result),
        };
        if illegal && by_rule != result { (reason, result) } else { (EndReason::Repetition, by_rule) }
    }
}

impl LastIllegal {
    fn into_error(self) -> Located {
        Fault::Illegal { number: self.number, text: self.text, reason: self.reason }.at(self.line)
    }
}

/// A board and two hands, not yet a valid position.
#[derive(Clone)]
pub(super) struct Setup {
    board: [Option<Piece>; Square::COUNT],
    hands: [Hand; 2],
}

impl Setup {
    pub(super) const fn empty() -> Self {
        Self { board: [None; Square::COUNT], hands: [Hand::EMPTY; 2] }
    }

    /// The start position.
    pub(super) fn even() -> Self {
        let mut setup = Self::empty();
        let start = Position::startpos();
        Square::all().for_each(|square| setup.board[square] = start.piece_at(square));
        setup
    }

    pub(super) fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.board[square] = piece;
    }

    pub(super) const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Adds one piece to a hand.
    pub(super) fn add_to_hand(&mut self, color: Color, kind: HandKind) -> Result<(), Fault> {
        let error = SfenError::TooManyPieces(kind.on_board().letter());
        self.hands[color] = self.hands[color].checked_add(kind).ok_or(error)?;
        Ok(())
    }

    /// Adds all remaining pieces of the set, except kings, to a hand.
    pub(super) fn add_rest_to_hand(&mut self, color: Color) -> Result<(), Fault> {
        for kind in HandKind::ALL {
            let on_board = self.board.iter().flatten().filter(|piece| piece.kind().in_hand() == Some(kind)).count();
            let held: u8 = self.hands.iter().map(|hand| hand.count(kind)).sum();
            for _ in on_board + usize::from(held)..usize::from(kind.full_set_count()) {
                self.add_to_hand(color, kind)?;
            }
        }
        Ok(())
    }

    pub(super) fn position(&self, side: Color) -> Result<Position, SfenError> {
        let ranks: Vec<String> = (0..9).map(|rank| self.rank(rank)).collect();
        let hands: String = Color::ALL
            .into_iter()
            .flat_map(|color| {
                self.hands[color].iter().map(move |(kind, count)| (Piece::new(color, kind.on_board()), count))
            })
            .map(|(piece, count)| format!("{count}{}", piece_text(piece)))
            .collect();
        let side = if side == Color::Black { 'b' } else { 'w' };
        let hands = if hands.is_empty() { "-" } else { &hands };
        Position::from_sfen(&format!("{} {side} {hands} 1", ranks.join("/")))
    }

    fn rank(&self, rank: u8) -> String {
        let squares = (0..9).rev().filter_map(|file| Square::at(file, rank));
        // SFEN accepts a run of ones as well as their sum.
        squares.map(|square| self.piece_at(square).map_or_else(|| "1".to_owned(), piece_text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_shogi::PieceKind;

    #[test]
    fn remaining_pieces_go_to_one_hand() {
        let mut setup = Setup::empty();
        setup.put(Square::from_usi("5a").unwrap(), Some(Piece::new(Color::White, PieceKind::King)));
        setup.put(Square::from_usi("5c").unwrap(), Some(Piece::new(Color::Black, PieceKind::ProPawn)));
        setup.add_to_hand(Color::Black, HandKind::Gold).unwrap();
        setup.add_rest_to_hand(Color::White).unwrap();
        let position = setup.position(Color::Black).unwrap();
        assert_eq!(position.sfen(), "4k4/9/4+P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    }

    #[test]
    fn even_handicap_is_startpos() {
        assert_eq!(Setup::even().position(Color::Black).unwrap().sfen(), Position::startpos().sfen());
    }
}
