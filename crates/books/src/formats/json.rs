//! Sabi's JSON: lossless text form of a book, one position per line.
//!
//! ```json
//! {"format":"sabi-book","version":1,"positions":[
//! {"sfen":"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1","moves":[
//!   {"move":"7g7f","weight":3,"score":30}]}
//! ]}
//! ```
//!
//! `weight` defaults to 1; `games`, `win_rate` (in 1/10000), `score` (centipawns; 32000 − n is a
//! mate in n plies), `depth`, `answer` and `name` are omitted if unknown. The three fields of the
//! book have a fixed order. Errors are reported with line and column, nothing is dropped: unknown
//! fields, illegal or duplicate moves, numbers out of range.

use super::reading::{FormatError, PositionVisitor, ReadReport};
use crate::{BookMove, BookPosition, WIN_RATE_ONE};
use sabi_files::JsonError;
use sabi_shogi::{Move, Position, Score};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

const FORMAT: &str = "sabi-book";
const VERSION: u32 = 1;

/// A position as text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionText {
    sfen: String,
    moves: Vec<MoveText>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveText {
    #[serde(rename = "move")]
    mv: String,
    #[serde(default = "one")]
    weight: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_rate: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

const fn one() -> u32 {
    1
}

impl From<&BookMove> for MoveText {
    fn from(entry: &BookMove) -> Self {
        Self {
            mv: entry.mv.to_string(),
            weight: entry.weight,
            games: entry.games,
            win_rate: entry.win_rate,
            score: entry.score.map(Score::get),
            depth: entry.depth,
            answer: entry.answer.map(|answer| answer.to_string()),
            name: entry.name.as_deref().map(str::to_owned),
        }
    }
}

impl MoveText {
    /// Checks the move in `position`, which is restored.
    fn check(&self, position: &mut Position) -> Result<BookMove, String> {
        let legal = |position: &Position, word: &str| {
            let mv: Move = word.parse().map_err(|error| format!("{error}"))?;
            if position.is_legal(mv) { Ok(mv) } else { Err(format!("{mv} is illegal in {}", position.sfen())) }
        };
        let mv = legal(position, &self.mv)?;
        position.play(mv);
        let answer = self.answer.as_deref().map(|word| legal(position, word)).transpose();
        position.undo();
        if let Some(rate) = self.win_rate.filter(|&rate| rate > WIN_RATE_ONE) {
            return Err(format!("the win rate {rate} is above {WIN_RATE_ONE}"));
        }
        let limit = Score::MATE.get();
        if let Some(number) = self.score.filter(|number| !(-limit..=limit).contains(number)) {
            return Err(format!("{number} is out of the range of scores"));
        }
        Ok(BookMove {
            games: self.games,
            win_rate: self.win_rate,
            score: self.score.map(Score::raw),
            depth: self.depth,
            answer: answer?,
            name: self.name.as_deref().map(Arc::from),
            ..BookMove::new(mv, self.weight)
        })
    }
}

impl PositionText {
    fn check(&self) -> Result<BookPosition, String> {
        let mut position = Position::from_sfen(&self.sfen).map_err(|error| format!("bad SFEN: {error}"))?;
        let mut moves: Vec<BookMove> = Vec::new();
        for text in &self.moves {
            let entry = text.check(&mut position)?;
            if moves.iter().any(|known| known.mv == entry.mv) {
                return Err(format!("duplicate {} in {}", entry.mv, self.sfen));
            }
            moves.push(entry);
        }
        // Sorted like every book position; no change for files written here.
        moves.sort_by_key(|entry| Reverse(entry.weight));
        Ok(BookPosition { position, moves })
    }
}

/// Whether a text that starts like this is Sabi's JSON.
pub fn is_own_json(head: &[u8]) -> bool {
    let start = format!("{{\"format\":\"{FORMAT}\"");
    let said = head.iter().filter(|byte| !byte.is_ascii_whitespace()).take(start.len());
    said.eq(start.as_bytes())
}

/// Writes a book, one position per line, in the given order.
///
/// # Errors
/// When writing fails.
pub fn write_json<'a>(mut out: impl Write, positions: impl IntoIterator<Item = &'a BookPosition>) -> io::Result<()> {
    write!(out, "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\"positions\":[")?;
    for (at, position) in positions.into_iter().enumerate() {
        out.write_all(if at == 0 { b"\n" } else { b",\n" })?;
        let moves = position.moves.iter().map(MoveText::from).collect();
        serde_json::to_writer(&mut out, &PositionText { sfen: position.position.sfen(), moves })?;
    }
    out.write_all(b"\n]}\n")?;
    out.flush()
}

/// Reads a book and passes on its positions one by one.
///
/// # Errors
/// The first error, with its line and column.
pub fn read_json(
    source: impl io::Read,
    report: &mut ReadReport,
    visitor: &mut PositionVisitor<'_>,
) -> Result<(), FormatError> {
    let mut has_stopped = false;
    let mut counted = |position: BookPosition| {
        report.positions += 1;
        report.moves += position.moves.len() as u64;
        let flow = visitor(position);
        has_stopped = flow.is_break();
        flow
    };
    let mut deserializer = serde_json::Deserializer::from_reader(source);
    let book = Reader { part: Part::Book, visitor: &mut counted };
    match book.deserialize(&mut deserializer).and_then(|()| deserializer.end()) {
        Err(_) if has_stopped => Ok(()),
        result => Ok(result.map_err(JsonError::from)?),
    }
}

/// What of a book is read.
#[derive(Copy, Clone)]
enum Part {
    Book,
    Positions,
    Position,
}

/// Passes on the positions while it reads: only one is in memory.
struct Reader<'r, 'v> {
    part: Part,
    visitor: &'r mut PositionVisitor<'v>,
}

impl<'de> DeserializeSeed<'de> for Reader<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.part {
            Part::Positions => deserializer.deserialize_seq(self),
            Part::Book | Part::Position => deserializer.deserialize_map(self),
        }
    }
}

impl<'de> Visitor<'de> for Reader<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.part {
            Part::Book => "a book: an object with format, version and positions",
            Part::Positions => "a list of positions",
            Part::Position => "a position with its moves",
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if let Part::Position = self.part {
            // Checked before its closing brace is read, so that an error has its line.
            let text = PositionText::deserialize(MapAccessDeserializer::new(map))?;
            let flow = (self.visitor)(text.check().map_err(Error::custom)?);
            // Serde needs an error to stop early.
            return if flow.is_break() { Err(Error::custom("stopped")) } else { Ok(()) };
        }
        expect_key(&mut map, "format")?;
        let format: String = map.next_value()?;
        if format != FORMAT {
            return Err(Error::custom(format_args!("the format is '{format}', not '{FORMAT}'")));
        }
        expect_key(&mut map, "version")?;
        let version: u32 = map.next_value()?;
        if version != VERSION {
            return Err(Error::custom(format_args!("version {version} is not known, only {VERSION}")));
        }
        expect_key(&mut map, "positions")?;
        map.next_value_seed(Reader { part: Part::Positions, ..self })?;
        match map.next_key::<String>()? {
            Some(key) => Err(Error::custom(format_args!("unknown field '{key}'"))),
            None => Ok(()),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Reader { part: Part::Position, visitor: &mut *self.visitor })?.is_some() {}
        Ok(())
    }
}

/// The order is fixed, so that the reader can stream.
fn expect_key<'de, A: MapAccess<'de>>(map: &mut A, wanted: &'static str) -> Result<(), A::Error> {
    match map.next_key::<String>()? {
        Some(key) if key == wanted => Ok(()),
        Some(key) => Err(Error::custom(format_args!("expected '{wanted}', not '{key}'"))),
        None => Err(Error::missing_field(wanted)),
    }
}
