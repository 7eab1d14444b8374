//! Accumulators of one thread, for every position of the line.

use super::Network;
use super::features::{AttackCounts, BonaPiece, MAX_ACTIVE, Pieces, own_king};
use super::layer::{ByteCacheLine, CacheLine};
use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use sabi_shogi::{Color, HandKind, Observer, Piece, PieceKind, Position, Square};

/// Maximum number of changed pieces per move: the mover and a captured piece are removed, the mover
/// and a hand piece are added.
const MAX_CHANGES: usize = 2;

/// Initial number of positions: enough for short searches.
const INITIAL_CAPACITY: usize = 16;

/// State of one position of the line, besides its accumulators.
#[derive(Clone, Debug)]
struct PlyState {
    /// Features removed and added by the last move.
    removed: ArrayVec<BonaPiece, MAX_CHANGES>,
    added: ArrayVec<BonaPiece, MAX_CHANGES>,
    /// Perspectives that need a refresh.
    refresh: [bool; 2],
    /// Perspectives whose accumulator is computed.
    ready: [bool; 2],
}

impl PlyState {
    const FRESH: Self =
        Self { removed: ArrayVec::new_const(), added: ArrayVec::new_const(), refresh: [false; 2], ready: [false; 2] };
}

/// Incremental network evaluation of one thread. Accumulators are computed after each move, or on
/// demand if the move requires a refresh.
#[derive(Clone, Debug)]
pub struct AccumulatorStack<'n> {
    network: &'n Network,
    /// One per position of the line, the current one last.
    states: Vec<PlyState>,
    /// Accumulators by position and perspective, Black first. Allocations beyond the current
    /// position are reused.
    accumulators: Vec<CacheLine>,
    depth: usize,
    /// Source square of the current king move.
    king_from: Square,
    cache: RefreshCache,
    scratch: Vec<ByteCacheLine>,
}

impl<'n> AccumulatorStack<'n> {
    /// A stack without a position: call [`reset`](Self::reset).
    pub fn new(network: &'n Network) -> Self {
        let (cache, scratch) = (RefreshCache::new(network), network.scratch());
        let king_from = Square::clamped(0);
        let (states, accumulators) = (Vec::new(), Vec::new());
        let mut stack = Self { network, states, accumulators, depth: 0, king_from, cache, scratch };
        stack.grow();
        stack
    }

    /// Makes room for more positions.
    #[cold]
    fn grow(&mut self) {
        let positions = (2 * self.states.len()).max(INITIAL_CAPACITY);
        self.states.resize(positions, PlyState::FRESH);
        self.accumulators.resize(positions * 2 * self.network.lines(), CacheLine::zeroed());
    }

    /// Restarts from `position`.
    pub fn reset(&mut self, position: &Position) {
        self.depth = 0;
        self.states[0] = PlyState::FRESH;
        self.cache.pieces.fill(None);
        // Computed eagerly: every search for an ancestor ends at the root at the latest.
        let attack_counts = self.network.features().attack_counts(position);
        Color::ALL.into_iter().for_each(|color| self.compute(position, color, attack_counts.as_ref()));
    }

    /// Saves the state before a move.
    #[inline]
    pub fn push(&mut self) {
        self.depth += 1;
        if self.depth == self.states.len() {
            self.grow();
        }
        let state = &mut self.states[self.depth];
        state.removed.clear();
        state.added.clear();
        state.refresh = [self.network.features().have_attack_counts(); 2];
        state.ready = [false; 2];
    }

    /// Updates the accumulators of the current position from those of the previous one, unless a
    /// refresh is needed. Hides the latency of the table's bucket.
    #[inline]
    pub fn update(&mut self, position: &Position) {
        if self.states[self.depth - 1].ready == [true; 2] && self.states[self.depth].refresh == [false; 2] {
            return self.update_incremental_both(position);
        }
        for color in Color::ALL {
            if self.states[self.depth - 1].ready[color] && !self.states[self.depth].refresh[color] {
                self.update_incremental(position, color, self.depth);
            }
        }
    }

    /// Restores the state before the last move.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.depth > 0, "pop without push");
        self.depth = self.depth.saturating_sub(1);
    }

    /// Static eval of `position`, the result of the moves observed, in centipawns for the side to
    /// move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        self.network.value(self.output(position))
    }

    /// Network output for `position`, unscaled.
    pub fn output(&mut self, position: &Position) -> i32 {
        if self.states[self.depth].ready != [true; 2] {
            let attack_counts = self.network.features().attack_counts(position);
            for color in Color::ALL {
                if !self.states[self.depth].ready[color] {
                    self.compute(position, color, attack_counts.as_ref());
                }
            }
        }
        let lines = self.network.lines();
        let (black, white) = self.accumulators[self.depth * 2 * lines..][..2 * lines].split_at(lines);
        let accumulators = match position.side_to_move() {
            Color::Black => [black, white],
            Color::White => [white, black],
        };
        self.network.forward(position, accumulators, &mut self.scratch)
    }

    /// The nearest ancestor with a computed accumulator, unless the current position needs a
    /// refresh.
    #[inline]
    fn ancestor(&self, color: Color) -> Option<usize> {
        for (at, state) in self.states[..=self.depth].iter().enumerate().rev() {
            if state.ready[color] {
                return Some(at);
            }
            if state.refresh[color] {
                return None;
            }
        }
        None
    }

    /// Computes the accumulator of `color` for the current position and the ancestors on the way to
    /// a computed one.
    fn compute(&mut self, position: &Position, color: Color, attack_counts: Option<&AttackCounts>) {
        match self.ancestor(color) {
            None => {
                let (network, lines) = (self.network, self.network.lines());
                let accumulator = &mut self.accumulators[(2 * self.depth + color.index()) * lines..][..lines];
                self.cache.refresh(network, position, color, attack_counts, accumulator);
                self.states[self.depth].ready[color] = true;
            }
            Some(ancestor) => {
                (ancestor + 1..=self.depth).for_each(|depth| self.update_incremental(position, color, depth))
            }
        }
    }

    /// Computes both accumulators of the current position from those before.
    fn update_incremental_both(&mut self, position: &Position) {
        let (network, lines) = (self.network, 2 * self.network.lines());
        let (before, after) = self.accumulators.split_at_mut(self.depth * lines);
        let (from, to) = (&before[(self.depth - 1) * lines..], &mut after[..lines]);
        let perspectives = [network.perspective(position, Color::Black), network.perspective(position, Color::White)];
        let weights = |piece| network.feature_weights_of_both(&perspectives, piece);
        let state = &mut self.states[self.depth];
        match (&state.removed[..], &state.added[..]) {
            // A null move changes nothing.
            ([], []) => to.copy_from_slice(from),
            (&[removed], &[added]) => network.kernel.add_sub_both(from, to, &[[weights(removed), weights(added)]]),
            (&[first, second], &[third, fourth]) => {
                let changes = [[weights(first), weights(third)], [weights(second), weights(fourth)]];
                network.kernel.add_sub_both(from, to, &changes);
            }
            _ => unreachable!("a move removes as many features as it adds"),
        }
        state.ready = [true; 2];
    }

    /// Computes the accumulator of `color` at `depth` from the one before.
    #[inline]
    fn update_incremental(&mut self, position: &Position, color: Color, depth: usize) {
        let (network, lines) = (self.network, self.network.lines());
        let perspective = network.perspective(position, color);
        let weights = |piece: BonaPiece| network.feature_weights(perspective.input(piece.by(color)));
        let place = |depth: usize| (2 * depth + color.index()) * lines;
        let (before, after) = self.accumulators.split_at_mut(place(depth));
        let (from, to) = (&before[place(depth - 1)..][..lines], &mut after[..lines]);
        let state = &mut self.states[depth];
        match (&state.removed[..], &state.added[..]) {
            // A null move changes nothing.
            ([], []) => to.copy_from_slice(from),
            (&[removed], &[added]) => network.kernel.update(from, to, &[weights(removed)], &[weights(added)]),
            (&[first, second], &[third, fourth]) => {
                network.kernel.update(from, to, &[weights(first), weights(second)], &[weights(third), weights(fourth)]);
            }
            _ => unreachable!("a move removes as many features as it adds"),
        }
        state.ready[color] = true;
    }
}

impl Observer for AccumulatorStack<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        let (king, features) = (piece.kind() == PieceKind::King, self.network.features());
        let state = &mut self.states[self.depth];
        if king {
            let [from, to] =
                [self.king_from, square].map(|square| features.king_bucket(square.relative_to(piece.color()).index()));
            state.refresh[piece.color()] |= from != to;
        }
        if !king || features.have_kings() {
            state.added.push(BonaPiece::on_board(piece, square));
        }
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        let king = piece.kind() == PieceKind::King;
        if king {
            self.king_from = square;
        }
        if !king || self.network.features().have_kings() {
            self.states[self.depth].removed.push(BonaPiece::on_board(piece, square));
        }
    }

    #[inline]
    fn hand(&mut self, color: Color, kind: HandKind, before: u8, after: u8) {
        let piece = BonaPiece::in_hand(color, kind, before.max(after));
        let state = &mut self.states[self.depth];
        if after > before { &mut state.added } else { &mut state.removed }.push(piece);
    }
}

/// Cache for refreshes ("Finny tables"): by side and king square the last accumulator computed,
/// with its pieces, few of which have changed when the king returns.
#[derive(Clone, Debug)]
struct RefreshCache {
    accumulators: Vec<CacheLine>,
    /// `None` if not computed yet.
    pieces: Vec<Option<Pieces>>,
}

impl RefreshCache {
    /// Empty; without size if the features do not depend on the king.
    fn new(network: &Network) -> Self {
        let entries = if network.features().depend_on_king() { 4 * network.features().king_buckets() } else { 0 };
        Self { accumulators: vec![CacheLine::zeroed(); entries * network.lines()], pieces: vec![None; entries] }
    }

    /// Computes the accumulator of `color`.
    fn refresh(
        &mut self,
        network: &Network,
        position: &Position,
        color: Color,
        attack_counts: Option<&AttackCounts>,
        accumulator: &mut [CacheLine],
    ) {
        let (bucket, mirrored) = network.features().king_bucket(own_king(position, color));
        let entry = (color.index() * 2 + usize::from(mirrored)) * network.features().king_buckets() + bucket;
        let Some(pieces) = self.pieces.get_mut(entry) else { return network.refresh(position, color, accumulator) };
        let last = &mut self.accumulators[entry * network.lines()..][..network.lines()];
        // Missing pieces have an index too, but their number never changes.
        let present = Pieces::new(position, color, attack_counts);
        match pieces {
            None => network.refresh(position, color, accumulator),
            Some(pieces) => {
                let perspective = network.perspective(position, color);
                let [mut removed, mut added] = [const { ArrayVec::<&[CacheLine], MAX_ACTIVE>::new_const() }; 2];
                present.changes_since(pieces, color, network.features().have_kings(), |number, is_added| {
                    let weights = network.feature_weights(perspective.input(number));
                    if is_added { &mut added } else { &mut removed }.push(weights);
                });
                network.kernel.update(last, accumulator, &removed, &added);
            }
        }
        last.copy_from_slice(accumulator);
        *pieces = Some(present);
    }
}
