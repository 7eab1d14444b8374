//! The main search: principal variation search in numbered steps. Their order matters.

use super::history::{Histories, NO_MOVE, PieceTo, Quiet, QuietContext, piece_to};
use super::movepick::{Picker, Purpose, capture_score};
use super::params as p;
use super::worker::Worker;
use crate::mate;
use crate::table::{Entry, Source};
use arrayvec::ArrayVec;
use sabi_shogi::{Bound, CheckInfo, MAX_PLY, Move, NonPromotions, Score};

/// Node type, fixed at compile time.
pub(super) trait NodeType {
    /// PV node: open window, exact scores.
    const PV: bool;
    /// Root node.
    const ROOT: bool = false;
    /// Whether pruning, reductions and extensions apply. Tests compare the search without them with
    /// plain minimax.
    const SELECTIVE: bool = true;
    /// Type of the first child.
    type Child: NodeType;
    /// Type of a zero-window child, or of this node searched again with a zero window.
    type Scout: NodeType;
}

pub(super) struct Root;
pub(super) struct Pv;
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
    type Scout = NonPv;
}

impl NodeType for Pv {
    const PV: bool = true;
    type Child = Self;
    type Scout = NonPv;
}

impl NodeType for NonPv {
    const PV: bool = false;
    type Child = Self;
    type Scout = Self;
}

/// tt data of a node, mate scores counted from the root.
#[derive(Copy, Clone)]
pub(super) struct TtData {
    /// The tt move, if legal.
    pub mv: Option<Move>,
    /// Whether the tt move is a capture or a pawn promotion.
    pub tactical: bool,
    /// Score, bound and depth.
    pub searched: Option<(Score, Bound, i32)>,
}

/// Node state before its moves are tried.
#[derive(Copy, Clone)]
pub(super) struct NodeState {
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    pub ply: usize,
    pub cut_node: bool,
    pub in_check: bool,
    pub tt: TtData,
    /// Whether the position is or was on a principal variation.
    pub tt_pv: bool,
    /// Static eval as computed, without correction; `None` in check.
    pub raw_eval: Option<Score>,
    /// Corrected static eval; in check that of two plies before.
    pub static_eval: i32,
    /// Correction, in 1024ths of a centipawn.
    pub correction: i32,
    /// Static eval adjusted by the tt score, where its bound allows.
    pub eval: Score,
    pub improving: bool,
    pub opponent_worsening: bool,
}

/// A move before it is tried.
pub(super) struct Candidate {
    pub mv: Move,
    pub moved: PieceTo,
    pub tactical: bool,
    pub gives_check: bool,
}

/// The static eval, or the tt score where its bound is tighter.
#[inline]
pub(super) fn tt_adjusted(eval: Score, searched: Option<(Score, Bound, i32)>) -> Score {
    match searched {
        Some((score, bound, _)) if !score.is_decisive() && bound.allows_cutoff(score, eval) => score,
        _ => eval,
    }
}

/// Blend of a fail-high score with beta: `(8 * score * depth + 9 * beta) / (8 * depth + 9)`.
#[inline]
pub(super) fn fail_high_blend(score: Score, beta: Score, depth: i32) -> Score {
    if score.is_decisive() || beta.is_decisive() {
        return score;
    }
    Score::raw((8 * score.get() * depth + 9 * beta.get()) / (8 * depth + 9))
}

/// Moves tried before the best one; those beyond the capacity get no malus.
type Tried = ArrayVec<Move, 32>;

/// A mate in one is stored with this much additional depth.
const MATE_DEPTH_BONUS: i32 = 6;

impl Worker<'_> {
    /// Mate in one: stores it and updates the PV.
    pub(super) fn mate_in_one<N: NodeType>(
        &mut self,
        ply: usize,
        depth: i32,
        pv: bool,
        source: Source,
        info: &CheckInfo,
    ) -> Option<Score> {
        let mv = mate::mate_in_one(&self.position, info)?;
        let score = Score::mate_in(ply + 1);
        let depth = depth + MATE_DEPTH_BONUS;
        let bound = Some(Bound::Exact);
        self.store(ply, Entry { mv: Some(mv), score, eval: None, depth, bound, pv, source });
        if N::PV {
            self.pv(ply + 1).clear();
            self.update_pv(ply, mv);
        }
        Some(score)
    }

    /// Source of the entry of the node at `ply`.
    pub(super) fn source(&self, ply: usize) -> Source {
        if ply > 0 && self.position.last_move().is_none() { Source::NullMove } else { Source::Main }
    }

    /// Score of the position at `ply` searched to `depth`, between `alpha` and `beta`.
    pub(super) fn search<N: NodeType>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // Step 1. At depth 0, go to quiescence search.
        if depth <= 0 {
            return if N::SELECTIVE { self.quiescence::<N>(alpha, beta, ply) } else { self.horizon::<N>(ply) };
        }
        let mut depth = depth.min(MAX_PLY as i32 - 1);
        debug_assert!(alpha < beta && (N::PV || alpha + 1 == beta));
        debug_assert!(!(N::PV && cut_node));
        let us = self.position.side_to_move();
        let in_check = self.position.in_check();
        let prior_reduction = if N::ROOT { 0 } else { std::mem::take(&mut self.ss(ply - 1).reduction) };
        let ss = self.ss(ply);
        let excluded = ss.excluded;
        ss.in_check = in_check;
        ss.move_count = 0;
        ss.stat_score = 0;
        self.ss(ply + 1).excluded = None;
        self.ss(ply + 2).cutoffs = 0;
        if N::PV {
            self.pv(ply).clear();
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if N::ROOT {
            self.ss(ply + 1).cutoffs = 0;
            self.update_correction_indices(ply);
            self.root_window = beta.get() - alpha.get();
            let root = &self.root_moves[self.pv_index];
            self.last_pv.clone_from(&root.previous_line.as_ref().unwrap_or(&root.line).pv);
            self.ss(ply).on_last_pv = true;
        }
        self.poll();

        if !N::ROOT {
            // Step 2. Stop, rules, maximum ply.
            if self.is_halted() {
                return Score::ZERO;
            }
            if excluded.is_none()
                && let Some(score) = self.rule_score(ply)
            {
                return score;
            }
            if ply >= MAX_PLY - 1 {
                return if in_check { self.draw_value() } else { self.evaluate(depth) };
            }
            // Step 3. Mate distance pruning.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 4. Table probe: cutoff, or tt move and static eval.
        let info = self.position.check_info();
        let entry = self.probe(depth);
        let tt_move = if N::ROOT { Some(self.root_moves[self.pv_index].mv) } else { self.legal_move_of(entry) };
        let tt = TtData {
            mv: tt_move,
            tactical: tt_move.is_some_and(|mv| self.position.is_tactical(mv)),
            searched: entry.and_then(|e| Some((e.score.from_table(ply), e.bound?, e.depth))),
        };
        let ss = self.ss(ply);
        ss.tt_hit = entry.is_some();
        if excluded.is_none() {
            ss.tt_pv = N::PV || entry.is_some_and(|e| e.pv);
        }
        let tt_pv = ss.tt_pv;
        if !N::PV
            && excluded.is_none()
            && let Some((score, bound, tt_depth)) = tt.searched
            && bound.allows_cutoff(score, beta)
            && (tt_depth > depth - i32::from(score <= beta)
                && (cut_node == (score >= beta) || depth > p::TT_CUTOFF_ANY_NODE_DEPTH || tt_depth >= Entry::MAX_DEPTH)
                // Mate in one is the best score there is.
                || bound.is_lower() && score >= Score::mate_in(ply + 1))
        {
            if score >= beta
                && let Some(mv) = tt.mv
            {
                self.tt_cutoff_bonus(mv, tt.tactical, depth, ply);
            }
            return score;
        }

        // A mate proved by the solver is not searched: reports append its line.
        if N::PV
            && !N::ROOT
            && excluded.is_none()
            && let (Some(mv), Some((score, Bound::Exact, tt_depth))) = (tt.mv, tt.searched)
            && tt_depth >= Entry::MAX_DEPTH
            && score.is_mate_win()
        {
            self.pv(ply + 1).clear();
            self.update_pv(ply, mv);
            return score;
        }

        // Step 5. Mate in one. A tt hit implies that it was tried already.
        if N::SELECTIVE
            && !N::ROOT
            && !in_check
            && excluded.is_none()
            && entry.is_none()
            && let Some(score) = self.mate_in_one::<N>(ply, depth, tt_pv, self.source(ply), &info)
        {
            return score;
        }

        // Step 6. Static eval, corrected by the correction histories.
        let correction_indices = self.ss(ply).correction_indices;
        let correction = self.histories.corrections.value(&correction_indices);
        let raw_eval = match entry.and_then(|e| e.eval) {
            _ if in_check => None,
            Some(eval) => Some(eval),
            None => Some(self.evaluate(depth)),
        };
        let static_eval = match raw_eval {
            Some(_) if excluded.is_some() => self.ss(ply).static_eval,
            Some(raw) => self.corrected_eval(raw, correction),
            None => self.ss_before(ply, 2).static_eval,
        };
        self.ss(ply).static_eval = static_eval;
        let eval = tt_adjusted(Score::cp(static_eval), tt.searched.filter(|_| !in_check && excluded.is_none()));
        let improving = !in_check && static_eval > self.ss_before(ply, 2).static_eval;
        let opponent_worsening = static_eval > -self.ss_before(ply, 1).static_eval;
        if N::SELECTIVE && !N::ROOT && !in_check && excluded.is_none() {
            if entry.is_none() {
                // Store the static eval right away.
                let (score, depth, source) = (Score::ZERO, Entry::DEPTH_UNSEARCHED, self.source(ply));
                self.store(ply, Entry { mv: None, score, eval: raw_eval, depth, bound: None, pv: tt_pv, source });
            }
            self.eval_difference_bonus(ply, static_eval, entry.is_some());
            let gain = static_eval + self.ss_before(ply, 1).static_eval;
            depth += p::hindsight(depth, prior_reduction, opponent_worsening, gain);
        }

        let mut node = NodeState {
            alpha,
            beta,
            depth,
            ply,
            cut_node,
            in_check,
            tt,
            tt_pv,
            raw_eval,
            static_eval,
            correction,
            eval,
            improving,
            opponent_worsening,
        };

        // Steps 7 to 9. Razoring, reverse futility pruning, null move.
        if N::SELECTIVE
            && !N::PV
            && !in_check
            && let Some(score) = self.prune_node(&node, entry.is_some())
        {
            return score;
        }
        if N::SELECTIVE && !in_check {
            node.improving |= Score::cp(static_eval) >= beta;
        }
        let improving = node.improving;

        // Step 10. Internal iterative reduction: one ply less without a tt move.
        if N::SELECTIVE
            && !self.ss(ply).on_last_pv
            && (N::PV || cut_node)
            && depth >= p::INTERNAL_REDUCTION_DEPTH
            && tt.mv.is_none()
            && prior_reduction <= 3
        {
            depth -= 1;
            node.depth = depth;
        }

        // Step 11. ProbCut: a good capture that beats beta by a margin at lower depth will beat
        // beta.
        if N::SELECTIVE
            && !N::PV
            && let Some(score) = self.probcut(&node, &info)
        {
            return score;
        }

        // Step 12. Loop over the moves.
        let context = self.quiet_context(ply);
        // `searchmoves` may contain moves that the generator omits.
        let has_search_moves = N::ROOT && !self.shared.limits.search_moves.is_empty();
        let non_promotions = if has_search_moves { NonPromotions::All } else { self.shared.settings.non_promotions };
        let mut picker = Picker::new(&self.position, Purpose::Search, tt.mv, non_promotions);
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut move_count = 0;
        let (mut quiets, mut captures) = (Tried::new(), Tried::new());

        while let Some(mv) = picker.next(&self.position, self.histories, &context, &info) {
            if Some(mv) == excluded || N::ROOT && !self.is_root_move(mv) {
                continue;
            }
            move_count += 1;
            let piece = self.position.moved_piece_after(mv);
            let candidate = Candidate {
                mv,
                moved: piece.map_or(NO_MOVE, |piece| piece_to(piece, mv.to())),
                tactical: self.position.is_tactical(mv),
                gives_check: piece.is_some_and(|piece| info.is_check(mv, piece.kind())),
            };
            let Candidate { moved, tactical, .. } = candidate;
            let mut new_depth = depth - 1;
            let mut extension = 0;
            let window = beta.get() - alpha.get();
            let mut reduction = self.reductions.get(depth, move_count, improving, window, self.root_window);
            reduction += p::REDUCTION_TT_PV_BASE * i32::from(tt_pv);

            // Step 13. Pruning at shallow depth.
            let prunes = N::SELECTIVE && !best_score.is_loss() && !alpha.is_win();
            if prunes
                && (!N::ROOT || self.skips_late_root_moves())
                && move_count >= p::late_move_count(depth, improving)
            {
                picker.skip_quiets();
            }
            if prunes && !N::ROOT {
                let on_last_pv = N::PV && self.ss(ply).on_last_pv;
                let lmr_depth = new_depth - reduction / 1024;
                (node.alpha, node.depth) = (alpha, depth);
                if tactical || candidate.gives_check {
                    if self.skips_tactical(&candidate, &node, lmr_depth) {
                        continue;
                    }
                } else if !on_last_pv
                    && self.skips_quiet(&candidate, &node, &context, lmr_depth, best_move.is_none(), &mut best_score)
                {
                    continue;
                }
            }

            // Step 14. Singular extension of the tt move.
            if N::SELECTIVE
                && !N::ROOT
                && excluded.is_none()
                && Some(mv) == tt.mv
                && depth >= p::SINGULAR_DEPTH + i32::from(tt_pv)
                && ply < 2 * self.root_depth as usize
                && let Some((score, bound, tt_depth)) = tt.searched
                && bound.is_lower()
                && tt_depth >= depth - 3
                && !score.is_decisive()
            {
                let singular_beta = score - p::singular_beta_margin(depth, tt_pv && !N::PV);
                self.ss(ply).excluded = Some(mv);
                let value = self.search::<N::Scout>(singular_beta - 1, singular_beta, new_depth / 2, ply, cut_node);
                self.ss(ply).excluded = None;
                if self.is_halted() {
                    return Score::ZERO;
                }
                if value < singular_beta {
                    let tt_move_history = self.histories.tt_move.get();
                    let late = ply > self.root_depth as usize;
                    let below = (singular_beta.get() - value.get(), p::correction_margin(correction));
                    extension = p::singular_extension(below, N::PV, tt_pv, tactical, tt_move_history, late);
                    depth += 1;
                } else if value >= beta && !value.is_decisive() {
                    // Multi-cut: several moves beat beta.
                    self.histories.tt_move.add(p::multi_cut_malus(depth));
                    return value;
                } else if score >= beta {
                    extension = -3;
                } else if cut_node {
                    extension = -2;
                }
            }
            new_depth += extension;

            // Step 15. Make the move.
            let keys = self.keys_after(mv);
            let nodes_before = self.shared.counters[self.index].get();
            let stat_score = if tactical {
                capture_score(&self.position, self.histories, mv, moved)
            } else {
                self.histories.quiet_stat_score(Quiet { mv, moved }, &context)
            };
            let on_last_pv = self.ss(ply).on_last_pv && self.last_pv.get(ply) == Some(&mv);
            self.ss(ply + 1).on_last_pv = on_last_pv;
            let ss = self.ss(ply);
            ss.move_count = move_count;
            ss.stat_score = stat_score;
            self.play(mv, keys, ply);

            // Step 16. Reductions, in 1024ths of a ply.
            if tt_pv {
                let above = tt.searched.is_none_or(|(score, ..)| score > alpha);
                let deep = tt.searched.is_some_and(|(.., tt_depth)| tt_depth >= depth);
                reduction -= p::reduction_at_tt_pv(N::PV, above, deep, cut_node);
            }
            let cutoffs = self.ss(ply + 1).cutoffs;
            let all_node = !(N::PV || cut_node);
            reduction += p::reduction_of_node(move_count, correction, cut_node, tt.mv.is_none(), tt.tactical);
            reduction += p::reduction_after_cutoffs(cutoffs, all_node);
            reduction -= p::reduction_of_move(candidate.gives_check, !tactical && mv.from().is_none());
            if Some(mv) == tt.mv {
                reduction -= p::REDUCTION_TT_MOVE;
            }
            reduction -= p::reduction_by_stat_score(stat_score);
            if all_node {
                reduction += p::reduction_all_node(reduction, depth);
            }

            // Step 17. Late move reductions, and research.
            let mut score = -Score::INFINITE;
            if N::SELECTIVE && depth >= 2 && move_count > 1 {
                let reduced = (new_depth - reduction / 1024).min(new_depth + 2).max(1) + i32::from(N::PV);
                self.ss(ply).reduction = new_depth - reduced;
                score = -self.search::<N::Scout>(-(alpha + 1), -alpha, reduced, ply + 1, true);
                self.ss(ply).reduction = 0;
                if score > alpha {
                    new_depth += p::research_depth(reduced < new_depth, score.get() - best_score.get());
                    if new_depth > reduced {
                        score = -self.search::<N::Scout>(-(alpha + 1), -alpha, new_depth, ply + 1, !cut_node);
                    }
                    self.histories.update_continuation(moved, in_check, &context.cont_hist, p::POST_LMR_BONUS);
                }
            } else if !N::PV || move_count > 1 {
                let mut full_depth = new_depth;
                if N::SELECTIVE {
                    full_depth -= p::full_depth_reduction(reduction, tt.mv.is_none(), new_depth);
                }
                score = -self.search::<N::Scout>(-(alpha + 1), -alpha, full_depth, ply + 1, !cut_node);
            }

            // Step 18. PV search: the first move, and any that beats alpha at a PV node, with the
            // full window.
            if N::PV && (move_count == 1 || score > alpha) {
                self.pv(ply + 1).clear();
                // Extend a tt move with tt data that would drop into quiescence search.
                if Some(mv) == tt.mv
                    && tt.searched.is_some_and(|(tt_score, _, tt_depth)| tt_depth > i32::from(!tt_score.is_decisive()))
                {
                    new_depth = new_depth.max(1);
                }
                score = -self.search::<N::Child>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.undo();
            if self.is_halted() {
                return Score::ZERO;
            }

            // Step 19. Check for a new best move.
            if N::ROOT {
                self.update_root_move(mv, move_count, score, alpha, beta, nodes_before);
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.update_pv(ply, mv);
                    }
                    if score >= beta {
                        self.ss(ply).cutoffs += i32::from(extension < 2 || N::PV);
                        break;
                    }
                    alpha = score;
                    // Reduce the remaining moves: unlikely to improve further.
                    if N::SELECTIVE && depth > 2 && depth < p::ALPHA_RAISE_DEPTH && !score.is_decisive() {
                        depth -= 2;
                    }
                }
            }
            if Some(mv) != best_move {
                let tried = if tactical { &mut captures } else { &mut quiets };
                let _ = tried.try_push(mv);
            }
        }

        // Step 20. No legal move: mate. With an excluded move: fail low.
        if move_count == 0 {
            return if excluded.is_some() { alpha } else { Score::mated_in(ply) };
        }
        if N::SELECTIVE && !N::ROOT && best_score >= beta {
            best_score = fail_high_blend(best_score, beta, depth);
        }

        // Step 21. Update histories.
        if let Some(mv) = best_move {
            self.update_histories(mv, &NodeState { depth, ..node }, &context, &quiets, &captures);
            if !N::PV {
                self.histories.tt_move.add(if Some(mv) == tt.mv { 655 } else { -780 });
            }
        } else if !N::ROOT {
            self.prior_move_bonus(&NodeState { depth, ..node }, best_score);
            // All moves failed low: the prior move may have been best.
            let parent_pv = self.ss_before(ply, 1).tt_pv;
            self.ss(ply).tt_pv |= parent_pv;
        }
        if excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if N::PV && best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let (score, bound, pv, source) = (best_score, Some(bound), self.ss(ply).tt_pv, self.source(ply));
            self.store(ply, Entry { mv: best_move, score, eval: raw_eval, depth, bound, pv, source });
        }
        if !in_check
            && best_move.is_none_or(|mv| !self.position.is_tactical(mv))
            && (best_score.get() > static_eval) == best_move.is_some()
        {
            let error = best_score.get() - static_eval;
            self.histories
                .corrections
                .update(&correction_indices, p::correction_bonus(error, depth, best_move.is_some()));
        }
        debug_assert!(best_score.get().abs() <= Score::MATE.get() && us == self.position.side_to_move());
        best_score
    }

    /// Depth 0 of a search without selectivity: static eval or rule score.
    fn horizon<N: NodeType>(&mut self, ply: usize) -> Score {
        if N::PV {
            self.pv(ply).clear();
        }
        self.rule_score(ply).unwrap_or_else(|| self.evaluate(0))
    }

    /// History context of the quiet moves at `ply`.
    #[inline]
    pub(super) fn quiet_context(&self, ply: usize) -> QuietContext {
        QuietContext {
            color: self.position.side_to_move(),
            in_check: self.position.in_check(),
            ply,
            pawn_slot: Histories::pawn_slot(&self.position),
            cont_hist: self.cont_hist(ply),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fail_high_scores_are_blended() {
        let beta = Score::cp(100);
        assert_eq!(fail_high_blend(Score::cp(400), beta, 1), Score::cp(241));
        for depth in 0..40 {
            let shallow = fail_high_blend(Score::cp(400), beta, depth);
            let deep = fail_high_blend(Score::cp(400), beta, depth + 1);
            assert!(beta <= shallow && shallow <= deep && deep <= Score::cp(400));
            assert_eq!(fail_high_blend(beta, beta, depth), beta);
            assert_eq!(fail_high_blend(Score::mate_in(3), beta, depth), Score::mate_in(3));
        }
    }
}
