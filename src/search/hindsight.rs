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

    /// Praises the quiet move that led to the node at `ply`, because no answer to it was good enough; a bonus below 0 blames it.
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

#[cfg(test)]
mod tests {
    use super::super::calm::with_worker;
    use super::super::worker::Memory;
    use super::*;
    use crate::eval::{EvalType, Evaluation};
    use crate::position::Position;
    use crate::table::Table;
    use crate::types::Score;

    /// What a node at ply 1 of `depth` plies makes of a first move that was reduced by so much, with these evaluations of the two sides;
    /// and what the history of that move is then.
    fn judged(depth: i32, reduction: i32, theirs: i32, ours: i32) -> (i32, i32) {
        let (table, mut memory) = (Table::new(0, 0).unwrap(), Memory::new(false).unwrap());
        let evaluation = Evaluation::embedded(EvalType::Hand);
        let position = Position::startpos();
        with_worker(&evaluation, &table, &mut memory, &position, |worker| {
            let mv = position.legal_from_usi("7g7f").unwrap();
            let (moved, context) = (worker.piece_to(mv), worker.context(0));
            worker.frame(0).static_eval = Some(Score::cp(theirs));
            worker.play(mv, 0);
            worker.frame(0).reduction = reduction;
            worker.frame(1).static_eval = Some(Score::cp(ours));
            let change = worker.hindsight(depth, 1);
            assert_eq!(worker.frame(0).reduction, 0, "a reduction is judged once");
            (change, worker.histories.quiet(&position, mv, moved, &context))
        })
    }

    #[test]
    fn a_reduction_is_taken_back_or_made_deeper_by_what_the_evaluation_did() {
        let (deep, margin) = (p::hindsight_extension(), p::hindsight_margin());
        assert_eq!(judged(5, deep, 50, -80).0, 1);
        assert_eq!(judged(5, deep - 1, 50, -80).0, 0);
        assert_eq!(judged(5, p::hindsight_reduction(), 50, margin - 50).0, 0);
        assert_eq!(judged(5, p::hindsight_reduction(), 50, margin - 49).0, -1);
        assert_eq!(judged(1, p::hindsight_reduction(), 50, margin).0, 0, "the last ply is not taken");
        assert_eq!(judged(5, 0, 50, 500).0, 0);
    }

    #[test]
    fn a_move_is_praised_for_what_the_evaluation_rose_by() {
        let (risen, fallen) = (judged(5, 0, 50, -80).1, judged(5, 0, 50, -20).1);
        assert!(risen > 0 && fallen < 0, "{risen} {fallen}");
        assert!(judged(5, 0, 0, -10_000).1 <= MOST_PRAISE);
    }
}
