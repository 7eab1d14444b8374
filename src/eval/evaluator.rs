//! The evaluation that follows the moves of a search.

use super::Evaluation;
use super::{hand, nnue};
use crate::position::{Observer, Position};
use crate::types::{Color, HandKind, Piece, Square};

/// One thread's evaluation: listens to the moves that are played and evaluates where they led.
///
/// Call [`push`](Self::push) before a move is played with the evaluator as its observer and [`pop`](Self::pop) when it is taken back.
#[derive(Clone, Debug)]
pub enum Evaluator<'e> {
    /// Of the hand-crafted evaluation.
    Hand(hand::Evaluator<'e>),
    /// Of a network.
    Network(nnue::Evaluator<'e>),
}

/// Does the same with whichever it is. What is asked at every node is asked of the same one throughout a search, so the branch is
/// foreseen.
macro_rules! either {
    ($evaluator:expr, $inner:ident => $what:expr) => {
        match $evaluator {
            Evaluator::Hand($inner) => $what,
            Evaluator::Network($inner) => $what,
        }
    };
}

impl<'e> Evaluator<'e> {
    /// An evaluator that knows no position yet: [`reset`](Self::reset) it.
    pub fn new(evaluation: &'e Evaluation) -> Self {
        match evaluation {
            Evaluation::Hand(weights) => Self::Hand(hand::Evaluator::new(weights)),
            Evaluation::Network(network) => Self::Network(nnue::Evaluator::new(network)),
        }
    }

    /// Forgets the line and starts from `position`.
    pub fn reset(&mut self, position: &Position) {
        either!(self, inner => inner.reset(position));
    }

    /// Remembers the position before a move.
    #[inline]
    pub fn push(&mut self) {
        either!(self, inner => inner.push());
    }

    /// Brings accumulators up to date after a move; without this, [`evaluate`](Self::evaluate) does.
    #[inline]
    pub fn update(&mut self, position: &Position) {
        if let Self::Network(evaluator) = self {
            evaluator.update(position);
        }
    }

    /// Returns to the position before the last move.
    #[inline]
    pub fn pop(&mut self) {
        either!(self, inner => inner.pop());
    }

    /// The value of `position`, the one the played moves led to, in centipawns for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        either!(self, inner => inner.evaluate(position))
    }
}

impl Observer for Evaluator<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        either!(self, inner => inner.put(piece, square));
    }

    #[inline]
    fn lift(&mut self, piece: Piece, square: Square) {
        either!(self, inner => inner.lift(piece, square));
    }

    #[inline]
    fn hand(&mut self, color: Color, kind: HandKind, before: u8, after: u8) {
        either!(self, inner => inner.hand(color, kind, before, after));
    }
}
