//! Moves of CSA.

use super::keywords::{kind, name, signed, square};
use crate::builder::Builder;
use crate::error::Fault;
use crate::illegal::IllegalReason;
use sabi_shogi::{Color, Move, Piece, PieceKind, Position, Square, excerpt};

/// A parsed move: source (none for a drop), target, and the piece after the move.
struct ParsedMove {
    from: Option<Square>,
    to: Square,
    kind: PieceKind,
}

fn parse_move(text: &str) -> Option<ParsedMove> {
    if text.len() != 7 {
        return None;
    }
    let from = square(text.get(1..3)?)?;
    let to = square(text.get(3..5)?)??;
    Some(ParsedMove { from, to, kind: kind(text.get(5..7)?)? })
}

/// The move of a text in the current position.
pub(crate) fn resolve_move(builder: &Builder, color: Color, text: &str) -> Result<Move, Fault> {
    resolve_in(builder.position(), builder.number(), color, text)
}

/// The move of a text in a position, as move `number` of the game.
fn resolve_in(position: &Position, number: usize, color: Color, text: &str) -> Result<Move, Fault> {
    let not_a_move = || Fault::NotAMove(excerpt(text));
    let parsed = parse_move(text).ok_or_else(not_a_move)?;
    if position.side_to_move() != color {
        return Err(Fault::WrongSide { number, text: excerpt(text), color });
    }
    resolve(position, parsed)
        .map_err(|actual| Fault::WrongPiece { number, text: excerpt(text), actual })?
        .ok_or_else(not_a_move)
}

/// Parses a legal move in CSA: `+7776FU`.
///
/// # Errors
/// When it is not a legal move.
pub fn read_csa_move(position: &Position, text: &str) -> Result<Move, Fault> {
    let (color, _) = signed(text).ok_or_else(|| Fault::NotAMove(excerpt(text)))?;
    let number = position.plies_played() + 1;
    let mv = resolve_in(position, number, color, text)?;
    match IllegalReason::of(position, mv) {
        None => Ok(mv),
        Some(reason) => Err(Fault::Illegal { number, text: excerpt(text), reason }),
    }
}

/// The move. The error is the piece on the source square, if it does not match.
fn resolve(position: &Position, parsed: ParsedMove) -> Result<Option<Move>, String> {
    let ParsedMove { from, to, kind } = parsed;
    let Some(from) = from else {
        let held = kind.in_hand().filter(|_| !kind.is_promoted());
        return Ok(held.map(|held| Move::drop(held, to)));
    };
    match position.piece_at(from).map(Piece::kind) {
        // An empty source square is reported when the move is played.
        None => Ok(Move::board(from, to, false)),
        Some(before) if before == kind => Ok(Move::board(from, to, false)),
        Some(before) if before.can_promote() && before.promoted() == kind => Ok(Move::board(from, to, true)),
        Some(before) => Err(name(before).to_owned()),
    }
}
