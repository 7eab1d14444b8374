//! What a node says about the move that led to it: whether it was reduced too much, and whether it was good.

use super::params as p;
use super::worker::Worker;
use crate::types::{Move, PieceKind};

/// The most that the evaluation by itself may praise or blame a move.
const MOST_PRAISE: i32 = 600;

impl Worker<'_> {
    /// By how much the depth of the node at `ply` should change, now that its static evaluation stands beside that of the node before.
    /// The move between them is praised for what the evaluation rose by, or blamed.
    ///
    /// The two evaluations are those of opposite sides: their sum is what the side to move has gained by the other's move.
    pub(super) fn hindsight(&mut self, depth: i32, ply: usize) -> i32 {
        let before = self.frame(ply - 1);
        let reduction = std::mem::take(&mut before.reduction);
        let (Some(theirs), Some(ours)) = (before.static_eval, self.frame(ply).static_eval) else {
            return 0;
        };
        let gained = ours.get() + theirs.get();
        if let Some(last) = self.last_quiet_move() {
            let praise = (-gained * p::history_evaluation() / 16).clamp(-MOST_PRAISE, MOST_PRAISE);
            self.histories.update_last_move(&self.position, last, praise);
        }
        if reduction >= p::hindsight_extension() && gained <= 0 {
            1
        } else if reduction >= p::hindsight_reduction() && depth >= 2 && gained > p::hindsight_margin() {
            -1
        } else {
            0
        }
    }

    /// Praises the quiet move that led to the node at `ply`, because no answer to it was good enough.
    pub(super) fn praise_last_move(&mut self, ply: usize, bonus: i32) {
        if let Some(last) = self.last_quiet_move() {
            let (moved, context) = (self.frame(ply - 1).moved, self.context(ply - 1));
            self.histories.update_last_move(&self.position, last, bonus);
            self.histories.update_continuation(moved, &context, bonus);
        }
    }

    /// The last move, unless it was a capture, a promotion of a pawn, or none at all.
    fn last_quiet_move(&self) -> Option<Move> {
        let mv = self.position.last_move()?;
        let promoted_pawn = mv.is_promotion()
            && self.position.piece_at(mv.to()).is_some_and(|piece| piece.kind() == PieceKind::ProPawn);
        (self.position.captured().is_none() && !promoted_pawn).then_some(mv)
    }
}
