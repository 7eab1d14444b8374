//! The moves of a block in columns for compression: value by value, each as difference to a
//! prediction. In block order a position is followed by the one after its first move, so a win rate
//! is predicted as one minus that of the previous position, a score as its negative, and an answer
//! as the next first move.

use super::ShobError;
use super::moves::{move_of, presence, score_of, win_rate_of};
use super::names::{NameNumbers, Names};
use crate::{BookMove, WIN_RATE_ONE};
use sabi_files::{Cursor, put_varint};
use sabi_shogi::{MAX_MOVES, Move};
use std::sync::Arc;

/// Upper bound of the bytes of a move with all its values, and of a position besides its moves.
pub(super) const MAX_BYTES: usize = 40;

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
    const fn new(expected: i64, next_first: fn(i64) -> i64) -> Self {
        Self { expected, first: None, next_first }
    }

    fn win_rate() -> Self {
        Self::new(i64::from(WIN_RATE_ONE) / 2, |rate| i64::from(WIN_RATE_ONE) - rate)
    }

    fn score() -> Self {
        Self::new(0, |score| -score)
    }

    fn same() -> Self {
        Self::new(0, |value| value)
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
    bytes.extend(all().map(presence::of));
    all().for_each(|mv| bytes.extend(mv.mv.bits().to_le_bytes()));
    all().for_each(|mv| put_varint(&mut bytes, mv.weight));
    for mv in all() {
        if let Some(games) = mv.games {
            put_varint(&mut bytes, i64::from(games) - i64::from(mv.weight));
        }
    }
    put_differences(&mut bytes, positions, Prediction::win_rate(), |mv| mv.win_rate.map(i64::from));
    put_differences(&mut bytes, positions, Prediction::score(), |mv| Some(i64::from(mv.score?.get())));
    put_differences(&mut bytes, positions, Prediction::same(), |mv| mv.depth.map(i64::from));
    for (at, moves) in positions.iter().enumerate() {
        let expected = positions.get(at + 1).and_then(|next| next.first()).map(|next| next.mv);
        for answer in moves.iter().filter_map(|mv| mv.answer) {
            put_varint(&mut bytes, if Some(answer) == expected { 0 } else { answer.bits() });
        }
    }
    put_differences(&mut bytes, positions, Prediction::same(), |mv| Some(i64::from(names.number(mv.name.as_ref()?))));
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
pub(super) fn read(
    bytes: &[u8],
    positions: usize,
    max_moves: usize,
    names: &Names<'_>,
) -> Result<MoveBlock, ShobError> {
    let block = MoveBlock { ends: Vec::with_capacity(positions), moves: Vec::new() };
    let mut reader = Reader { cursor: Cursor(bytes), marks: Vec::new(), block };
    reader.moves(positions, max_moves)?;
    reader.weights_and_games()?;
    reader.differences(presence::WIN_RATE, Prediction::win_rate(), |mv, value| {
        mv.win_rate = Some(win_rate_of(value)?);
        Ok(())
    })?;
    reader.differences(presence::SCORE, Prediction::score(), |mv, value| {
        mv.score = Some(score_of(value)?);
        Ok(())
    })?;
    reader.differences(presence::DEPTH, Prediction::same(), |mv, value| {
        mv.depth = Some(u16::try_from(value).map_err(|_| ShobError::Damaged("a depth is out of range"))?);
        Ok(())
    })?;
    reader.answers()?;
    // Neighbours share their name.
    let mut last = None;
    reader.differences(presence::NAME, Prediction::same(), |mv, value| {
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
            let next_has_moves = self.block.ends.get(number + 1).is_some_and(|&next| next > end);
            let expected: Option<Move> = if next_has_moves { Some(self.block.moves[end as usize].mv) } else { None };
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
