//! A node's children, and what holds for the attacker's hand before and behind a move.

use super::estimate::{Estimate, Plies};
use crate::position::Position;
use crate::types::{Color, Hand, HandKind, Move};

/// A move and what is known of the position behind it.
#[derive(Copy, Clone)]
pub(super) struct Child {
    pub mv: Move,
    /// For a piece dropped in the way of a check, once its capture is all that is left to be looked at: the estimate is then that
    /// of the position behind both.
    pub capture: Option<Capture>,
    /// The place of the child that has to be settled before this one is worth a look.
    pub after: Option<u16>,
    pub estimate: Estimate,
}

/// How a piece dropped in the way of a check is taken.
#[derive(Copy, Clone)]
pub(super) struct Capture {
    /// By this move; `None` when that is not legal.
    pub mv: Option<Move>,
    /// The mate has to come within this many plies after it.
    pub bound: Plies,
    /// On which repetition it rests that the drop is not refuted otherwise.
    pub loop_to: u32,
}

impl Child {
    /// Whether what this child waits for is settled.
    #[inline]
    pub(super) fn is_active(&self, children: &[Self]) -> bool {
        self.after.is_none_or(|at| children[usize::from(at)].estimate.is_final())
    }
}

/// What the attacker has to hold, or may hold, before a move of its own, when it is `behind` after it.
pub(super) fn hand_before(position: &Position, mv: Move, behind: Hand) -> Hand {
    match (mv.drop_kind(), taken_kind(position, mv)) {
        (Some(kind), _) => behind.with(kind, (behind.count(kind) + 1).min(kind.in_a_set())),
        (None, Some(kind)) => behind.with(kind, behind.count(kind).saturating_sub(1)),
        (None, None) => behind,
    }
}

/// The hand of the side to move after its move.
pub(super) fn hand_after(position: &Position, mv: Move) -> Hand {
    let hand = position.hand(position.side_to_move());
    match (mv.drop_kind(), taken_kind(position, mv)) {
        (Some(kind), _) => hand.minus(kind),
        (None, Some(kind)) => hand.plus(kind),
        (None, None) => hand,
    }
}

fn taken_kind(position: &Position, mv: Move) -> Option<HandKind> {
    position.piece_at(mv.to()).and_then(|piece| piece.kind().in_hand())
}

/// Of the attacker's `hand`, the kinds that the defender does not hold: as long as the attacker keeps all of them, none can be
/// dropped in the way of a check.
pub(super) fn withheld(position: &Position, attacker: Color, hand: Hand) -> Hand {
    let defenders = position.hand(!attacker);
    let kept = hand.iter().filter(|&(kind, _)| !defenders.has(kind));
    kept.fold(Hand::EMPTY, |kept, (kind, count)| kept.with(kind, count))
}
