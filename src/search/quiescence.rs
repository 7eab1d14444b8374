//! Quiescence search: captures, promotions and a few checks, until the evaluation can be believed.

use super::margins as m;
use super::node::{Finding, NodeKind, better_known, tempered};
use super::params as p;
use super::picker::{Picker, Purpose};
use super::worker::Worker;
use crate::table::Source;
use crate::types::{Bound, MAX_PLY, Move, Score};

impl Worker<'_> {
    /// The value of the position at `ply` once the noise is over. `depth` is 0 at the horizon, where quiet checks are tried,
    /// and negative behind it.
    pub(super) fn quiescence<N: NodeKind>(&mut self, mut alpha: Score, beta: Score, depth: i32, ply: usize) -> Score {
        // Step 1. The end of time, of the rules, and of the board.
        self.frame(ply).pv.clear();
        self.poll();
        if self.is_halted() {
            return Score::ZERO;
        }
        if N::PV {
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if let Some(score) = self.rule_score(ply) {
            return score;
        }
        let in_check = self.position.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { self.draw_value() } else { self.evaluate(0) };
        }

        // Step 2. The table.
        let found = self.probe(0);
        let table_score = found.filter(|e| e.bound.is_some()).map(|e| e.score.from_table(ply));
        let stored_depth = if in_check || depth >= 0 { 0 } else { -1 };
        if let (false, Some(entry), Some(score)) = (N::PV, found, table_score)
            && entry.depth >= stored_depth
            && entry.bound.is_some_and(|bound| bound.settles(score, beta))
        {
            return score;
        }
        let was_pv = N::PV || found.is_some_and(|e| e.pv);

        // Step 3. Standing pat: the side to move need not take anything.
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut raw_eval = None;
        let mut futility = -Score::INFINITE;
        if !in_check {
            let raw = found.and_then(|e| e.eval).unwrap_or_else(|| self.evaluate(0));
            raw_eval = Some(raw);
            let eval = self.corrected(raw, ply);
            self.frame(ply).static_eval = Some(eval);
            best_score = better_known(eval, table_score, found);
            if best_score >= beta {
                if found.is_none() {
                    let finding = Finding {
                        mv: None,
                        eval: raw_eval,
                        depth: stored_depth,
                        bound: Some(Bound::Lower),
                        pv: was_pv,
                        source: Source::Quiescence,
                    };
                    self.store(ply, best_score, finding);
                }
                return best_score;
            }
            // Step 4. A mate in one needs no search.
            if depth == 0
                && found.is_none()
                && let Some(score) = self.mate_at_once::<N>(ply, raw_eval, was_pv, &self.position.check_info())
            {
                return score;
            }
            alpha = alpha.max(best_score);
            futility = best_score + p::quiescence_futility();
        } else {
            self.frame(ply).static_eval = None;
        }

        // Step 5. Captures, promotions and, at the horizon, checks; every answer when in check.
        let purpose = if depth >= 0 { Purpose::QuiescenceWithChecks } else { Purpose::Quiescence };
        let table_move = self.legal_move_of(found);
        let info = self.position.check_info();
        let context = self.context(ply);
        let promotions = self.shared.settings.promotions;
        let mut picker = Picker::new(&self.position, purpose, table_move, [None; 3], context, promotions);
        let recapture = self.position.last_move().map(Move::to);
        let mut number = 0;
        while let Some(mv) = picker.next(&self.position, self.histories, &info) {
            number += 1;
            self.prefetch(mv);
            let gives_check = self.position.gives_check(mv, &info);
            let tactical = self.position.is_tactical(mv);
            if !best_score.is_losing() {
                if in_check {
                    // Of many quiet answers the first few show whether the check can be met.
                    if !tactical && number > m::QUIESCENCE_EVASIONS {
                        break;
                    }
                } else {
                    // Step 6. What cannot raise alpha, or loses material, is not tried.
                    if !gives_check {
                        let promise = futility + self.position.material_swing(mv);
                        if promise <= alpha {
                            best_score = best_score.max(promise);
                            continue;
                        }
                    }
                    let retakes = recapture == Some(mv.to());
                    if number > m::QUIESCENCE_MOVES && !gives_check && !retakes || !self.position.see_at_least(mv, 0) {
                        continue;
                    }
                }
            }
            self.play(mv, ply);
            let score = -self.quiescence::<N>(-beta, -alpha, depth - 1, ply + 1);
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

        // Step 7. In check every move was looked at, so none means mate.
        if in_check && number == 0 {
            return Score::mated_in(ply);
        }
        if best_score >= beta {
            best_score = tempered(best_score, beta, 1);
        }
        let finding = Finding {
            mv: best_move,
            eval: raw_eval,
            depth: stored_depth,
            bound: Some(if best_score >= beta { Bound::Lower } else { Bound::Upper }),
            pv: was_pv,
            source: Source::Quiescence,
        };
        self.store(ply, best_score, finding);
        best_score
    }
}
