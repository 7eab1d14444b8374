//! What is not searched: nodes that an evaluation or a shallow search decides, and moves that will hardly matter.
//!
//! The steps are numbered as in the node they belong to.

use super::margins as m;
use super::node::{Candidate, Circumstances, Finding, NonPv};
use super::params as p;
use super::picker::{Picker, Purpose};
use super::worker::Worker;
use crate::position::CheckInfo;
use crate::table::Source;
use crate::types::{Bound, Score};

impl Worker<'_> {
    /// Steps 7 to 10: nodes without an open window that an evaluation and a shallow search decide.
    pub(super) fn prune_node(&mut self, node: &Circumstances) -> Option<Score> {
        let &Circumstances { alpha, beta, depth, ply, eval, .. } = node;

        // Step 7. Razoring: hopeless but for tactics.
        if depth < m::RAZOR_DEPTH && eval + m::razor(depth) < alpha {
            let score = self.quiescence::<NonPv>(alpha, alpha + 1, 0, ply);
            if score <= alpha || self.is_halted() {
                return Some(score);
            }
        }

        // Step 8. Reverse futility: so far above beta that a few plies will not change it.
        if !node.was_pv
            && depth < m::REVERSE_FUTILITY_DEPTH
            && eval - m::reverse_futility(depth, node.improving) >= beta
            && !beta.is_losing()
            && !eval.is_decisive()
        {
            return Some(Score::raw((eval.get() + 2 * beta.get()) / 3));
        }
        self.null_move(node)
    }

    /// Steps 9 and 10.
    fn null_move(&mut self, node: &Circumstances) -> Option<Score> {
        let &Circumstances { beta, depth, ply, .. } = node;

        // Step 9. Null move: if even passing beats beta, a move will. In shogi a move is nearly always worth having.
        let after_null = self.position.last_move().is_none() && ply > 0;
        if !node.cut_node
            || after_null
            || node.eval < beta
            || node.static_eval? < beta + m::null_move_demand(depth)
            || ply < self.null_move_from
            || depth < 2
            || beta.is_losing()
        {
            return None;
        }
        let reduced = depth - m::null_move_reduction(depth, node.eval.get() - beta.get());
        self.play_null(ply);
        let score = -self.search::<NonPv>(-beta, -beta + 1, reduced, ply + 1, false);
        self.undo_null();
        if self.is_halted() {
            return Some(Score::ZERO);
        }
        if score < beta {
            return None;
        }
        // A win found after passing is not proved.
        let score = if score.is_winning() { beta } else { score };
        if self.null_move_from > 0 || depth < p::null_move_verification_depth() {
            return Some(score);
        }

        // Step 10. Verification, without null moves in the upper part of the tree.
        self.null_move_from = ply + (3 * reduced.max(0) / 4) as usize + 1;
        let verified = self.search::<NonPv>(beta - 1, beta, reduced, ply, false);
        self.null_move_from = 0;
        (verified >= beta || self.is_halted()).then_some(score)
    }

    /// Step 12: searches good captures with a window at `goal`, beyond beta, at lower depth.
    pub(super) fn probcut(&mut self, goal: Score, node: &Circumstances, info: &CheckInfo) -> Option<Score> {
        let &Circumstances { depth, ply, .. } = node;
        let purpose = Purpose::ProbCut(goal.get() - node.static_eval?.get());
        let promotions = self.shared.settings.promotions;
        let mut picker = Picker::new(&self.position, purpose, node.table_move, [None; 3], node.context, promotions);
        while let Some(mv) = picker.next(&self.position, self.histories, info) {
            self.play(mv, ply);
            let mut score = -self.quiescence::<NonPv>(-goal, -goal + 1, 0, ply + 1);
            if score >= goal {
                score = -self.search::<NonPv>(-goal, -goal + 1, depth - 4, ply + 1, !node.cut_node);
            }
            self.undo();
            if self.is_halted() {
                return Some(Score::ZERO);
            }
            if score >= goal {
                let finding = Finding {
                    mv: Some(mv),
                    eval: node.raw_eval,
                    depth: depth - 3,
                    bound: Some(Bound::Lower),
                    pv: node.was_pv,
                    source: Source::Internal,
                };
                self.store(ply, score, finding);
                return Some(score);
            }
        }
        None
    }

    /// Step 14: whether a move may be skipped because it will hardly raise alpha.
    pub(super) fn is_futile(&self, candidate: &Candidate, node: &Circumstances) -> bool {
        let &Candidate { mv, moved, tactical, gives_check, reduced, history } = candidate;
        let &Circumstances { alpha, depth, static_eval, .. } = node;
        if tactical {
            let promise = m::capture_futility(reduced) + self.position.material_swing(mv);
            let hopeless = reduced < 7 && static_eval.is_some_and(|eval| eval + promise <= alpha);
            return hopeless && !gives_check || !self.position.see_at_least(mv, m::see_capture(depth));
        }
        if gives_check {
            return !self.position.see_at_least(mv, m::see_capture(depth));
        }
        let disliked = self.histories.continuation(moved, &node.context) < p::history_pruning() * depth;
        let reduced = (reduced + history / p::pruning_history_divisor()).max(0);
        let hopeless = static_eval.is_some_and(|eval| eval + m::futility(reduced) <= alpha);
        reduced < 5 && disliked || reduced < 8 && hopeless || !self.position.see_at_least(mv, m::see_quiet(reduced))
    }
}
