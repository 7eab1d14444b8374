//! A start position assembled piece by piece.

use super::error::Fault;
use sabi_shogi::{Color, Hand, HandKind, Piece, Position, SfenError, Square, piece_text};

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
            .flat_map(|color| self.hands[color].iter().map(move |(kind, count)| held_text(color, kind, count)))
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

fn held_text(color: Color, kind: HandKind, count: u8) -> String {
    format!("{count}{}", piece_text(Piece::new(color, kind.on_board())))
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
