//! JSON books with opening names, in three shapes used by other engines.
//!
//! - an object with a list `positions`, each with `fen` and `moves`; a move has `move_notation`
//!   (USI), `weight`, `evaluation`, `opening_name`, and `from` and `to`, which often contradict the
//!   notation: the notation is used; other fields of the object are ignored;
//! - a list of openings with `name` and `moves`, an object from SFEN to moves with `from` and `to`:
//!   two digits, or row and column from 0, the row from the top and the column from the left, or
//!   `drop` and a `pieceType`;
//! - such an object alone.
//!
//! Many entries of such files are invalid; the report lists them.

use super::reading::{
    Candidates, DropReason, FormatError, Location, PositionVisitor, ReadReport, UnknownValues, file_score, file_weight,
};
use super::yaneuraou::read_position;
use crate::BookMove;
use sabi_files::{JsonError, without_bom};
use sabi_shogi::{Move, PieceKind, Square};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A JSON object in file order, with duplicate keys.
struct Pairs(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self(Vec::new()))
    }
}

impl<'de> Visitor<'de> for Pairs {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(pair) = map.next_entry()? {
            self.0.push(pair);
        }
        Ok(self)
    }
}

#[derive(serde::Deserialize)]
struct Opening {
    name: Option<String>,
    moves: Pairs,
}

/// Reads a whole book.
///
/// # Errors
/// When it is not JSON, or of another shape.
pub fn read(bytes: &[u8], report: &mut ReadReport, visitor: &mut PositionVisitor<'_>) -> Result<(), FormatError> {
    let bytes = without_bom(bytes);
    let mut reader = Reader { number: 0, valid: 0, report, visitor };
    let _ = if bytes.trim_ascii_start().starts_with(b"[") {
        let openings: Vec<Opening> = serde_json::from_slice(bytes).map_err(JsonError::from)?;
        openings.into_iter().try_for_each(|opening| reader.object(opening.moves, opening.name.as_deref()))
    } else {
        let Pairs(pairs) = serde_json::from_slice(bytes).map_err(JsonError::from)?;
        match pairs.iter().find_map(|(key, value)| value.as_array().filter(|_| key == "positions")) {
            Some(positions) => reader.positions(positions),
            None => {
                let end = reader.object(Pairs(pairs), None);
                if reader.valid == 0 {
                    return Err(FormatError::Unknown);
                }
                end
            }
        }
    };
    Ok(())
}

struct Reader<'r, 's, 'f> {
    /// Number of the last position, from 1.
    number: u64,
    /// Number of valid positions with a list of moves.
    valid: u64,
    report: &'r mut ReadReport,
    visitor: &'s mut PositionVisitor<'f>,
}

impl Reader<'_, '_, '_> {
    fn positions(&mut self, positions: &[Value]) -> ControlFlow<()> {
        positions.iter().try_for_each(|position| {
            let sfen = position.get("fen").and_then(Value::as_str).unwrap_or("");
            self.position(sfen, &position["moves"], None)
        })
    }

    fn object(&mut self, Pairs(pairs): Pairs, name: Option<&str>) -> ControlFlow<()> {
        let name = name.map(Arc::from);
        pairs.iter().try_for_each(|(sfen, moves)| self.position(sfen, moves, name.as_ref()))
    }

    fn position(&mut self, sfen: &str, moves: &Value, name: Option<&Arc<str>>) -> ControlFlow<()> {
        self.number += 1;
        let location = Location::Position(self.number);
        let list = moves.as_array();
        let moves = list.map_or(&[] as &[Value], Vec::as_slice);
        let Some(position) = read_position(sfen, location, self.report) else {
            self.report.note(DropReason::BadPosition, location, || sfen.to_owned());
            if !moves.is_empty() {
                let count = moves.len() as u64;
                self.report.note_many(DropReason::MoveWithoutPosition, count, location, || sfen.to_owned());
            }
            return ControlFlow::Continue(());
        };
        self.valid += u64::from(list.is_some());
        let mut candidates = Candidates::new(position, location, UnknownValues::Nothing);
        for (number, value) in (1..).zip(moves) {
            self.take_move(value, name, Location::Move(self.number, number), &mut candidates);
        }
        candidates.finish(self.report).map_or(ControlFlow::Continue(()), |position| (self.visitor)(position))
    }

    fn take_move(&mut self, value: &Value, name: Option<&Arc<str>>, location: Location, candidates: &mut Candidates) {
        let by_squares = move_by_squares(value);
        let notation = value.get("move_notation").and_then(Value::as_str);
        let Some(mv) = notation.map_or(by_squares, |text| text.parse().ok()) else {
            self.report.note(DropReason::BadMove, location, || value.to_string());
            return;
        };
        let number = |key: &str| value.get(key).and_then(Value::as_i64);
        let named = value.get("opening_name").and_then(Value::as_str).map(Arc::from);
        let entry = BookMove {
            score: number("evaluation").map(file_score),
            name: named.or_else(|| name.cloned()),
            ..BookMove::new(mv, number("weight").map_or(1, file_weight))
        };
        if candidates.push(entry, location, mv, self.report) && by_squares.is_some_and(|other| other != mv) {
            self.report.note(DropReason::Disagreement, location, || {
                format!("{mv} taken, {} to {}", value["from"], value["to"])
            });
        }
    }
}

fn move_by_squares(value: &Value) -> Option<Move> {
    let to = square(value.get("to")?)?;
    let promotes = value.get("promote").and_then(Value::as_bool).unwrap_or(false);
    match value.get("from")? {
        Value::String(drop) if drop == "drop" => {
            let mut letters = value.get("pieceType")?.as_str()?.chars();
            let kind = PieceKind::from_letter(letters.next()?.to_ascii_uppercase())?.in_hand()?;
            letters.next().is_none().then(|| Move::drop(kind, to))
        }
        from => Move::board(square(from)?, to, promotes),
    }
}

/// `[row, column]`, `"77"` or `"7g"`.
fn square(value: &Value) -> Option<Square> {
    match value {
        Value::Array(pair) => {
            let [row, column] = pair.as_slice() else { return None };
            let index = |value: &Value| value.as_u64().and_then(|index| u8::try_from(index).ok());
            Square::at(8u8.checked_sub(index(column)?)?, index(row)?)
        }
        Value::String(text) => match *text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => Square::at(file - b'1', rank - b'1'),
            _ => Square::from_usi(text),
        },
        _ => None,
    }
}
