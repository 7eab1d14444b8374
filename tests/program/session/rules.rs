//! Independent shogi rules from other crates.

use std::fmt;

use shogi_core::{Move, PartialPosition, Piece, ToUsi};
use shogi_usi_parser::FromUsi;

/// A position as the test knows it.
#[derive(Clone)]
pub struct Board(PartialPosition);

impl Board {
    pub fn startpos() -> Self {
        Self(PartialPosition::startpos())
    }

    /// Parses the arguments of `position`, and panics on invalid ones.
    pub fn at(text: &str) -> Self {
        let (root, moves) = text.split_once(" moves").unwrap_or((text, ""));
        let root = PartialPosition::from_usi(root.trim()).unwrap_or_else(|e| panic!("fixture {root:?}: {e}"));
        let mut board = Self(root);
        for word in moves.split_whitespace() {
            assert!(board.play(word), "fixture {text:?}: {word} is illegal");
        }
        board
    }

    /// Plays a legal move; returns whether it was legal.
    pub fn play(&mut self, usi: &str) -> bool {
        match self.legal(usi) {
            Some(mv) => self.0.make_move(mv).is_some(),
            None => false,
        }
    }

    pub fn is_legal(&self, usi: &str) -> bool {
        self.legal(usi).is_some()
    }

    /// The first illegal move, if any.
    pub fn first_illegal<'a>(&self, line: &'a [String]) -> Option<&'a str> {
        let mut board = self.clone();
        line.iter().map(String::as_str).find(|word| !board.play(word))
    }

    pub fn after(&self, usi: &str) -> Self {
        let mut next = self.clone();
        assert!(next.play(usi), "{usi} is illegal in {self}");
        next
    }

    pub fn legal_moves(&self) -> Vec<String> {
        let moves = shogi_legality_lite::all_legal_moves_partial(&self.0);
        moves.into_iter().map(|mv| mv.to_usi_owned()).collect()
    }

    /// No legal move: lost, in check or not.
    pub fn is_lost(&self) -> bool {
        shogi_legality_lite::all_legal_moves_partial(&self.0).is_empty()
    }

    pub fn is_check(&self) -> bool {
        shogi_legality_lite::is_in_check_partial_lite(&self.0)
    }

    /// Board, side to move, hands and ply, without the word `sfen`.
    pub fn sfen(&self) -> String {
        self.0.to_sfen_owned()
    }

    /// The same position without history.
    pub fn as_root(&self) -> String {
        format!("sfen {}", self.sfen())
    }

    fn legal(&self, usi: &str) -> Option<Move> {
        // The parser gives every drop to Black, since USI does not name the colour.
        let mv = match Move::from_usi(usi).ok()? {
            Move::Drop { piece, to } => Move::Drop { piece: Piece::new(piece.piece_kind(), self.0.side_to_move()), to },
            normal => normal,
        };
        shogi_legality_lite::is_legal_partial_lite(&self.0, mv).then_some(mv)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sfen())
    }
}
