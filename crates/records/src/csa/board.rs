//! Position statements (`P`): rows, single pieces, pieces removed from the start position.

use super::keywords::{kind, signed, square};
use crate::error::Fault;
use crate::setup::Setup;
use sabi_shogi::{Color, Piece, PieceKind, Position, SfenError, Square, excerpt};

/// The start position as given so far.
pub(super) struct Board {
    setup: Setup,
    /// Whether any statement was given.
    given: bool,
}

impl Board {
    pub(super) fn new() -> Self {
        Self { setup: Setup::even(), given: false }
    }

    pub(super) const fn is_given(&self) -> bool {
        self.given
    }

    pub(super) fn position(&self, side: Color) -> Result<Position, SfenError> {
        self.setup.position(side)
    }

    /// Reads a statement that begins with `P`.
    pub(super) fn read(&mut self, statement: &str) -> Result<(), Fault> {
        let error = || Fault::Board(excerpt(statement));
        let rest = statement.get(1..).ok_or_else(error)?;
        if let Some(removed) = rest.strip_prefix('I') {
            self.setup = Setup::even();
            self.given = true;
            for (square, kind) in placed_pieces(removed).ok_or_else(error)? {
                let square = square.ok_or_else(error)?;
                if self.setup.piece_at(square).is_none_or(|piece| Some(piece.kind()) != kind) {
                    return Err(Fault::NothingToRemove(excerpt(removed)));
                }
                self.setup.put(square, None);
            }
            return Ok(());
        }
        if !self.given {
            self.setup = Setup::empty();
            self.given = true;
        }
        if let Some((color, pieces)) = signed(rest) {
            return self.place(color, placed_pieces(pieces).ok_or_else(error)?, error);
        }
        let rank = rest.bytes().next().filter(|byte| (b'1'..=b'9').contains(byte)).ok_or_else(error)? - b'1';
        let cells = row_cells(rest.get(1..).unwrap_or_default()).ok_or_else(error)?;
        for (file, cell) in (0..9).rev().zip(cells) {
            if let Some(square) = Square::at(file, rank) {
                self.setup.put(square, cell);
            }
        }
        Ok(())
    }

    /// `P+00KI27FU`: pieces of one side, on squares or, at 00, in hand; `AL` is all the rest.
    fn place(
        &mut self,
        color: Color,
        pieces: Vec<(Option<Square>, Option<PieceKind>)>,
        error: impl Fn() -> Fault,
    ) -> Result<(), Fault> {
        for (square, kind) in pieces {
            match (square, kind) {
                (Some(square), Some(kind)) => self.setup.put(square, Some(Piece::new(color, kind))),
                (Some(_), None) => return Err(error()),
                (None, None) => self.setup.add_rest_to_hand(color)?,
                (None, Some(kind)) if kind.is_promoted() => return Err(error()),
                (None, Some(kind)) => self.setup.add_to_hand(color, kind.in_hand().ok_or_else(&error)?)?,
            }
        }
        Ok(())
    }
}

/// Groups of two digits and two letters. `AL` has no kind.
fn placed_pieces(text: &str) -> Option<Vec<(Option<Square>, Option<PieceKind>)>> {
    let mut rest = text.trim();
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let (at, name) = (square(rest.get(..2)?)?, rest.get(2..4)?);
        let kind = if name == "AL" && at.is_none() { None } else { Some(kind(name)?) };
        pieces.push((at, kind));
        rest = rest.get(4..)?;
    }
    Some(pieces)
}

/// The nine cells of a row, three characters each; trailing blanks may be missing, and some
/// programs use other widths.
fn row_cells(row: &str) -> Option<[Option<Piece>; 9]> {
    fixed_cells(row).or_else(|| loose_cells(row))
}

fn fixed_cells(row: &str) -> Option<[Option<Piece>; 9]> {
    let mut cells = [None; 9];
    let mut rest = row;
    for cell in &mut cells {
        let (head, tail) = rest.split_at_checked(rest.len().min(3))?;
        *cell = match head.trim() {
            "" | "*" => None,
            piece => Some(signed_piece(piece)?),
        };
        rest = tail;
    }
    rest.trim().is_empty().then_some(cells)
}

fn loose_cells(row: &str) -> Option<[Option<Piece>; 9]> {
    let mut cells = [None; 9];
    let mut rest = row.trim_start();
    for cell in &mut cells {
        if let Some(tail) = rest.strip_prefix('*') {
            rest = tail.trim_start();
        } else if !rest.is_empty() {
            let (head, tail) = rest.split_at_checked(3)?;
            *cell = Some(signed_piece(head)?);
            rest = tail.trim_start();
        }
    }
    rest.is_empty().then_some(cells)
}

fn signed_piece(text: &str) -> Option<Piece> {
    let (color, name) = signed(text)?;
    Some(Piece::new(color, kind(name)?))
}
