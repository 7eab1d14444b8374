//! Moves in 24 bytes, in uncompressed books.

use super::ShobError;
use super::names::{NameNumbers, Names};
use crate::{BookMove, WIN_RATE_ONE};
use sabi_files::Cursor;
use sabi_shogi::{Move, Score};

/// Size of a move.
pub(super) const ROW: usize = 24;

/// Marks of the values that a move has.
pub(super) mod presence {
    pub const GAMES: u8 = 1;
    pub const WIN_RATE: u8 = 2;
    pub const SCORE: u8 = 4;
    pub const DEPTH: u8 = 8;
    pub const ANSWER: u8 = 16;
    pub const NAME: u8 = 32;
    pub const ALL: u8 = 63;

    /// The marks of a move.
    pub fn of(mv: &super::BookMove) -> u8 {
        let mark = |present: bool, mark| if present { mark } else { 0 };
        mark(mv.games.is_some(), GAMES)
            | mark(mv.win_rate.is_some(), WIN_RATE)
            | mark(mv.score.is_some(), SCORE)
            | mark(mv.depth.is_some(), DEPTH)
            | mark(mv.answer.is_some(), ANSWER)
            | mark(mv.name.is_some(), NAME)
    }
}

/// Checks move bits.
#[inline]
pub(super) fn move_of(bits: u64) -> Result<Move, ShobError> {
    u16::try_from(bits).ok().and_then(Move::from_bits).ok_or(ShobError::Damaged("invalid move bits"))
}

/// Checks a win rate.
#[inline]
pub(super) fn win_rate_of(value: i64) -> Result<u16, ShobError> {
    let valid = u16::try_from(value).ok().filter(|&rate| rate <= WIN_RATE_ONE);
    valid.ok_or(ShobError::Damaged("a win rate is above 1"))
}

/// Checks a score.
#[inline]
pub(super) fn score_of(value: i64) -> Result<Score, ShobError> {
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
    bytes.extend(u16::from(presence::of(mv)).to_le_bytes());
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
