//! Incremental evaluation.

use super::{Evaluation, handcrafted, nnue};
use sabi_shogi::{Color, HandKind, Observer, Piece, Position, Square};

/// Incremental evaluation of one thread, updated as an observer of the moves made.
///
/// Call [`push`](Self::push) before a move is made with the evaluator as its observer and
/// [`pop`](Self::pop) when it is unmade.
#[derive(Clone, Debug)]
pub enum Evaluator<'e> {
    /// Hand-crafted.
    HandCrafted(handcrafted::Evaluator<'e>),
    /// A network.
    Network(nnue::AccumulatorStack<'e>),
}

/// Delegates to either. The variant never changes during a search, so the branch is predicted.
macro_rules! either {
    ($evaluator:expr, $inner:ident => $what:expr) => {
        match $evaluator {
            Evaluator::HandCrafted($inner) => $what,
            Evaluator::Network($inner) => $what,
        }
    };
}

impl<'e> Evaluator<'e> {
    /// An evaluator without a position: call [`reset`](Self::reset).
    pub fn new(evaluation: &'e Evaluation) -> Self {
        match evaluation {
            Evaluation::HandCrafted(weights) => Self::HandCrafted(handcrafted::Evaluator::new(weights)),
            Evaluation::Network(network) => Self::Network(nnue::AccumulatorStack::new(network)),
        }
    }

    /// Restarts from `position`.
    pub fn reset(&mut self, position: &Position) {
        either!(self, inner => inner.reset(position));
    }

    /// Saves the state before a move.
    #[inline]
    pub fn push(&mut self) {
        either!(self, inner => inner.push());
    }

    /// Updates the accumulators after a move; otherwise [`evaluate`](Self::evaluate) does it.
    #[inline]
    pub fn update(&mut self, position: &Position) {
        if let Self::Network(accumulators) = self {
            accumulators.update(position);
        }
    }

    /// Restores the state before the last move.
    #[inline]
    pub fn pop(&mut self) {
        either!(self, inner => inner.pop());
    }

    /// Static eval of `position`, the result of the moves observed, in centipawns for the side to
    /// move.
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
    fn remove(&mut self, piece: Piece, square: Square) {
        either!(self, inner => inner.remove(piece, square));
    }

    #[inline]
    fn hand(&mut self, color: Color, kind: HandKind, before: u8, after: u8) {
        either!(self, inner => inner.hand(color, kind, before, after));
    }
}
