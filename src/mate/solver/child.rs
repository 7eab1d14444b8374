//! Child nodes, and the attacker's hand before and after a move.

use super::estimate::{Estimate, Plies};
use sabi_shogi::{Color, Hand, HandKind, Move, Position};

/// A move and the estimate after it.
#[derive(Copy, Clone)]
pub(super) struct Child {
    pub mv: Move,
    /// For an interposition of which only the capture is still to be searched: the estimate is then
    /// that after both moves.
    pub capture: Option<Capture>,
    /// Index of the child to be decided before this one is searched.
    pub after: Option<u16>,
    pub estimate: Estimate,
}

/// Capture of an interposed piece.
#[derive(Copy, Clone)]
pub(super) struct Capture {
    /// The capturing move; `None` if it is not legal.
    pub mv: Option<Move>,
    /// Maximum mate length after it.
    pub bound: Plies,
    /// Depth of the repetition on which the proof depends that the drop is not refuted otherwise.
    pub loop_to: u32,
}

impl Child {
    /// Whether the child it waits for is decided.
    #[inline]
    pub(super) fn is_active(&self, children: &[Self]) -> bool {
        self.after.is_none_or(|at| children[usize::from(at)].estimate.is_final())
    }
}

/// The attacker's hand before a move (minimum or maximum), given that after it.
pub(super) fn hand_before(position: &Position, mv: Move, behind: Hand) -> Hand {
    match (mv.drop_kind(), captured_kind(position, mv)) {
        (Some(kind), _) => behind.with(kind, (behind.count(kind) + 1).min(kind.full_set_count())),
        (None, Some(kind)) => behind.with(kind, behind.count(kind).saturating_sub(1)),
        (None, None) => behind,
    }
}

/// The hand of the side to move after its move.
pub(super) fn hand_after(position: &Position, mv: Move) -> Hand {
    let hand = position.hand(position.side_to_move());
    match (mv.drop_kind(), captured_kind(position, mv)) {
        (Some(kind), _) => hand.minus(kind),
        (None, Some(kind)) => hand.plus(kind),
        (None, None) => hand,
    }
}

fn captured_kind(position: &Position, mv: Move) -> Option<HandKind> {
    position.piece_at(mv.to()).and_then(|piece| piece.kind().in_hand())
}

/// The kinds in the attacker's `hand` of which the defender holds none: as long as the attacker
/// keeps all of them, none can be interposed.
pub(super) fn withheld(position: &Position, attacker: Color, hand: Hand) -> Hand {
    let defenders = position.hand(!attacker);
    let kept = hand.iter().filter(|&(kind, _)| !defenders.has(kind));
    kept.fold(Hand::EMPTY, |kept, (kind, count)| kept.with(kind, count))
}
