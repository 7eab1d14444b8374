//! Incremental hand-crafted evaluation.

use super::feature_visitor::{FeatureVisitor, Sum};
use super::layout::HAND;
use super::pair::Pair;
use super::phase;
use super::squares::{self, View};
use super::weights::Weights;
use super::{finish, relations};
use sabi_shogi::{Color, HandKind, Observer, Piece, PieceKind, Position, Square};

/// Incremental state of one position.
#[derive(Copy, Clone, Debug)]
struct Accumulator {
    /// Material and hands.
    fixed: Pair,
    /// Piece-square sums relative to each king.
    kings: [Pair; 2],
    views: [View; 2],
    /// Set when the king moved: its sums are recomputed on demand.
    stale: [bool; 2],
    /// Phase units.
    units: i32,
}

/// Incremental evaluation of one thread, updated as an observer of the moves made.
///
/// Call [`push`](Self::push) before a move is made with the evaluator as its observer and
/// [`pop`](Self::pop) when it is unmade.
#[derive(Clone, Debug)]
pub struct Evaluator<'w> {
    weights: &'w Weights,
    top: Accumulator,
    below: Vec<Accumulator>,
}

impl<'w> Evaluator<'w> {
    /// An evaluator without a position: call [`reset`](Self::reset).
    pub fn new(weights: &'w Weights) -> Self {
        let top = Accumulator {
            fixed: Pair::ZERO,
            kings: [Pair::ZERO; 2],
            views: Color::ALL.map(|color| View::new(color, None)),
            stale: [true; 2],
            units: 0,
        };
        Self { weights, top, below: Vec::with_capacity(256) }
    }

    /// Restarts from `position`.
    pub fn reset(&mut self, position: &Position) {
        self.below.clear();
        let mut sum = Sum::new(self.weights, Pair::ZERO);
        squares::fixed(position, &mut sum);
        self.top = Accumulator {
            fixed: sum.total(),
            kings: [Pair::ZERO; 2],
            views: Color::ALL.map(|color| View::new(color, position.king(color))),
            stale: [true; 2],
            units: phase::units(position),
        };
    }

    /// Saves the state before a move.
    #[inline]
    pub fn push(&mut self) {
        self.below.push(self.top);
    }

    /// Restores the state before the last move.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(!self.below.is_empty(), "pop without push");
        if let Some(before) = self.below.pop() {
            self.top = before;
        }
    }

    /// Static eval of `position`, the result of the moves observed, in centipawns for the side to
    /// move.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        for color in Color::ALL {
            if self.top.stale[color] {
                let mut sum = Sum::new(self.weights, Pair::ZERO);
                self.top.views[color].all(position, &mut sum);
                self.top.kings[color] = sum.total();
                self.top.stale[color] = false;
            }
        }
        let start = self.top.fixed + self.top.kings[Color::Black] + self.top.kings[Color::White];
        let mut sum = Sum::new(self.weights, start);
        relations::all(position, &mut sum);
        finish(position, sum.total(), phase::phase(self.top.units))
    }

    #[inline(always)]
    fn change(&mut self, piece: Piece, square: Square, count: i32) {
        if piece.kind() == PieceKind::King {
            return;
        }
        let top = &mut self.top;
        top.units += count * phase::of_piece(piece, square);
        let mut sum = Sum::new(self.weights, top.fixed);
        squares::material(piece, count, &mut sum);
        top.fixed = sum.total();
        for color in Color::ALL {
            // Harmless on a stale view: it is recomputed before use.
            let mut sum = Sum::new(self.weights, top.kings[color]);
            top.views[color].piece(piece, square, count, &mut sum);
            top.kings[color] = sum.total();
        }
    }
}

impl Observer for Evaluator<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        if piece.kind() == PieceKind::King {
            self.top.views[piece.color()] = View::new(piece.color(), Some(square));
            self.top.stale[piece.color()] = true;
        }
        self.change(piece, square, 1);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, -1);
    }

    #[inline]
    fn hand(&mut self, color: Color, kind: HandKind, before: u8, after: u8) {
        self.top.units += phase::of_hand(kind, after) - phase::of_hand(kind, before);
        let mut sum = Sum::new(self.weights, self.top.fixed);
        // The weight of count 0 is always zero and left out in `fixed`, so it is left out here.
        for (held, count) in [(before, -1), (after, 1)] {
            if held > 0 {
                sum.add(color, HAND.at(kind.index(), usize::from(held)), count);
            }
        }
        self.top.fixed = sum.total();
    }
}
