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

use super::{FormatError, PositionVisitor, ReadReport};
use crate::{BookMove, BookPosition, WIN_RATE_ONE};
use sabi_files::JsonError;
use sabi_shogi::{Move, Position, Score};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

const FORMAT: &str = "sabi-book";
const VERSION: u32 = 1;

/// A position as text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionText<'a> {
    sfen: Cow<'a, str>,
    moves: Vec<MoveText<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveText<'a> {
    #[serde(rename = "move")]
    mv: Cow<'a, str>,
    #[serde(default = "one")]
    weight: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    games: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    win_rate: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Cow<'a, str>>,
}

const fn one() -> u32 {
    1
}

impl<'a> From<&'a BookMove> for MoveText<'a> {
    fn from(entry: &'a BookMove) -> Self {
        Self {
            mv: entry.mv.to_string().into(),
            weight: entry.weight,
            games: entry.games,
            win_rate: entry.win_rate,
            score: entry.score.map(Score::get),
            depth: entry.depth,
            answer: entry.answer.map(|answer| answer.to_string().into()),
            name: entry.name.as_deref().map(Cow::from),
        }
    }
}

impl MoveText<'_> {
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
        let score = self.score.map(|number| {
            let limit = Score::MATE.get();
            if (-limit..=limit).contains(&number) {
                Ok(Score::raw(number))
            } else {
                Err(format!("{number} is out of the range of scores"))
            }
        });
        Ok(BookMove {
            games: self.games,
            win_rate: self.win_rate,
            score: score.transpose()?,
            depth: self.depth,
            answer: answer?,
            name: self.name.as_deref().map(Arc::from),
            ..BookMove::new(mv, self.weight)
        })
    }
}

impl PositionText<'_> {
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
        serde_json::to_writer(&mut out, &PositionText { sfen: position.position.sfen().into(), moves })?;
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
    let result = deserializer.deserialize_map(Book(&mut counted)).and_then(|()| deserializer.end());
    match result {
        // Serde needs an error to stop early.
        Err(_) if has_stopped => Ok(()),
        result => Ok(result.map_err(JsonError::from)?),
    }
}

struct Book<'a>(&'a mut PositionVisitor<'a>);

impl<'de> Visitor<'de> for Book<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a book: an object with format, version and positions")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
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
        map.next_value_seed(Positions(self.0))?;
        match map.next_key::<String>()? {
            Some(key) => Err(Error::custom(format_args!("unknown field '{key}'"))),
            None => Ok(()),
        }
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

struct Positions<'a>(&'a mut PositionVisitor<'a>);

impl<'de> DeserializeSeed<'de> for Positions<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Positions<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of positions")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut positions: A) -> Result<(), A::Error> {
        let Self(visitor) = self;
        while let Some(position) = positions.next_element_seed(OnePosition)? {
            if visitor(position).is_break() {
                return Err(Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

/// A position checked before its closing brace is read, so that an error has its line.
struct OnePosition;

impl<'de> DeserializeSeed<'de> for OnePosition {
    type Value = BookPosition;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<BookPosition, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OnePosition {
    type Value = BookPosition;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a position with its moves")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<BookPosition, A::Error> {
        PositionText::deserialize(MapAccessDeserializer::new(map))?.check().map_err(Error::custom)
    }
}
