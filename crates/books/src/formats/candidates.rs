//! Checks of the moves of one position, used by every reader.

use super::read_report::{DropReason, Location, ReadReport};
use crate::{BookMove, BookPosition};
use sabi_shogi::{Move, Position, Score};
use std::cmp::Reverse;
use std::fmt::Display;

/// A position and its moves that are legal and not duplicates.
pub(super) struct Candidates {
    position: Position,
    location: Location,
    unknown_values: UnknownValues,
    moves: Vec<BookMove>,
}

/// Depth written for moves without a search: the default of YaneuraOu's `BookDepthLimit`, below
/// which it plays no book move.
pub(super) const UNSEARCHED_DEPTH: u16 = 16;

/// How a format writes unknown values.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum UnknownValues {
    /// It has no unknown values; 0 is 0.
    Nothing,
    /// As 0, in a format with scores and counts but without depth.
    Zero,
    /// As 0 at depth 0 or [`UNSEARCHED_DEPTH`].
    ZeroAtDepth,
}

impl UnknownValues {
    /// If all moves of a position have the empty score, none was searched; otherwise 0 is a score.
    /// Likewise, counts that are all 0 mean nothing was counted, and the moves are equal.
    fn clear(self, moves: &mut [BookMove]) {
        let blank_depths: &[Option<u16>] = match self {
            Self::Nothing => return,
            Self::Zero => &[None],
            Self::ZeroAtDepth => &[Some(0), Some(UNSEARCHED_DEPTH)],
        };
        let is_blank = |entry: &BookMove| entry.score == Some(Score::ZERO) && blank_depths.contains(&entry.depth);
        if moves.iter().all(is_blank) {
            moves.iter_mut().for_each(|entry| (entry.score, entry.depth) = (None, None));
        }
        if moves.iter().all(|entry| entry.weight == 0) {
            moves.iter_mut().for_each(|entry| entry.weight = 1);
        }
    }
}

impl Candidates {
    /// No moves yet; `location` is that of the position in the source.
    pub fn new(position: Position, location: Location, unknown_values: UnknownValues) -> Self {
        Self { position, location, unknown_values, moves: Vec::new() }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Adds a move if it is legal and new; returns whether it was. `text`: its spelling in the
    /// source.
    pub fn push(
        &mut self,
        mut entry: BookMove,
        location: Location,
        text: impl Display,
        report: &mut ReadReport,
    ) -> bool {
        if let Some(reason) = self.reject_reason(entry.mv) {
            report.note(reason, location, || format!("{text} in {}", self.position.sfen()));
            return false;
        }
        if let Some(answer) = entry.answer
            && !self.is_answer(entry.mv, answer)
        {
            report.note(DropReason::BadAnswer, location, || {
                format!("{answer} after {} in {}", entry.mv, self.position.sfen())
            });
            entry.answer = None;
        }
        self.moves.push(entry);
        true
    }

    /// Why a move is rejected. A position has at most a few hundred legal moves, so a linear search
    /// for duplicates is fast.
    fn reject_reason(&self, mv: Move) -> Option<DropReason> {
        if !self.position.is_legal(mv) {
            let theirs = !self.position.side_to_move();
            let foreign = mv.from().and_then(|from| self.position.piece_at(from)).is_some_and(|p| p.color() == theirs);
            return Some(if foreign { DropReason::WrongSide } else { DropReason::IllegalMove });
        }
        self.moves.iter().any(|known| known.mv == mv).then_some(DropReason::DuplicateMove)
    }

    fn is_answer(&mut self, mv: Move, answer: Move) -> bool {
        self.position.play(mv);
        let legal = self.position.is_legal(answer);
        self.position.undo();
        legal
    }

    /// The finished position; `None` without moves.
    pub fn finish(mut self, report: &mut ReadReport) -> Option<BookPosition> {
        if self.moves.is_empty() {
            report.note(DropReason::EmptyPosition, self.location, || self.position.sfen());
            return None;
        }
        self.unknown_values.clear(&mut self.moves);
        sort_moves(&mut self.moves);
        report.positions += 1;
        report.moves += self.moves.len() as u64;
        Some(BookPosition { position: self.position, moves: self.moves })
    }
}

/// Sorts by weight, then score, largest first; stable.
pub(super) fn sort_moves(moves: &mut [BookMove]) {
    moves.sort_by_key(|entry| Reverse((entry.weight, entry.score)));
}

/// A score of another engine, with mates counted from 32000, clamped to the range of scores.
pub(super) fn file_score(value: i64) -> Score {
    let limit = i64::from(Score::MATE.get());
    Score::raw(value.clamp(-limit, limit) as i32)
}

/// A count, clamped to the range of weights.
pub(super) fn file_weight(value: i64) -> u32 {
    u32::try_from(value.max(0)).unwrap_or(u32::MAX)
}
