//! The hand-crafted evaluation.
//!
//! A position is a list of *features* (a piece on a square, the number of escape squares, …); its
//! value is the sum of their *weights*, tapered between an opening and an endgame sum by the
//! [phase](MAX_PHASE). All numbers are in one [`Weights`] table, and every feature is written once
//! against a visitor, so that the fast sum of [`evaluate`], the incremental [`Evaluator`] and the
//! tunable [`Trace`] cannot differ.
//!
//! The weights are data: `nets/weights.json` is embedded, other files of the format can be loaded
//! ([`Weights::read`]).
//!
//! The evaluation is symmetric: rotating the board and exchanging the sides does not change it.

mod attacks;
mod file;
mod initial;
mod king;
mod squares;
mod trace;
mod weights;

pub use file::WeightsError;
pub use king::castle_name;
pub use trace::{Feature, Trace};
pub use weights::{Block, Group, Pair, Weight, Weights};

use crate::eval::MAX_VALUE;
use attacks::{Attacks, Target};
use sabi_shogi::{Color, HandKind, Observer, Piece, PieceKind, Position, Square};
use squares::View;
use weights::{FeatureVisitor, HAND, Sum, TEMPO};

/// Static eval in centipawns for the side to move, from scratch.
pub fn evaluate(position: &Position, weights: &Weights) -> i32 {
    let mut sum = Sum::new(weights, Pair::ZERO);
    add_features(position, &mut sum);
    finish(position, sum.total(), phase(phase_units(position)))
}

/// All features of a position.
fn add_features(position: &Position, visitor: &mut impl FeatureVisitor) {
    squares::fixed(position, visitor);
    for color in Color::ALL {
        View::new(color, position.king(color)).all(position, visitor);
    }
    relations(position, visitor);
}

/// The features that are not incremental.
fn relations(position: &Position, visitor: &mut impl FeatureVisitor) {
    let black = Target::new(position, Color::Black);
    let white = Target::new(position, Color::White);
    let blacks = Attacks::new(position, Color::Black, black.pawns, &white, visitor);
    let whites = Attacks::new(position, Color::White, white.pawns, &black, visitor);
    relations_of(position, Color::Black, &blacks, &whites, visitor);
    relations_of(position, Color::White, &whites, &blacks, visitor);
    visitor.add(position.side_to_move(), TEMPO.at(0, 0), 1);
}

#[inline(always)]
fn relations_of(
    position: &Position,
    color: Color,
    ours: &Attacks,
    theirs: &Attacks,
    visitor: &mut impl FeatureVisitor,
) {
    king::safety(position, color, ours, theirs, visitor);
    attacks::threats(position, color, ours, theirs, visitor);
    attacks::structure(position, color, ours, theirs, visitor);
    king::castles(position, color, visitor);
}

/// Tapered value for the side to move of a sum for Black.
#[inline]
fn finish(position: &Position, sum: Pair, phase: i32) -> i32 {
    position.side_to_move().sign() * taper(sum, phase).clamp(-MAX_VALUE, MAX_VALUE)
}

/// Phase of the endgame; 0 is the opening. In shogi the endgame begins when pieces are in hand and
/// in the enemy camp, so these are counted. The phase does not depend on weights.
pub const MAX_PHASE: i32 = 32;

/// Units for each piece in hand except pawns.
const IN_HAND: i32 = 3;
/// Units for each piece in the enemy camp.
const IN_CAMP: i32 = 2;

/// Units of a piece on a square.
#[inline]
fn piece_units(piece: Piece, square: Square) -> i32 {
    if piece.kind() != PieceKind::King && square.in_promotion_zone(piece.color()) { IN_CAMP } else { 0 }
}

/// Units of pieces in hand.
#[inline]
fn hand_units(kind: HandKind, count: u8) -> i32 {
    if kind == HandKind::Pawn { 0 } else { IN_HAND * i32::from(count) }
}

/// Units of a position.
fn phase_units(position: &Position) -> i32 {
    let mut units = 0;
    for square in position.occupied() {
        if let Some(piece) = position.piece_at(square) {
            units += piece_units(piece, square);
        }
    }
    for color in Color::ALL {
        units += position.hand(color).iter().map(|(kind, count)| hand_units(kind, count)).sum::<i32>();
    }
    units
}

/// The phase, 0 (opening) to [`MAX_PHASE`] (endgame), of these units.
#[inline]
fn phase(units: i32) -> i32 {
    units.min(MAX_PHASE)
}

/// The tapered value.
#[inline]
fn taper(pair: Pair, phase: i32) -> i32 {
    // Division truncates towards zero and is symmetric for both sides; a shift would not be.
    (pair.mg * (MAX_PHASE - phase) + pair.eg * phase) / MAX_PHASE
}

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
            units: phase_units(position),
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
        relations(position, &mut sum);
        finish(position, sum.total(), phase(self.top.units))
    }

    #[inline(always)]
    fn change(&mut self, piece: Piece, square: Square, count: i32) {
        if piece.kind() == PieceKind::King {
            return;
        }
        let top = &mut self.top;
        top.units += count * piece_units(piece, square);
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
        self.top.units += hand_units(kind, after) - hand_units(kind, before);
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
