//! One thread's accumulators: the first layer, kept for every position of the line.

use super::effects::Effects;
use super::lines::{ByteLine, Line};
use super::network::Network;
use super::numbers::{self, Seen};
use super::refresh::RefreshCache;
use crate::position::{Observer, Position};
use crate::types::{Color, HandKind, Piece, PieceKind, Square};
use arrayvec::ArrayVec;
use bytemuck::Zeroable;

/// No move changes more pieces: the mover and what it takes leave their squares, the mover arrives, and a hand grows.
const MOST_CHANGES: usize = 2;

/// Positions there is room for at first: short searches need no more, and are many.
const FIRST_ROOM: usize = 16;

/// What is known of one position of the line besides its halves of the first layer.
#[derive(Clone, Debug)]
struct Step {
    /// What the move that led here took away and what it brought.
    removed: ArrayVec<Seen, MOST_CHANGES>,
    added: ArrayVec<Seen, MOST_CHANGES>,
    /// For whom it changed all inputs.
    refresh: [bool; 2],
    /// Whether the half is computed.
    ready: [bool; 2],
}

impl Step {
    const FRESH: Self =
        Self { removed: ArrayVec::new_const(), added: ArrayVec::new_const(), refresh: [false; 2], ready: [false; 2] };
}

/// One thread's evaluation with a network. Halves are computed after each move, or, behind a move that changes all inputs of a
/// side, when they are asked for.
#[derive(Clone, Debug)]
pub struct Evaluator<'n> {
    network: &'n Network,
    /// One for each position of the line, the last one is the present.
    steps: Vec<Step>,
    /// Two halves for each, Black's first. Those behind the present wait for use.
    halves: Vec<Line>,
    depth: usize,
    /// Where the king stood that the present move moves.
    king_from: Square,
    cache: RefreshCache,
    scratch: Vec<ByteLine>,
}

impl<'n> Evaluator<'n> {
    /// An evaluator that knows no position yet: [`reset`](Self::reset) it.
    pub fn new(network: &'n Network) -> Self {
        let (cache, scratch) = (RefreshCache::new(network), network.scratch());
        let king_from = Square::nearest(0);
        let (steps, halves) = (Vec::new(), Vec::new());
        let mut evaluator = Self { network, steps, halves, depth: 0, king_from, cache, scratch };
        evaluator.grow();
        evaluator
    }

    /// Makes room for more positions.
    #[cold]
    fn grow(&mut self) {
        let positions = (2 * self.steps.len()).max(FIRST_ROOM);
        self.steps.resize(positions, Step::FRESH);
        self.halves.resize(positions * 2 * self.network.lines(), Line::zeroed());
    }

    /// Forgets the line and starts from `position`.
    pub fn reset(&mut self, position: &Position) {
        self.depth = 0;
        self.steps[0] = Step::FRESH;
        self.cache.clear();
        // Of every line it is the last resort, and the search may know its value and never ask for it.
        let effects = self.network.features().effects(position);
        Color::ALL.into_iter().for_each(|color| self.compute(position, color, effects.as_ref()));
    }

    /// Remembers the position before a move.
    #[inline]
    pub fn push(&mut self) {
        self.depth += 1;
        if self.depth == self.steps.len() {
            self.grow();
        }
        let step = &mut self.steps[self.depth];
        step.removed.clear();
        step.added.clear();
        step.refresh = [self.network.features().have_effects(); 2];
        step.ready = [false; 2];
    }

    /// Computes the halves of the present position from those of the one before, where no king has moved out of its place. The work
    /// fills the time until the table's bucket has come from memory.
    #[inline]
    pub fn update(&mut self, position: &Position) {
        for color in Color::ALL {
            if self.steps[self.depth - 1].ready[color] && !self.steps[self.depth].refresh[color] {
                self.compute(position, color, None);
            }
        }
    }

    /// Returns to the position before the last move.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.depth > 0, "more positions left than entered");
        self.depth = self.depth.saturating_sub(1);
    }

    /// The value of `position`, the one the played moves led to, in centipawns for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        self.network.value(self.output(position))
    }

    /// The output of the network for `position` before it is divided.
    pub fn output(&mut self, position: &Position) -> i32 {
        if self.steps[self.depth].ready != [true; 2] {
            let effects = self.network.features().effects(position);
            for color in Color::ALL {
                if !self.steps[self.depth].ready[color] {
                    self.compute(position, color, effects.as_ref());
                }
            }
        }
        let lines = self.network.lines();
        let (black, white) = self.halves[self.depth * 2 * lines..][..2 * lines].split_at(lines);
        let halves = match position.side_to_move() {
            Color::Black => [black, white],
            Color::White => [white, black],
        };
        self.network.forward(position, halves, &mut self.scratch)
    }

    /// The last position of the line whose half is computed, if the present one can be computed from it.
    #[inline]
    fn ancestor(&self, color: Color) -> Option<usize> {
        for (at, step) in self.steps[..=self.depth].iter().enumerate().rev() {
            if step.ready[color] {
                return Some(at);
            }
            if step.refresh[color] {
                return None;
            }
        }
        None
    }

    /// Computes the half that `color` sees of the present position, and of those before it that it is computed from: the
    /// search goes on from them, too.
    fn compute(&mut self, position: &Position, color: Color, effects: Option<&Effects>) {
        let (network, lines) = (self.network, self.network.lines());
        let place = |depth: usize| (2 * depth + color.index()) * lines;
        match self.ancestor(color) {
            None => {
                let half = &mut self.halves[place(self.depth)..][..lines];
                self.cache.refresh(network, position, color, effects, half);
                self.steps[self.depth].ready[color] = true;
            }
            Some(ancestor) => {
                let view = network.features().view(position, color);
                let column = |seen: Seen| network.column(view.input(seen.by(color)));
                for depth in ancestor + 1..=self.depth {
                    let (before, after) = self.halves.split_at_mut(place(depth));
                    let (from, to) = (&before[place(depth - 1)..][..lines], &mut after[..lines]);
                    let step = &mut self.steps[depth];
                    match (&step.removed[..], &step.added[..]) {
                        // A null move changes nothing.
                        ([], []) => to.copy_from_slice(from),
                        (&[removed], &[added]) => {
                            network.kernel().update(from, to, &[column(removed)], &[column(added)])
                        }
                        (&[first, second], &[third, fourth]) => {
                            network.kernel().update(
                                from,
                                to,
                                &[column(first), column(second)],
                                &[column(third), column(fourth)],
                            );
                        }
                        _ => unreachable!("as many pieces come as go"),
                    }
                    step.ready[color] = true;
                }
            }
        }
    }
}

impl Observer for Evaluator<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        let (king, features) = (piece.kind() == PieceKind::King, self.network.features());
        let step = &mut self.steps[self.depth];
        if king {
            let [from, to] =
                [self.king_from, square].map(|square| features.place(square.seen_by(piece.color()).index()));
            step.refresh[piece.color()] |= from != to;
        }
        if !king || features.have_kings() {
            step.added.push(numbers::board(piece, square));
        }
    }

    #[inline]
    fn lift(&mut self, piece: Piece, square: Square) {
        let king = piece.kind() == PieceKind::King;
        if king {
            self.king_from = square;
        }
        if !king || self.network.features().have_kings() {
            self.steps[self.depth].removed.push(numbers::board(piece, square));
        }
    }

    #[inline]
    fn hand(&mut self, color: Color, kind: HandKind, before: u8, after: u8) {
        let seen = numbers::hand(color, kind, before.max(after));
        let step = &mut self.steps[self.depth];
        if after > before { &mut step.added } else { &mut step.removed }.push(seen);
    }
}
