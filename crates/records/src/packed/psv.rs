//! PSV: position, score (`i16`, from the side to move), move (`u16`), move number (`u16`), result
//! (`i8`: 1 the side to move won, -1 it lost, 0 draw), one byte unused.

use super::{PackError, TrainingPosition, bytes_of, score_of};
use crate::error::Fault;
use crate::game::GameResult;
use sabi_shogi::{Move, PackedSfen};

pub(super) const BYTES: usize = 40;

pub(super) fn unpack(record: &[u8; BYTES]) -> Result<TrainingPosition, Fault> {
    let [position @ .., s0, s1, m0, m1, p0, p1, result, _] = *record;
    let move_bits = u16::from_le_bytes([m0, m1]);
    let ply = u16::from_le_bytes([p0, p1]);
    let position = PackedSfen(position).position(ply.into())?;
    let mover = position.side_to_move();
    Ok(TrainingPosition {
        position,
        score: score_of([s0, s1]),
        mv: Move::from_yaneuraou(move_bits).ok_or(Fault::MoveBits(move_bits))?,
        result: match result.cast_signed() {
            0 => GameResult::Draw,
            1 => GameResult::won_by(mover),
            -1 => GameResult::won_by(!mover),
            other => return Err(Fault::ResultByte(other)),
        },
    })
}

/// Move number as written: some programs count from 0.
pub(super) fn move_number(record: &[u8]) -> Option<u16> {
    record.get(36..38).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
}

pub(super) fn pack(sample: &TrainingPosition) -> Result<[u8; BYTES], PackError> {
    let result = match sample.result {
        GameResult::Draw => 0i8,
        GameResult::Unknown => return Err(PackError::UnknownResult),
        won if won == GameResult::won_by(sample.position.side_to_move()) => 1,
        _ => -1,
    };
    // Saturated; no game has this many moves.
    let ply = u16::try_from(sample.position.ply()).unwrap_or(u16::MAX);
    let mut record = [0; BYTES];
    record[..32].copy_from_slice(&PackedSfen::of(&sample.position).ok_or(PackError::DoesNotFit)?.0);
    record[32..34].copy_from_slice(&bytes_of(sample.score));
    record[34..36].copy_from_slice(&sample.mv.to_yaneuraou().to_le_bytes());
    record[36..38].copy_from_slice(&ply.to_le_bytes());
    record[38] = result.cast_unsigned();
    Ok(record)
}
