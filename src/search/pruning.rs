//! Pruning: of nodes by static eval or shallow search, and of moves.
//!
//! Steps are numbered as in `node`.

use super::history::QuietContext;
use super::margins as m;
use super::node::{Candidate, NodeState, NonPv};
use super::params as p;
use super::picker::{Picker, Purpose};
use super::threats::Threats;
use super::worker::Worker;
use crate::table::{Entry, Source};
use sabi_shogi::{Bound, CheckInfo, Score};

impl Worker<'_> {
    /// Steps 7 to 9: pruning of non-PV nodes not in check.
    pub(super) fn prune_node(&mut self, node: &NodeState, tt_hit: bool) -> Option<Score> {
        let &NodeState { alpha, beta, depth, ply, eval, .. } = node;

        // Step 7. Razoring.
        if eval + m::razor(depth) < alpha {
            return Some(self.quiescence::<NonPv>(alpha, beta, ply));
        }

        // Step 8. Reverse futility pruning, not with a quiet tt move: it indicates a threat.
        let (worsening, correction) = (node.opponent_worsening, node.correction);
        let margin = |threat| m::reverse_futility(depth, node.improving, worsening, tt_hit, threat, correction);
        if !node.tt_pv
            && depth < m::REVERSE_FUTILITY_DEPTH
            && eval >= beta
            && (node.tt.mv.is_none() || node.tt.tactical)
            && !beta.is_loss()
            && !eval.is_decisive()
            && self.decides(node, |threat| eval - margin(threat) >= beta)
        {
            return Some(Score::raw((2 * beta.get() + eval.get()) / 3));
        }
        self.null_move(node)
    }

    /// `decision`, given whether the side to move is ahead and threatened; that is found out only if
    /// it matters.
    #[inline]
    fn decides(&self, node: &NodeState, decision: impl Fn(bool) -> bool) -> bool {
        let (without, with) = (decision(false), decision(true));
        if without == with || node.eval < node.beta {
            return without;
        }
        decision(Threats::new(&self.position).any(&self.position))
    }

    /// Step 9. Null move pruning. Zugzwang is rare in shogi.
    fn null_move(&mut self, node: &NodeState) -> Option<Score> {
        let &NodeState { beta, depth, ply, .. } = node;
        if !node.cut_node
            || self.ss_before(ply, 0).excluded.is_some()
            || ply < self.null_move_min_ply
            || beta.is_loss()
            || self.decides(node, |threat| {
                node.static_eval < beta.get() + m::null_move_margin(depth, node.improving, threat)
            })
        {
            return None;
        }
        let reduced = depth - m::null_move_reduction(depth, node.static_eval - beta.get());
        self.play_null(ply);
        let score = -self.search::<NonPv>(-beta, -beta + 1, reduced, ply + 1, false);
        self.undo_null();
        if self.is_halted() {
            return Some(Score::ZERO);
        }
        // Do not return unproved wins.
        if score < beta || score.is_win() {
            return None;
        }
        if self.null_move_min_ply > 0 || depth < p::null_move_verification_depth() {
            return Some(score);
        }
        // Verification search without null moves in the upper part of the tree.
        self.null_move_min_ply = ply + (3 * reduced.max(0) / 4) as usize;
        let verified = self.search::<NonPv>(beta - 1, beta, reduced, ply, false);
        self.null_move_min_ply = 0;
        (verified >= beta || self.is_halted()).then_some(score)
    }

    /// Step 11: ProbCut, by a reduced search of good captures above beta, or by the tt score alone.
    pub(super) fn probcut(&mut self, node: &NodeState, info: &CheckInfo) -> Option<Score> {
        let &NodeState { beta, depth, .. } = node;
        if beta.is_decisive() {
            return None;
        }
        let probcut_beta = beta + m::probcut(node.improving);
        if !node.in_check
            && depth >= m::PROBCUT_DEPTH
            && node.tt.searched.is_none_or(|(score, ..)| score >= probcut_beta)
            && let Some(score) = self.probcut_search(probcut_beta, node, info)
        {
            return Some(score);
        }
        let tt_beta = beta + p::probcut_table_margin();
        let known = |(score, bound, tt_depth): (Score, Bound, i32)| {
            bound.is_lower() && tt_depth >= depth - 4 && score >= tt_beta && !score.is_decisive()
        };
        node.tt.searched.is_some_and(known).then_some(tt_beta)
    }

    fn probcut_search(&mut self, probcut_beta: Score, node: &NodeState, info: &CheckInfo) -> Option<Score> {
        let &NodeState { beta, depth, ply, .. } = node;
        let purpose = Purpose::ProbCut(probcut_beta.get() - node.static_eval);
        let context = self.quiet_context(ply);
        let mut picker = Picker::new(&self.position, purpose, node.tt.mv, self.shared.settings.non_promotions);
        let excluded = self.ss_before(ply, 0).excluded;
        while let Some(mv) = picker.next(&self.position, self.histories, &context, info) {
            if Some(mv) == excluded {
                continue;
            }
            let keys = self.keys_after(mv);
            self.ss(ply + 1).on_last_pv = false;
            self.play(mv, keys, ply);
            let mut score = -self.quiescence::<NonPv>(-probcut_beta, -probcut_beta + 1, ply + 1);
            if score >= probcut_beta && depth > 4 {
                score = -self.search::<NonPv>(-probcut_beta, -probcut_beta + 1, depth - 4, ply + 1, !node.cut_node);
            }
            self.undo();
            if self.is_halted() {
                return Some(Score::ZERO);
            }
            if score >= probcut_beta {
                let entry = Entry {
                    mv: Some(mv),
                    score,
                    eval: node.raw_eval,
                    depth: depth - 3,
                    bound: Some(Bound::Lower),
                    pv: node.tt_pv,
                    source: Source::Internal,
                };
                self.store(ply, entry);
                if !score.is_decisive() {
                    return Some(score - (probcut_beta.get() - beta.get()));
                }
            }
        }
        None
    }

    /// Step 13: whether to skip a capture or check.
    pub(super) fn skips_tactical(&self, candidate: &Candidate, node: &NodeState, lmr_depth: i32) -> bool {
        let &Candidate { mv, moved, tactical, gives_check } = candidate;
        let history = if tactical { self.histories.capture(moved, self.captured_kind(mv)) } else { 0 };
        if !gives_check && !node.in_check && lmr_depth < m::CAPTURE_FUTILITY_DEPTH {
            let futility = m::capture_futility(lmr_depth, history) + self.position.move_gain(mv);
            if Score::cp(node.static_eval + futility) <= node.alpha {
                return true;
            }
        }
        !self.position.see_ge(mv, m::see_capture(node.depth, history))
    }

    /// Step 13: whether to skip a quiet move. The futility value raises the best score.
    pub(super) fn skips_quiet(
        &self,
        candidate: &Candidate,
        node: &NodeState,
        context: &QuietContext,
        mut lmr_depth: i32,
        no_best_move: bool,
        best_score: &mut Score,
    ) -> bool {
        let &Candidate { mv, moved, .. } = candidate;
        let mut history = self.histories.continuation(context.cont_hist[0], moved)
            + self.histories.continuation(context.cont_hist[1], moved)
            + self.histories.pawn(context.pawn_slot, moved);
        if history < p::history_pruning() * node.depth {
            return true;
        }
        history += 17 * self.histories.main(context.color, mv) / 8;
        lmr_depth += history / p::pruning_history_divisor();
        let futility = Score::cp(
            node.static_eval
                + m::futility(lmr_depth)
                + p::futility_no_best_move() * i32::from(no_best_move)
                + p::futility_above_alpha() * i32::from(node.static_eval > node.alpha.get()),
        );
        if !node.in_check && lmr_depth < m::FUTILITY_DEPTH && futility <= node.alpha {
            if *best_score <= futility && !best_score.is_decisive() && !futility.is_win() {
                *best_score = futility;
            }
            return true;
        }
        !self.position.see_ge(mv, m::see_quiet(lmr_depth))
    }
}
