//! The moves: as rows of 24 bytes, or as the columns of a compressed block, and their names.
//!
//! In a block moves are stored value by value, each as difference to a prediction. In block order a
//! position is followed by the one after its first move, so a win rate is predicted as one minus
//! that of the previous position, a score as its negative, and an answer as the next first move.

use super::header::{Section, ShobError};
use crate::{BookMove, WIN_RATE_ONE};
use sabi_files::{Cursor, put_varint};
use sabi_shogi::{MAX_MOVES, Move, Score};
use std::collections::HashMap;
use std::sync::Arc;

/// Marks of the values that a move has.
mod presence {
    pub const GAMES: u8 = 1;
    pub const WIN_RATE: u8 = 2;
    pub const SCORE: u8 = 4;
    pub const DEPTH: u8 = 8;
    pub const ANSWER: u8 = 16;
    pub const NAME: u8 = 32;
    pub const ALL: u8 = 63;
}

/// The marks of a move.
fn marks_of(mv: &BookMove) -> u8 {
    presence::GAMES * u8::from(mv.games.is_some())
        + presence::WIN_RATE * u8::from(mv.win_rate.is_some())
        + presence::SCORE * u8::from(mv.score.is_some())
        + presence::DEPTH * u8::from(mv.depth.is_some())
        + presence::ANSWER * u8::from(mv.answer.is_some())
        + presence::NAME * u8::from(mv.name.is_some())
}

/// Checks move bits.
#[inline]
fn move_of(bits: u64) -> Result<Move, ShobError> {
    u16::try_from(bits).ok().and_then(Move::from_bits).ok_or(ShobError::Damaged("invalid move bits"))
}

/// Checks a win rate.
#[inline]
fn win_rate_of(value: i64) -> Result<u16, ShobError> {
    let valid = u16::try_from(value).ok().filter(|&rate| rate <= WIN_RATE_ONE);
    valid.ok_or(ShobError::Damaged("a win rate is above 1"))
}

/// Checks a score.
#[inline]
fn score_of(value: i64) -> Result<Score, ShobError> {
    let limit = i64::from(Score::MATE.get());
    if (-limit..=limit).contains(&value) {
        Ok(Score::raw(value as i32))
    } else {
        Err(ShobError::Damaged("a score is out of range"))
    }
}

/// Appends a move.
pub(super) fn put_row(bytes: &mut Vec<u8>, mv: &BookMove, names: &mut NameNumbers) {
    bytes.extend(mv.mv.bits().to_le_bytes());
    bytes.extend(mv.answer.map_or(0, Move::bits).to_le_bytes());
    bytes.extend(mv.weight.to_le_bytes());
    bytes.extend(mv.games.unwrap_or(0).to_le_bytes());
    bytes.extend(mv.win_rate.unwrap_or(0).to_le_bytes());
    bytes.extend((mv.score.map_or(0, Score::get) as i16).to_le_bytes());
    bytes.extend(mv.depth.unwrap_or(0).to_le_bytes());
    bytes.extend(u16::from(marks_of(mv)).to_le_bytes());
    bytes.extend(mv.name.as_ref().map_or(0, |name| names.number(name)).to_le_bytes());
}

/// Reads a move.
pub(super) fn read_row(cursor: &mut Cursor<'_>, names: &Names<'_>) -> Result<BookMove, ShobError> {
    let (mv, answer) = (cursor.u16()?, cursor.u16()?);
    let (weight, games) = (cursor.u32()?, cursor.u32()?);
    let (win_rate, score, depth) = (cursor.u16()?, cursor.u16()? as i16, cursor.u16()?);
    let marks = cursor.u16()?;
    let name = cursor.u32()?;
    if marks & !u16::from(presence::ALL) != 0 {
        return Err(ShobError::Damaged("a move has unknown marks"));
    }
    let has = |mark: u8| marks & u16::from(mark) != 0;
    Ok(BookMove {
        mv: move_of(mv.into())?,
        weight,
        games: has(presence::GAMES).then_some(games),
        win_rate: has(presence::WIN_RATE).then(|| win_rate_of(win_rate.into())).transpose()?,
        score: has(presence::SCORE).then(|| score_of(score.into())).transpose()?,
        depth: has(presence::DEPTH).then_some(depth),
        answer: has(presence::ANSWER).then(|| move_of(answer.into())).transpose()?,
        name: has(presence::NAME).then(|| names.get(name)).transpose()?,
    })
}

/// Upper bound of the bytes of a move with all its values, and of a position besides its moves.
pub(super) const MAX_MOVE_BYTES: usize = 40;

/// The moves of the positions of a block.
#[derive(Debug)]
pub(super) struct MoveBlock {
    /// End index of the moves of each position.
    ends: Vec<u32>,
    moves: Vec<BookMove>,
}

impl MoveBlock {
    /// The moves of a position of the block.
    pub fn get(&self, at: usize) -> Option<&[BookMove]> {
        let start = if at == 0 { 0 } else { *self.ends.get(at - 1)? };
        self.moves.get(start as usize..*self.ends.get(at)? as usize)
    }

    /// Memory in bytes, without names.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.ends) + size_of_val(&*self.moves)
    }
}

/// Prediction of a value from the previous ones.
struct Prediction {
    expected: i64,
    /// The first value of the current position.
    first: Option<i64>,
    /// Maps the first value of a position to the prediction for the next position.
    next_first: fn(i64) -> i64,
}

impl Prediction {
    const WIN_RATE: Self = Self::new(WIN_RATE_ONE as i64 / 2, |rate| WIN_RATE_ONE as i64 - rate);
    const SCORE: Self = Self::new(0, |score| -score);
    const SAME: Self = Self::new(0, |value| value);

    const fn new(expected: i64, next_first: fn(i64) -> i64) -> Self {
        Self { expected, first: None, next_first }
    }

    fn next_position(&mut self) {
        if let Some(first) = self.first.take() {
            self.expected = (self.next_first)(first);
        }
    }

    fn update(&mut self, value: i64) {
        self.expected = value;
        self.first.get_or_insert(value);
    }
}

/// Encodes the moves of a block.
pub(super) fn encode_moves(positions: &[&[BookMove]], names: &mut NameNumbers) -> Vec<u8> {
    let mut bytes = Vec::new();
    let all = || positions.iter().copied().flatten();
    positions.iter().for_each(|moves| put_varint(&mut bytes, moves.len()));
    bytes.extend(all().map(marks_of));
    all().for_each(|mv| bytes.extend(mv.mv.bits().to_le_bytes()));
    all().for_each(|mv| put_varint(&mut bytes, mv.weight));
    for mv in all() {
        if let Some(games) = mv.games {
            put_varint(&mut bytes, i64::from(games) - i64::from(mv.weight));
        }
    }
    put_differences(&mut bytes, positions, Prediction::WIN_RATE, |mv| mv.win_rate.map(i64::from));
    put_differences(&mut bytes, positions, Prediction::SCORE, |mv| Some(i64::from(mv.score?.get())));
    put_differences(&mut bytes, positions, Prediction::SAME, |mv| mv.depth.map(i64::from));
    for (at, moves) in positions.iter().enumerate() {
        let expected = positions.get(at + 1).and_then(|next| next.first()).map(|next| next.mv);
        for answer in moves.iter().filter_map(|mv| mv.answer) {
            put_varint(&mut bytes, if Some(answer) == expected { 0 } else { answer.bits() });
        }
    }
    put_differences(&mut bytes, positions, Prediction::SAME, |mv| Some(i64::from(names.number(mv.name.as_ref()?))));
    bytes
}

fn put_differences(
    bytes: &mut Vec<u8>,
    positions: &[&[BookMove]],
    mut prediction: Prediction,
    mut value: impl FnMut(&BookMove) -> Option<i64>,
) {
    for moves in positions {
        prediction.next_position();
        for value in moves.iter().filter_map(&mut value) {
            put_varint(bytes, value - prediction.expected);
            prediction.update(value);
        }
    }
}

/// Decodes the moves of a block of this many positions. There are at most `max_moves` moves.
pub(super) fn decode_moves(
    bytes: &[u8],
    positions: usize,
    max_moves: usize,
    names: &Names<'_>,
) -> Result<MoveBlock, ShobError> {
    let block = MoveBlock { ends: Vec::with_capacity(positions), moves: Vec::new() };
    let mut reader = Reader { cursor: Cursor(bytes), marks: Vec::new(), block };
    reader.moves(positions, max_moves)?;
    reader.weights_and_games()?;
    reader.differences(presence::WIN_RATE, Prediction::WIN_RATE, |mv, value| {
        mv.win_rate = Some(win_rate_of(value)?);
        Ok(())
    })?;
    reader.differences(presence::SCORE, Prediction::SCORE, |mv, value| {
        mv.score = Some(score_of(value)?);
        Ok(())
    })?;
    reader.differences(presence::DEPTH, Prediction::SAME, |mv, value| {
        mv.depth = Some(u16::try_from(value).map_err(|_| ShobError::Damaged("a depth is out of range"))?);
        Ok(())
    })?;
    reader.answers()?;
    // Neighbours share their name.
    let mut last = None;
    reader.differences(presence::NAME, Prediction::SAME, |mv, value| {
        let number = u32::try_from(value).map_err(|_| ShobError::Damaged("a name is missing"))?;
        let name = match last.take() {
            Some((same, name)) if same == number => name,
            _ => names.get(number)?,
        };
        mv.name = Some(Arc::clone(&name));
        last = Some((number, name));
        Ok(())
    })?;
    if reader.cursor.is_empty() { Ok(reader.block) } else { Err(ShobError::Damaged("a block has too many bytes")) }
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    /// Known values of each move.
    marks: Vec<u8>,
    block: MoveBlock,
}

impl Reader<'_> {
    fn moves(&mut self, positions: usize, max_moves: usize) -> Result<(), ShobError> {
        let mut end = 0;
        for _ in 0..positions {
            let count: usize = self.cursor.varint()?;
            if count > MAX_MOVES.min(max_moves - end) {
                return Err(ShobError::Damaged("a block has too many moves"));
            }
            end += count;
            self.block.ends.push(end as u32);
        }
        self.marks = self.cursor.bytes(end)?.to_vec();
        if self.marks.iter().any(|marks| marks & !presence::ALL != 0) {
            return Err(ShobError::Damaged("a move has unknown marks"));
        }
        let bits = self.cursor.bytes(2 * end)?;
        self.block.moves.reserve_exact(end);
        for bits in bits.chunks_exact(2) {
            let mv = move_of(u64::from(bits[0]) | u64::from(bits[1]) << 8)?;
            self.block.moves.push(BookMove::new(mv, 0));
        }
        Ok(())
    }

    fn weights_and_games(&mut self) -> Result<(), ShobError> {
        let number = |value: i64| u32::try_from(value).map_err(|_| ShobError::Damaged("a number is too large"));
        for mv in &mut self.block.moves {
            mv.weight = number(self.cursor.varint::<u64>()? as i64)?;
        }
        for (mv, marks) in self.block.moves.iter_mut().zip(&self.marks) {
            if marks & presence::GAMES != 0 {
                mv.games = Some(number(self.cursor.varint::<i64>()?.wrapping_add(mv.weight.into()))?);
            }
        }
        Ok(())
    }

    fn differences(
        &mut self,
        mark: u8,
        mut prediction: Prediction,
        mut set: impl FnMut(&mut BookMove, i64) -> Result<(), ShobError>,
    ) -> Result<(), ShobError> {
        if self.marks.iter().all(|marks| marks & mark == 0) {
            return Ok(());
        }
        let mut start = 0;
        for &end in &self.block.ends {
            prediction.next_position();
            for at in start..end as usize {
                if self.marks[at] & mark != 0 {
                    let value = prediction.expected.wrapping_add(self.cursor.varint()?);
                    set(&mut self.block.moves[at], value)?;
                    prediction.update(value);
                }
            }
            start = end as usize;
        }
        Ok(())
    }

    fn answers(&mut self) -> Result<(), ShobError> {
        let mut start = 0;
        for (number, &end) in self.block.ends.iter().enumerate() {
            let expected = self.block.get(number + 1).and_then(|next| next.first()).map(|next| next.mv);
            for at in start..end as usize {
                if self.marks[at] & presence::ANSWER != 0 {
                    self.block.moves[at].answer = Some(match self.cursor.varint::<u64>()? {
                        0 => expected.ok_or(ShobError::Damaged("an answer is missing"))?,
                        bits => move_of(bits)?,
                    });
                }
            }
            start = end as usize;
        }
        Ok(())
    }
}

/// The names section: their number, end offsets, and text.
#[derive(Clone, Debug)]
pub(super) struct Names<'a>(pub Section<'a>);

impl Names<'_> {
    /// Number of names.
    pub fn count(&self) -> Result<u32, ShobError> {
        if self.0.len() == 0 { Ok(0) } else { self.0.u32(0) }
    }

    pub fn get(&self, number: u32) -> Result<Arc<str>, ShobError> {
        let count = self.count()?;
        if number >= count {
            return Err(ShobError::Damaged("a name is missing"));
        }
        // End offsets are relative to the start of the text, after the last of them.
        let end_of = |number: usize| self.0.u32(4 * number).map(|end| end as usize);
        let start = if number == 0 { 0 } else { end_of(number as usize)? };
        let end = end_of(number as usize + 1)?;
        let outside = ShobError::Damaged("a name is outside its section");
        let Some(length) = end.checked_sub(start) else { return Err(outside) };
        let text = self.0.get(4 * (count as usize + 1) + start, length);
        let text = text.map_err(|error| if matches!(error, ShobError::Damaged(_)) { outside } else { error })?;
        let text = std::str::from_utf8(&text).map_err(|_| ShobError::Damaged("a name is not UTF-8"))?;
        Ok(Arc::from(text))
    }

    /// Checks that every name is valid, and nothing else is there.
    pub fn check(&self) -> Result<(), ShobError> {
        let count = self.count()?;
        let mut bytes = if self.0.len() == 0 { 0 } else { 4 * (count as usize + 1) };
        for number in 0..count {
            bytes += self.get(number)?.len();
        }
        if bytes == self.0.len() { Ok(()) } else { Err(ShobError::Damaged("the names have gaps")) }
    }
}

/// Numbers the names in order of appearance.
#[derive(Debug, Default)]
pub(super) struct NameNumbers {
    numbers: HashMap<Arc<str>, u32>,
    in_order: Vec<Arc<str>>,
}

impl NameNumbers {
    pub fn number(&mut self, name: &Arc<str>) -> u32 {
        *self.numbers.entry(name.clone()).or_insert_with(|| {
            self.in_order.push(name.clone());
            self.in_order.len() as u32 - 1
        })
    }

    /// The section; `None` if too large.
    pub fn section(&self) -> Option<Vec<u8>> {
        if self.in_order.is_empty() {
            return Some(Vec::new());
        }
        let mut bytes = u32::try_from(self.in_order.len()).ok()?.to_le_bytes().to_vec();
        let mut end = 0;
        for name in &self.in_order {
            end += name.len();
            bytes.extend(u32::try_from(end).ok()?.to_le_bytes());
        }
        self.in_order.iter().for_each(|name| bytes.extend(name.bytes()));
        Some(bytes)
    }
}
