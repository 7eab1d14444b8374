//! History updates of a node.

use super::history::{Histories, PieceTo, Quiet, QuietContext};
use super::movepick::captured_kind;
use super::node::NodeState;
use super::params as p;
use super::worker::Worker;
use sabi_shogi::{Move, PieceKind, Score};

/// Largest malus and bonus by the difference of static evals, in centipawns, and an offset: most
/// moves lower the static eval of the side that plays them.
const EVAL_DIFFERENCE: (i32, i32) = (-240, 190);
const EVAL_DIFFERENCE_BIAS: i32 = 54;

impl Worker<'_> {
    /// A tt cutoff: bonus for the tt move, if quiet, and malus for an early quiet prior move.
    pub(super) fn tt_cutoff_bonus(&mut self, mv: Move, tactical: bool, depth: i32, ply: usize) {
        if !tactical {
            let quiet = Quiet { mv, moved: self.piece_to(mv) };
            let context = self.quiet_context(ply);
            self.histories.update_quiet(quiet, &context, (137 * depth - 70).min(895));
        }
        if self.ss_before(ply, 1).move_count <= 4 && self.prior_quiet().is_some() {
            self.prior_move_malus(ply, -2140);
        }
    }

    /// Bonus or malus for the quiet prior move by the difference of static evals.
    pub(super) fn eval_difference_bonus(&mut self, ply: usize, static_eval: i32, tt_hit: bool) {
        let before = self.ss_before(ply, 1);
        let (moved, gain) = (before.moved, -(before.static_eval + static_eval));
        if before.in_check {
            return;
        }
        let Some(mv) = self.prior_quiet() else { return };
        let bonus = gain.clamp(EVAL_DIFFERENCE.0, EVAL_DIFFERENCE.1) + EVAL_DIFFERENCE_BIAS;
        self.prior_quiet_bonus(mv, moved, 19 * bonus / 2, if tt_hit { 0 } else { 51 * bonus / 4 });
    }

    /// Bonus for the best move, malus for the moves tried before it.
    pub(super) fn update_histories(
        &mut self,
        best: Move,
        node: &NodeState,
        context: &QuietContext,
        quiets: &[Move],
        captures: &[Move],
    ) {
        let &NodeState { depth, ply, .. } = node;
        let before = self.ss_before(ply, 1);
        let (parent_score, parent_count) = (before.stat_score, before.move_count);
        let parent_first = 1 + i32::from(before.tt_hit);
        let bonus = p::history_bonus(depth) + 395 * i32::from(Some(best) == node.tt.mv) + parent_score / 34;
        let malus = p::history_malus(depth);
        let moved = self.piece_to(best);
        if self.position.is_tactical(best) {
            let captured = captured_kind(&self.position, best);
            self.histories.update_capture(moved, captured, bonus * 5 / 4);
        } else {
            self.histories.update_quiet(Quiet { mv: best, moved }, context, bonus * 4 / 5);
            let mut share = malus * 35 / 32;
            for &mv in quiets {
                share = share * 977 / 1024;
                let quiet = Quiet { mv, moved: self.piece_to(mv) };
                self.histories.update_quiet(quiet, context, -share);
            }
        }
        for &mv in captures {
            let (moved, captured) = (self.piece_to(mv), captured_kind(&self.position, mv));
            self.histories.update_capture(moved, captured, -malus * 3 / 2);
        }
        // Extra malus for the parent's first move, which is refuted here.
        if ply > 0 && parent_count == parent_first && self.prior_quiet().is_some() {
            self.prior_move_malus(ply, -malus * 3 / 5);
        }
    }

    /// All moves failed low: bonus for the prior move.
    pub(super) fn prior_move_bonus(&mut self, node: &NodeState, best_score: Score) {
        let &NodeState { depth, ply, in_check, static_eval, .. } = node;
        let best = best_score.get();
        let before = self.ss_before(ply, 1);
        let (moved, parent_in_check) = (before.moved, before.in_check);
        if let Some(mv) = self.prior_quiet() {
            let before = self.ss_before(ply, 1);
            let share = -230 - before.stat_score / 93
                + (52 * depth).min(482)
                + 181 * i32::from(before.move_count > 8)
                + 116 * i32::from(!in_check && best <= static_eval - 122)
                + 154 * i32::from(!parent_in_check && best <= -before.static_eval - 81);
            let bonus = (135 * depth - 80).min(1400) * share.max(0);
            let indices = self.cont_hist(ply - 1);
            self.histories.update_continuation(moved, parent_in_check, &indices, bonus / 74);
            self.prior_quiet_bonus(mv, moved, bonus / 145, bonus / 27);
        } else if let Some(captured) = self.position.captured()
            && self.position.last_move().is_some()
        {
            self.histories.update_capture(moved, captured.kind(), 891);
        }
    }

    /// Main and pawn history bonus for the quiet prior move. Pawn moves and promotions change the
    /// pawn structure and have no pawn history.
    fn prior_quiet_bonus(&mut self, mv: Move, moved: PieceTo, main: i32, pawn: i32) {
        self.histories.add_main(!self.position.side_to_move(), mv, main);
        let is_pawn = self.position.piece_at(mv.to()).is_some_and(|piece| piece.kind() == PieceKind::Pawn);
        if !is_pawn && !mv.is_promotion() {
            self.histories.add_pawn(Histories::pawn_slot(&self.position), moved, pawn);
        }
    }

    /// Continuation history malus for the quiet move that led to `ply`.
    fn prior_move_malus(&mut self, ply: usize, malus: i32) {
        let before = self.ss_before(ply, 1);
        let (moved, in_check) = (before.moved, before.in_check);
        let indices = self.cont_hist(ply - 1);
        self.histories.update_continuation(moved, in_check, &indices, malus);
    }

    /// The prior move, unless it is a capture, a pawn promotion or a null move.
    fn prior_quiet(&self) -> Option<Move> {
        let mv = self.position.last_move()?;
        let promoted_pawn = mv.is_promotion()
            && self.position.piece_at(mv.to()).is_some_and(|piece| piece.kind() == PieceKind::ProPawn);
        (self.position.captured().is_none() && !promoted_pawn).then_some(mv)
    }
}
