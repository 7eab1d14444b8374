//! Moves of PGN: `Pc3c4`, `+Bd5e4`, `Bb2h8+`, `P@e5`.

use crate::builder::Builder;
use crate::error::Fault;
use sabi_shogi::{Move, PieceKind, Square, excerpt};

/// The move of a text in the current position.
pub(super) fn resolve_move(builder: &Builder, text: &str) -> Result<Move, Fault> {
    let not_a_move = || Fault::NotAMove(excerpt(text));
    let (promoted, rest) = text.strip_prefix('+').map_or((false, text), |rest| (true, rest));
    let mut letters = rest.chars();
    let kind = letters.next().and_then(PieceKind::from_letter).ok_or_else(not_a_move)?;
    let rest = letters.as_str();
    if let Some(target) = rest.strip_prefix('@') {
        let held = kind.in_hand().filter(|_| !promoted).ok_or_else(not_a_move)?;
        return match square(target) {
            Some((to, "")) => Ok(Move::drop(held, to)),
            _ => Err(not_a_move()),
        };
    }
    let (from, rest) = square(rest).ok_or_else(not_a_move)?;
    let (to, flag) = square(rest).ok_or_else(not_a_move)?;
    let promotes = match flag {
        "" => false,
        "+" => true,
        _ => return Err(not_a_move()),
    };
    // An empty source square is reported when the move is played.
    if let Some(actual) = builder.position().piece_at(from).map(|piece| piece.kind())
        && !is_called(actual, promoted, kind)
    {
        let sign = if actual.is_promoted() { "+" } else { "" };
        let (number, actual) = (builder.number(), format!("{sign}{}", actual.letter()));
        return Err(Fault::WrongPiece { number, text: excerpt(text), actual });
    }
    Move::board(from, to, promotes).ok_or_else(not_a_move)
}

/// Whether a piece is written like this. The program that writes this format calls a promoted
/// knight `+K`.
fn is_called(actual: PieceKind, promoted: bool, letter: PieceKind) -> bool {
    match (promoted, letter) {
        (true, PieceKind::King) => actual == PieceKind::ProKnight,
        (true, bare) => bare.can_promote() && actual == bare.promoted(),
        (false, bare) => actual == bare,
    }
}

/// The square at the start of a text, and the rest: `a9` is Black's far left corner.
fn square(text: &str) -> Option<(Square, &str)> {
    let [file @ b'a'..=b'i', rank @ b'1'..=b'9', ..] = *text.as_bytes() else { return None };
    Some((Square::at(b'i' - file, b'9' - rank)?, &text[2..]))
}
