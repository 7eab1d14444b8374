//! SFEN parsing and output.

use super::Position;
use crate::types::{Color, Hand, HandKind, Move, Piece, PieceKind, Square, excerpt};
use std::fmt::{self, Write};

/// SFEN of the start position.
pub const STARTPOS_SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Why an SFEN is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SfenError {
    #[error("the {0} is missing")]
    MissingField(&'static str),
    #[error("unexpected '{0}' after the SFEN")]
    TrailingText(String),
    #[error("the board has {0} ranks instead of 9")]
    RankCount(usize),
    #[error("rank {} has {squares} squares instead of 9", (b'a' + rank) as char)]
    FileCount { rank: u8, squares: usize },
    #[error("'{0}' is not a piece")]
    UnknownPiece(char),
    #[error("'{0}' cannot be promoted ('+')")]
    CannotPromote(char),
    #[error("'+' without a piece")]
    DanglingPromotion,
    #[error("the side to move is '{0}' instead of 'b' or 'w'")]
    SideLetter(String),
    #[error("'{0}' is not a piece that can be held in hand")]
    HandPiece(char),
    #[error("'{0}' is not a number of pieces in hand")]
    HandCount(String),
    #[error("duplicate '{0}' in the hands")]
    HandTwice(char),
    #[error("the hands end with a number")]
    HandDangling,
    #[error("there are more pieces '{0}' than a set of 40 holds")]
    TooManyPieces(char),
    #[error("{0:?} has two kings")]
    TwoKings(Color),
    #[error("there is no king")]
    NoKing,
    #[error("the piece on {0} could never move")]
    DeadEnd(Square),
    #[error("{0:?} is in check but not to move")]
    WrongSideInCheck(Color),
    #[error("'{0}' is not a move number")]
    MoveNumber(String),
}

/// Why a list of moves is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum PositionError {
    #[error(transparent)]
    Sfen(#[from] SfenError),
    #[error("there are more than {MAX_GAME_MOVES} moves")]
    TooLong,
    #[error("move {number} '{word}' is {reason}")]
    Move {
        /// From 1.
        number: usize,
        word: String,
        reason: &'static str,
    },
}

/// Maximum number of moves of a game, within the range of a position's history counters.
pub const MAX_GAME_MOVES: usize = 10_000;

fn shown(letter: char) -> char {
    if letter.is_control() { '?' } else { letter }
}

/// A piece in SFEN: `P`, `+p`, …
pub fn piece_text(piece: Piece) -> String {
    let letter = piece.kind().letter();
    let letter = if piece.color() == Color::White { letter.to_ascii_lowercase() } else { letter };
    if piece.kind().is_promoted() { format!("+{letter}") } else { letter.to_string() }
}

impl Position {
    /// Parses an SFEN: board, side, hands, and optionally the move number (1 if missing or 0).
    ///
    /// # Errors
    /// When a field is malformed, or the position is impossible in a game or mate problem.
    pub fn from_sfen(text: &str) -> Result<Self, SfenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut position = Self::empty();
        read_board(&mut position, fields.next().ok_or(SfenError::MissingField("board"))?)?;
        let side = match fields.next().ok_or(SfenError::MissingField("side to move"))? {
            "b" => Color::Black,
            "w" => Color::White,
            other => return Err(SfenError::SideLetter(excerpt(other))),
        };
        position.hands = read_hands(fields.next().ok_or(SfenError::MissingField("hands"))?)?;
        let ply = fields.next().map_or(Ok(1), read_move_number)?;
        if let Some(extra) = fields.next() {
            return Err(SfenError::TrailingText(excerpt(extra)));
        }
        position.check_pieces()?;
        position.finish(side, ply);
        position.check_turn()?;
        Ok(position)
    }

    /// The position after the given moves, each checked for legality.
    ///
    /// # Errors
    /// When a word is not a legal move, or there are more than 10,000.
    pub fn with_moves<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Result<Self, PositionError> {
        let mut next = self.clone();
        for (at, word) in words.into_iter().enumerate() {
            if at == MAX_GAME_MOVES {
                return Err(PositionError::TooLong);
            }
            let error = |reason| PositionError::Move { number: at + 1, word: excerpt(word), reason };
            let mv: Move = word.parse().map_err(|_| error("not a move"))?;
            if !next.is_legal(mv) {
                return Err(error("illegal here"));
            }
            next.play(mv);
        }
        Ok(next)
    }

    /// The SFEN of this position, with hands in standard order and the move number.
    pub fn sfen(&self) -> String {
        let mut text = String::with_capacity(96);
        for rank in 0..9 {
            let mut empty = 0;
            for file in (0..9).rev() {
                match Square::at(file, rank).and_then(|square| self.piece_at(square)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_empty(&mut text, &mut empty);
                        text.push_str(&piece_text(piece));
                    }
                }
            }
            push_empty(&mut text, &mut empty);
            text.push(if rank < 8 { '/' } else { ' ' });
        }
        text.push_str(if self.side == Color::Black { "b " } else { "w " });
        if self.hands.iter().all(|hand| hand.is_empty()) {
            text.push('-');
        }
        for color in Color::ALL {
            // The order of SFEN.
            for kind in HandKind::ASCENDING.into_iter().rev() {
                let count = self.hands[color].count(kind);
                if count > 1 {
                    text.push_str(&count.to_string());
                }
                if count > 0 {
                    text.push_str(&piece_text(Piece::new(color, kind.on_board())));
                }
            }
        }
        // Writing to a string cannot fail.
        let _ = write!(text, " {}", self.ply);
        text
    }

    /// Counts, dead ends and kings. Doubled pawns are accepted: some mate problems have them.
    pub(super) fn check_pieces(&self) -> Result<(), SfenError> {
        for kind in HandKind::ALL {
            let board = self.kinds[kind.on_board()].count()
                + if kind.on_board().can_promote() { self.kinds[kind.on_board().promoted()].count() } else { 0 };
            let held: u32 = self.hands.iter().map(|hand| u32::from(hand.count(kind))).sum();
            if board + held > u32::from(kind.full_set_count()) {
                return Err(SfenError::TooManyPieces(kind.on_board().letter()));
            }
        }
        for color in Color::ALL {
            if self.pieces(color, PieceKind::King).more_than_one() {
                return Err(SfenError::TwoKings(color));
            }
            for square in self.colors[color] {
                if self.board[square].is_some_and(|piece| square.relative_rank(color) < piece.kind().dead_ranks()) {
                    return Err(SfenError::DeadEnd(square));
                }
            }
        }
        if self.kinds[PieceKind::King].is_empty() { Err(SfenError::NoKing) } else { Ok(()) }
    }

    /// The side not to move must not be in check.
    pub(super) fn check_turn(&self) -> Result<(), SfenError> {
        let waiting = !self.side;
        match self.kings[waiting] {
            Some(king) if self.is_attacked(self.side, king, self.occupied()) => {
                Err(SfenError::WrongSideInCheck(waiting))
            }
            _ => Ok(()),
        }
    }
}

fn push_empty(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push((b'0' + *empty) as char);
    }
    *empty = 0;
}

fn read_board(position: &mut Position, text: &str) -> Result<(), SfenError> {
    let ranks = text.split('/').count();
    if ranks != 9 {
        return Err(SfenError::RankCount(ranks));
    }
    for (rank, row) in (0..9).zip(text.split('/')) {
        read_rank(position, rank, row)?;
    }
    Ok(())
}

fn read_rank(position: &mut Position, rank: u8, row: &str) -> Result<(), SfenError> {
    let mut squares = 0;
    let mut promoted = false;
    for letter in row.chars() {
        match letter {
            '+' if !promoted => promoted = true,
            '1'..='9' if !promoted => squares += letter as usize - '0' as usize,
            '+' | '1'..='9' => return Err(SfenError::DanglingPromotion),
            _ => {
                let kind = PieceKind::from_letter(letter.to_ascii_uppercase());
                let kind = kind.ok_or_else(|| SfenError::UnknownPiece(shown(letter)))?;
                if promoted && !kind.can_promote() {
                    return Err(SfenError::CannotPromote(letter));
                }
                let kind = if promoted { kind.promoted() } else { kind };
                let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
                if let Some(square) = 8usize.checked_sub(squares).and_then(|file| Square::at(file as u8, rank)) {
                    position.put(Piece::new(color, kind), square);
                }
                squares += 1;
                promoted = false;
            }
        }
    }
    if promoted {
        return Err(SfenError::DanglingPromotion);
    }
    if squares == 9 { Ok(()) } else { Err(SfenError::FileCount { rank, squares }) }
}

fn read_hands(text: &str) -> Result<[Hand; 2], SfenError> {
    let mut hands = [Hand::EMPTY; 2];
    if text == "-" {
        return Ok(hands);
    }
    let mut number = String::new();
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            number.push(letter);
            continue;
        }
        let kind = PieceKind::from_letter(letter.to_ascii_uppercase())
            .and_then(PieceKind::in_hand)
            .ok_or_else(|| SfenError::HandPiece(shown(letter)))?;
        let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
        let count = if number.is_empty() { 1 } else { read_hand_count(&number)? };
        if hands[color].has(kind) {
            return Err(SfenError::HandTwice(letter));
        }
        for _ in 0..count {
            hands[color] = hands[color].checked_add(kind).ok_or(SfenError::TooManyPieces(kind.on_board().letter()))?;
        }
        number.clear();
    }
    if number.is_empty() { Ok(hands) } else { Err(SfenError::HandDangling) }
}

fn read_hand_count(number: &str) -> Result<u8, SfenError> {
    let error = || SfenError::HandCount(excerpt(number));
    if number.starts_with('0') {
        return Err(error());
    }
    number.parse().map_err(|_| error())
}

/// Maximum move number of an SFEN, far beyond any game.
pub const MAX_MOVE_NUMBER: u32 = 1_000_000;

/// Some programs count from 0, parsed as 1.
fn read_move_number(text: &str) -> Result<u32, SfenError> {
    let valid = |number: &u32| *number <= MAX_MOVE_NUMBER;
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(valid)
        .map(|number: u32| number.max(1))
        .filter(|_| digits)
        .ok_or_else(|| SfenError::MoveNumber(excerpt(text)))
}

impl fmt::Display for Position {
    /// The board with files and ranks, both hands, and the SFEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = |color: Color| {
            let held: Vec<String> =
                self.hand(color).iter().map(|(kind, count)| format!("{}{count}", kind.on_board().letter())).collect();
            if held.is_empty() { "-".to_owned() } else { held.join(" ") }
        };
        writeln!(f, "White in hand: {}", hand(Color::White))?;
        writeln!(f, "  9  8  7  6  5  4  3  2  1")?;
        for rank in 0..9 {
            for file in (0..9).rev() {
                let piece = Square::at(file, rank).and_then(|square| self.piece_at(square));
                let cell = piece.map_or(" .".to_owned(), super::sfen::piece_text);
                write!(f, "{cell:>3}")?;
            }
            writeln!(f, "  {}", (b'a' + rank) as char)?;
        }
        writeln!(f, "Black in hand: {}", hand(Color::Black))?;
        write!(f, "sfen {}", self.sfen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsed_position_reserves_no_history() {
        let position = Position::startpos();
        assert_eq!((position.history.capacity(), position.board_keys.capacity()), (0, 0));
    }
}
