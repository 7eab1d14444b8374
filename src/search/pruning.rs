//! Pruning of nodes and of moves, with steps numbered as in `node`, and quiescence search.

use super::history::QuietContext;
use super::movepick::{Picker, Purpose, Threats, captured_kind};
use super::node::{Candidate, NodeState, NodeType, NonPv, fail_high_blend, tt_adjusted};
use super::params as p;
use super::worker::Worker;
use crate::table::{Entry, Source};
use sabi_shogi::{Bound, CheckInfo, MAX_PLY, Move, Score};

impl Worker<'_> {
    /// Steps 7 to 9: pruning of non-PV nodes not in check.
    pub(super) fn prune_node(&mut self, node: &NodeState, tt_hit: bool) -> Option<Score> {
        let &NodeState { alpha, beta, depth, ply, eval, .. } = node;

        // Step 7. Razoring.
        if eval + p::razor(depth) < alpha {
            return Some(self.quiescence::<NonPv>(alpha, beta, ply));
        }

        // Step 8. Reverse futility pruning, not with a quiet tt move: it indicates a threat.
        let (worsening, correction) = (node.opponent_worsening, node.correction);
        let margin = |threat| p::reverse_futility(depth, node.improving, worsening, tt_hit, threat, correction);
        if !node.tt_pv
            && depth < p::REVERSE_FUTILITY_DEPTH
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
                node.static_eval < beta.get() + p::null_move_eval_margin(depth, node.improving, threat)
            })
        {
            return None;
        }
        let reduced = depth - p::null_move_reduction(depth, node.static_eval - beta.get());
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
        let probcut_beta = beta + p::probcut(node.improving);
        if !node.in_check
            && depth >= p::PROBCUT_DEPTH
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
        let history = if tactical { self.histories.capture(moved, captured_kind(&self.position, mv)) } else { 0 };
        if !gives_check && !node.in_check && lmr_depth < p::CAPTURE_FUTILITY_DEPTH {
            let futility = p::capture_futility(lmr_depth, history) + self.position.move_gain(mv);
            if Score::cp(node.static_eval + futility) <= node.alpha {
                return true;
            }
        }
        !self.position.see_ge(mv, p::see_capture(node.depth, history))
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
                + p::futility(lmr_depth)
                + p::futility_no_best_move() * i32::from(no_best_move)
                + p::futility_above_alpha() * i32::from(node.static_eval > node.alpha.get()),
        );
        if !node.in_check && lmr_depth < p::FUTILITY_DEPTH && futility <= node.alpha {
            if *best_score <= futility && !best_score.is_decisive() && !futility.is_win() {
                *best_score = futility;
            }
            return true;
        }
        !self.position.see_ge(mv, p::see_quiet(lmr_depth))
    }
}

/// Depth of quiescence entries in the table.
const DEPTH: i32 = 0;

impl Worker<'_> {
    /// Quiescence score of the position at `ply`.
    pub(super) fn quiescence<N: NodeType>(&mut self, mut alpha: Score, beta: Score, ply: usize) -> Score {
        // Step 1. Stop, rules, maximum ply.
        let in_check = self.position.in_check();
        if N::PV {
            self.pv(ply).clear();
            self.seldepth = self.seldepth.max(ply + 1);
        }
        self.poll();
        if self.is_halted() {
            return Score::ZERO;
        }
        if let Some(score) = self.rule_score(ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return if in_check { self.draw_value() } else { self.evaluate(0) };
        }

        // Step 2. Table probe. The check info is computed first, to hide the latency of the table.
        let info = self.position.check_info();
        let entry = self.probe(0);
        let searched = entry.and_then(|e| Some((e.score.from_table(ply), e.bound?, e.depth)));
        if !N::PV
            && let Some((score, bound, depth)) = searched
            && depth >= DEPTH
            && bound.allows_cutoff(score, beta)
        {
            return score;
        }
        let tt_pv = entry.is_some_and(|e| e.pv);

        // Step 3. Mate in one.
        if !in_check
            && entry.is_none()
            && let Some(score) = self.mate_in_one::<N>(ply, DEPTH, tt_pv, Source::Quiescence, &info)
        {
            return score;
        }

        // Step 4. Stand pat.
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut raw_eval = None;
        let mut futility_base = -Score::INFINITE;
        let static_eval = if in_check {
            self.ss_before(ply, 2).static_eval
        } else {
            let raw = entry.and_then(|e| e.eval).unwrap_or_else(|| self.evaluate(0));
            raw_eval = Some(raw);
            let correction = self.histories.corrections.value(&self.ss_before(ply, 0).correction_indices);
            let static_eval = self.corrected_eval(raw, correction);
            best_score = tt_adjusted(Score::cp(static_eval), searched);
            futility_base = Score::cp(static_eval + p::quiescence_futility());
            static_eval
        };
        let ss = self.ss(ply);
        ss.in_check = in_check;
        ss.static_eval = static_eval;
        if best_score >= beta {
            best_score = fail_high_blend(best_score, beta, 1);
            if entry.is_none() {
                let (depth, bound, source) = (Entry::DEPTH_UNSEARCHED, Some(Bound::Lower), Source::Quiescence);
                self.store(ply, Entry { mv: None, score: best_score, eval: raw_eval, depth, bound, pv: tt_pv, source });
            }
            return best_score;
        }
        alpha = alpha.max(best_score);

        // Step 5. Captures and promotions, or evasions.
        let tt_move = self.legal_move_of(entry);
        let context = self.quiet_context(ply);
        let mut picker = Picker::new(&self.position, Purpose::Quiescence, tt_move, self.shared.settings.non_promotions);
        let recapture = self.position.last_move().map(Move::to);
        let mut move_count = 0;
        while let Some(mv) = picker.next(&self.position, self.histories, &context, &info) {
            move_count += 1;
            // Step 6. Futility and SEE pruning.
            if !best_score.is_loss() {
                if !in_check && recapture != Some(mv.to()) && !self.position.gives_check(mv, &info) {
                    if move_count > p::QUIESCENCE_MOVES {
                        continue;
                    }
                    let futility_value = futility_base + self.position.move_gain(mv);
                    if futility_value <= alpha {
                        best_score = best_score.max(futility_value);
                        continue;
                    }
                    let threshold = alpha.get() - futility_base.get();
                    let stricter = threshold.max(p::quiescence_see());
                    if !self.position.see_ge(mv, stricter) {
                        if stricter == threshold || !self.position.see_ge(mv, threshold) {
                            best_score = best_score.max(alpha.min(futility_base));
                        }
                        continue;
                    }
                } else if !self.position.see_ge(mv, p::quiescence_see()) {
                    continue;
                }
            }
            let keys = self.keys_after(mv);
            self.play(mv, keys, ply);
            let score = -self.quiescence::<N>(-beta, -alpha, ply + 1);
            self.undo();
            if self.is_halted() {
                return Score::ZERO;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }

        // Step 7. In check without a move: mate.
        if in_check && move_count == 0 {
            return Score::mated_in(ply);
        }
        if best_score > beta {
            best_score = fail_high_blend(best_score, beta, 1);
        }
        let bound = Some(if best_score >= beta { Bound::Lower } else { Bound::Upper });
        let (depth, source) = (DEPTH, Source::Quiescence);
        self.store(ply, Entry { mv: best_move, score: best_score, eval: raw_eval, depth, bound, pv: tt_pv, source });
        best_score
    }
}
