//! Quiescence search: captures, and all evasions in check.

use super::margins as m;
use super::node::{NodeType, fail_high_blend, tt_adjusted};
use super::params as p;
use super::picker::{Picker, Purpose};
use super::worker::Worker;
use crate::table::{Entry, Source};
use sabi_shogi::{Bound, MAX_PLY, Move, Score};

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
                    if move_count > m::QUIESCENCE_MOVES {
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
