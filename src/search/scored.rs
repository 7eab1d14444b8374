//! Moves with ordering scores.

use arrayvec::ArrayVec;
use sabi_shogi::{MAX_MOVES, Move};

/// The score above the bits of the move above its index in the list: the best move and where it
/// is are one maximum of integers, found by vector instructions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Scored(i64);

impl Scored {
    /// No move: the bits of a move are not 0.
    const NONE: Self = Self(i64::MIN);

    #[inline]
    fn new(mv: Move, score: i32, index: usize) -> Self {
        Self(i64::from(score) << 32 | i64::from(mv.bits()) << 16).at(index)
    }

    #[inline]
    fn at(self, index: usize) -> Self {
        Self(self.0 & !0xffff | index as i64)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0 as u16)
    }

    #[inline]
    pub(super) fn mv(self) -> Option<Move> {
        Move::from_bits((self.0 >> 16) as u16)
    }

    #[inline]
    pub(super) fn score(self) -> i32 {
        (self.0 >> 32) as i32
    }
}

/// Moves compared at once.
const LANES: usize = 8;

/// The moves of a node; the first `taken` slots are no longer used.
#[derive(Default)]
pub(super) struct ScoredMoves {
    moves: ArrayVec<Scored, { MAX_MOVES + LANES - 1 }>,
    taken: usize,
}

impl ScoredMoves {
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.taken = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, mv: Move, score: i32) {
        self.moves.push(Scored::new(mv, score, self.moves.len()));
    }

    /// Completes the list, before the first move is taken: the comparison needs no special case for
    /// the last moves.
    #[inline]
    pub(super) fn finish(&mut self) {
        self.moves.extend([Scored::NONE; LANES - 1]);
    }

    /// The best of the remaining moves; ties go to the larger move bits.
    #[inline]
    pub(super) fn best(&self) -> Option<Scored> {
        let (rest, _) = self.moves.get(self.taken..)?.as_chunks::<LANES>();
        let lanes =
            rest.iter().fold([i64::MIN; LANES], |best, moves| std::array::from_fn(|at| best[at].max(moves[at].0)));
        let best = Scored(lanes.into_iter().fold(i64::MIN, i64::max));
        (best != Scored::NONE).then_some(best)
    }

    /// Takes the move that `best` returned.
    #[inline]
    pub(super) fn take(&mut self, best: Scored) {
        let (to, from) = (self.taken, best.index());
        self.moves[from] = self.moves[to].at(from);
        self.taken += 1;
    }

    /// Takes the best of the remaining moves.
    #[inline]
    pub(super) fn take_best(&mut self) -> Option<Scored> {
        let best = self.best()?;
        self.take(best);
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_shogi::Square;

    #[test]
    fn best_score_first() {
        let scores = [-3, i32::MIN, 40_000, -40_000, 0, i32::MAX, 7, -1, -2];
        let mut moves = ScoredMoves::default();
        for round in 0..2 {
            for (at, score) in scores.into_iter().enumerate() {
                moves.push(Move::step(Square::clamped(at), Square::clamped(80 - at), at % 2 == round), score);
            }
            moves.finish();
            let taken: Vec<_> = std::iter::from_fn(|| moves.take_best()).collect();
            assert!(taken.is_sorted_by(|a, b| a.score() > b.score()) && taken.len() == scores.len());
            for scored in taken {
                let from = scored.mv().and_then(Move::from).unwrap();
                assert_eq!(scored.score(), scores[from.index()]);
            }
            moves.clear();
        }
    }
}
