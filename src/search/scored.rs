//! Moves with ordering scores.

use crate::movegen::MAX_MOVES;
use crate::types::Move;
use arrayvec::ArrayVec;

/// The score above the bits of the move: the best move is the largest integer, found by vector
/// instructions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Scored(i64);

/// The moves of a node.
pub(super) type ScoredMoves = ArrayVec<Scored, MAX_MOVES>;

impl Scored {
    #[inline]
    pub(super) fn new(mv: Move, score: i32) -> Self {
        Self(i64::from(score) << 16 | i64::from(mv.bits()))
    }

    #[inline]
    pub(super) fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline]
    pub(super) fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }
}

/// Swaps the move with the highest score to the front and returns it; ties go to the larger move
/// bits.
#[inline]
pub(super) fn best_to_front(moves: &mut [Scored]) -> Option<Move> {
    let best = moves.iter().fold(i64::MIN, |best, scored| best.max(scored.0));
    let at = moves.iter().position(|scored| scored.0 == best)?;
    moves.swap(0, at);
    moves[0].mv()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    #[test]
    fn best_score_first() {
        let scores = [-3, i32::MIN, 40_000, -40_000, 0, i32::MAX, 7];
        let mut moves = ScoredMoves::new();
        for (at, score) in scores.into_iter().enumerate() {
            let mv = Move::step(Square::nearest(at), Square::nearest(80 - at), at % 2 == 0);
            moves.push(Scored::new(mv, score));
        }
        let mut sorted = Vec::new();
        for at in 0..moves.len() {
            let mv = best_to_front(&mut moves[at..]).unwrap();
            assert_eq!(Some(mv), moves[at].mv());
            sorted.push(moves[at].score());
        }
        assert!(sorted.is_sorted_by(|a, b| a > b) && sorted.len() == scores.len());
        assert_eq!(best_to_front(&mut []), None);
    }
}
