//! `hcpe`: position, score (`i16`, from the side to move), move (`u16`), result (`i8`: 0 draw, 1
//! Black, 2 White), one byte unused.

use super::{PackError, TrainingPosition, bytes_of, score_of};
use crate::error::Fault;
use crate::game::GameResult;
use sabi_shogi::{HuffmanCodedPos, Move};

pub(super) const BYTES: usize = 38;

pub(super) fn unpack(record: &[u8; BYTES]) -> Result<TrainingPosition, Fault> {
    let [position @ .., s0, s1, m0, m1, result, _] = *record;
    let move_bits = u16::from_le_bytes([m0, m1]);
    Ok(TrainingPosition {
        position: HuffmanCodedPos(position).position(1)?,
        score: score_of([s0, s1]),
        mv: Move::from_bits(move_bits).ok_or(Fault::MoveBits(move_bits))?,
        result: match result {
            0 => GameResult::Draw,
            1 => GameResult::BlackWins,
            2 => GameResult::WhiteWins,
            other => return Err(Fault::ResultByte(other.cast_signed())),
        },
    })
}

pub(super) fn pack(sample: &TrainingPosition) -> Result<[u8; BYTES], PackError> {
    let result = match sample.result {
        GameResult::Draw => 0,
        GameResult::BlackWins => 1,
        GameResult::WhiteWins => 2,
        GameResult::Unknown => return Err(PackError::UnknownResult),
    };
    let mut record = [0; BYTES];
    record[..32].copy_from_slice(&HuffmanCodedPos::of(&sample.position).ok_or(PackError::DoesNotFit)?.0);
    record[32..34].copy_from_slice(&bytes_of(sample.score));
    record[34..36].copy_from_slice(&sample.mv.bits().to_le_bytes());
    record[36] = result;
    Ok(record)
}
