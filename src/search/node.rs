//! The node of the main search: alpha-beta with a principal variation, in numbered steps whose order is their meaning.

use super::history::{Context, PieceTo};
use super::margins as m;
use super::params as p;
use super::picker::{Picker, Purpose};
use super::worker::Worker;
use crate::mate;
use crate::movegen::Promotions;
use crate::position::CheckInfo;
use crate::table::{Entry, Source};
use crate::types::{Bound, MAX_PLY, Move, PieceKind, Score};
use crate::util::StackVec;

/// What kind of node, fixed at compile time.
pub(super) trait NodeKind {
    /// Whether the window is open: a score inside it is exact.
    const PV: bool;
    /// Whether this is the root.
    const ROOT: bool;
    /// Whether some moves are left out or searched to another depth. Tests compare a search that does nothing of the kind with
    /// plain minimax.
    const SELECTIVE: bool;
    /// The kind of the first child.
    type Child: NodeKind;
    /// The kind of a child, or of this node searched again, with a closed window.
    type Scout: NodeKind;
}

pub(super) struct Root;
pub(super) struct Pv;
pub(super) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    const SELECTIVE: bool = true;
    type Child = Pv;
    type Scout = NonPv;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    const SELECTIVE: bool = true;
    type Child = Self;
    type Scout = NonPv;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    const SELECTIVE: bool = true;
    type Child = Self;
    type Scout = Self;
}

/// What is known of a node before its moves are tried.
#[derive(Copy, Clone)]
pub(super) struct Circumstances {
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    pub ply: usize,
    pub cut_node: bool,
    /// Whether the position is or was on a principal variation.
    pub was_pv: bool,
    /// The static evaluation, `None` in check.
    pub raw_eval: Option<Score>,
    /// The same, corrected.
    pub static_eval: Option<Score>,
    /// The same, or what the table knows better.
    pub eval: Score,
    pub improving: bool,
    pub table_move: Option<Move>,
    /// The move that led here, and those before it.
    pub last_moved: PieceTo,
    pub context: Context,
}

/// What is known of a move before it is tried.
pub(super) struct Candidate {
    pub mv: Move,
    pub moved: PieceTo,
    pub tactical: bool,
    pub gives_check: bool,
    /// The depth it would be searched to.
    pub reduced: i32,
    /// What earlier searches say about it.
    pub history: i32,
}

/// The evaluation, or the table's score where its bound says that it is nearer to the truth.
#[inline]
pub(super) fn better_known(eval: Score, table_score: Option<Score>, found: Option<Entry>) -> Score {
    match (table_score, found.and_then(|entry| entry.bound)) {
        (Some(score), Some(bound)) if !score.is_decisive() && bound.settles(score, eval) => score,
        _ => eval,
    }
}

/// A score beyond beta, drawn towards it, the less the deeper the search was.
#[inline]
pub(super) fn tempered(score: Score, beta: Score, depth: i32) -> Score {
    if score.is_decisive() || beta.is_decisive() {
        return score;
    }
    Score::raw((score.get() * depth + beta.get()) / (depth + 1))
}

/// Moves tried before the one that was right, to be punished.
type Tried = StackVec<Move, 64>;

/// What a node stores in the table, besides its score.
pub(super) struct Finding {
    pub mv: Option<Move>,
    pub eval: Option<Score>,
    pub depth: i32,
    pub bound: Option<Bound>,
    pub pv: bool,
    pub source: Source,
}

impl Worker<'_> {
    /// Stores what was found about the position at `ply`.
    #[inline]
    pub(super) fn store(&mut self, ply: usize, score: Score, finding: Finding) {
        let Finding { mv, eval, depth, bound, pv, source } = finding;
        let entry = Entry { mv, score: score.to_table(ply), eval, depth, bound, pv, source, generation: 0 };
        self.keep(&entry);
    }

    /// Mates in one, if that is possible: stores it and makes it the line of this node.
    pub(super) fn mate_at_once<N: NodeKind>(
        &mut self,
        ply: usize,
        eval: Option<Score>,
        pv: bool,
        info: &CheckInfo,
    ) -> Option<Score> {
        let mv = mate::mate_in_one(&self.position, info)?;
        let score = Score::mate_in(ply + 1);
        let (depth, bound) = (Entry::MAX_DEPTH, Some(Bound::Exact));
        self.store(ply, score, Finding { mv: Some(mv), eval, depth, bound, pv, source: self.source(ply) });
        if N::PV {
            self.frame(ply + 1).pv.clear();
            self.update_pv(ply, mv);
        }
        Some(score)
    }

    /// Whether the present line stands below a null move; its results are told apart in the table.
    fn source(&self, ply: usize) -> Source {
        if self.frame_before(ply, 0).excluded.is_some() {
            Source::Internal
        } else if ply > 0 && self.position.last_move().is_none() {
            Source::NullMove
        } else {
            Source::Main
        }
    }

    /// The value of the position at `ply`, searched `depth` plies deep, as far as it lies between `alpha` and `beta`.
    pub(super) fn search<N: NodeKind>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // Step 1. At the horizon quiescence search takes over.
        if depth <= 0 {
            return if N::SELECTIVE { self.quiescence::<N>(alpha, beta, 0, ply) } else { self.horizon(ply) };
        }
        debug_assert!(alpha < beta && (N::PV || alpha + 1 == beta));
        let us = self.position.side_to_move();
        let in_check = self.position.in_check();
        let excluded = self.frame(ply).excluded;
        self.frame(ply).pv.clear();
        self.frame(ply + 2).cutoffs = 0;
        if N::ROOT {
            self.frame(ply + 1).cutoffs = 0;
        }
        self.frame(ply + 1).killers = [None; 2];
        self.frame(ply + 1).excluded = None;
        if N::PV {
            self.seldepth = self.seldepth.max(ply + 1);
        }
        self.poll();

        if !N::ROOT {
            // Step 2. The end of time, of the rules, and of the board.
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
            // Step 3. Mate distance: no line from here can better a shorter mate already found.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 4. The table: a cutoff off the principal variation, or at least a move and an evaluation.
        let found = self.probe(depth);
        let table_score = found.filter(|e| e.bound.is_some()).map(|e| e.score.from_table(ply));
        let table_move = if N::ROOT { Some(self.root_moves[self.pv_index].mv()) } else { self.legal_move_of(found) };
        let was_pv = N::PV || found.is_some_and(|e| e.pv);
        if let (false, Some(entry), Some(score), None) = (N::PV, found, table_score, excluded)
            && entry.depth >= depth
            && entry.bound.is_some_and(|bound| bound.settles(score, beta))
        {
            if score >= beta
                && let Some(mv) = table_move
                && !self.position.is_tactical(mv)
            {
                let (moved, context) = (self.piece_to(mv), self.context(ply));
                self.histories.update_quiet(&self.position, mv, moved, &context, m::history_bonus(depth));
                if self.frame(ply - 1).number <= 3 {
                    self.praise_last_move(ply, -m::history_bonus(depth) * p::history_refuted() / 128);
                }
            }
            return score;
        }

        // A mate of the solver decides at every node; the reports give the whole of its line.
        if let (true, Some(entry), Some(score), Some(mv), None) =
            (N::PV && !N::ROOT, found, table_score, table_move, excluded)
            && entry.depth >= Entry::MAX_DEPTH
            && entry.bound == Some(Bound::Exact)
            && score.is_win()
        {
            self.frame(ply + 1).pv.clear();
            self.update_pv(ply, mv);
            return score;
        }

        // Step 5. The static evaluation, corrected by what search has shown in similar positions.
        let last_moved = self.frame_before(ply, 1).moved;
        let raw_eval = match found.and_then(|e| e.eval) {
            _ if in_check => None,
            Some(eval) => Some(eval),
            None => Some(self.evaluate(depth)),
        };
        let static_eval = raw_eval.map(|raw| self.corrected(raw, ply));
        self.frame(ply).static_eval = static_eval;
        let eval = static_eval.map_or(Score::ZERO, |eval| better_known(eval, table_score, found));
        let earlier = self.frame_before(ply, 2).static_eval.or(if ply >= 4 {
            self.frame_before(ply, 4).static_eval
        } else {
            None
        });
        let improving = match (static_eval, earlier) {
            (Some(now), Some(then)) => now > then,
            (Some(_), None) => true,
            (None, _) => false,
        };
        let info = self.position.check_info();

        if N::SELECTIVE && !N::ROOT && excluded.is_none() {
            depth += self.hindsight(depth, ply);
        }

        let node = Circumstances {
            alpha,
            beta,
            depth,
            ply,
            cut_node,
            was_pv,
            raw_eval,
            static_eval,
            eval,
            improving,
            table_move,
            last_moved,
            context: self.context(ply),
        };

        if N::SELECTIVE && !in_check && excluded.is_none() && !N::ROOT {
            if found.is_none() {
                // Step 6. A mate in one needs no search; and whatever happens here, the next visit need not evaluate again.
                if let Some(score) = self.mate_at_once::<N>(ply, raw_eval, was_pv, &info) {
                    return score;
                }
                let finding = Finding {
                    mv: None,
                    eval: raw_eval,
                    depth: Entry::MIN_DEPTH,
                    bound: None,
                    pv: was_pv,
                    source: self.source(ply),
                };
                self.store(ply, Score::ZERO, finding);
            }
            if !N::PV
                && let Some(score) = self.prune_node(&node)
            {
                return score;
            }
        }

        // Step 11. Without a move from the table the node is worth less effort; the next visit will have one.
        if N::SELECTIVE && depth >= m::INTERNAL_REDUCTION_DEPTH && table_move.is_none() && (N::PV || cut_node) {
            depth -= 1;
        }

        // Step 12. ProbCut: when a good capture beats beta by far at lower depth, it will beat beta.
        let probcut_beta = beta + m::probcut(improving);
        if N::SELECTIVE
            && !N::PV
            && !in_check
            && excluded.is_none()
            && depth >= m::PROBCUT_DEPTH
            && !beta.is_decisive()
            && !found.zip(table_score).is_some_and(|(e, score)| e.depth >= depth - 3 && score < probcut_beta)
            && let Some(score) = self.probcut(probcut_beta, &Circumstances { depth, ..node }, &info)
        {
            return score;
        }

        // The same when the table already knows a bound that far beyond beta.
        let far_beta = beta + p::probcut_table_margin();
        if N::SELECTIVE
            && !N::PV
            && excluded.is_none()
            && !beta.is_decisive()
            && let (Some(entry), Some(score)) = (found, table_score)
            && entry.bound.is_some_and(Bound::is_lower)
            && entry.depth >= depth - 4
            && score >= far_beta
            && !score.is_decisive()
        {
            return far_beta;
        }

        // Step 13. The moves, best first.
        let context = node.context;
        let killers = self.frame(ply).killers;
        let refutations = [killers[0], killers[1], self.histories.counter(last_moved)];
        // At the root the user may have asked for moves that search would leave out.
        let promotions = if N::ROOT { Promotions::All } else { self.shared.settings.promotions };
        let mut picker = Picker::new(&self.position, Purpose::Search, table_move, refutations, context, promotions);
        let table_move_is_capture = table_move.is_some_and(|mv| self.position.is_capture(mv));
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let (mut quiets, mut captures) = (Tried::new(), Tried::new());

        while let Some(mv) = picker.next(&self.position, self.histories, &info) {
            if Some(mv) == excluded || N::ROOT && !self.root_moves[self.pv_index..].iter().any(|root| root.mv() == mv) {
                continue;
            }
            number += 1;
            self.prefetch(mv);
            let tactical = self.position.is_tactical(mv);
            let gives_check = self.position.gives_check(mv, &info);
            let moved = self.piece_to(mv);
            let history = if tactical {
                self.histories.capture(moved, self.taken(mv))
            } else {
                self.histories.quiet(&self.position, mv, moved, &context)
            };
            let mut reduction = self.reductions.get(depth, number);
            let mut new_depth = depth - 1;

            // Step 14. Moves that will hardly matter are not even played.
            if N::SELECTIVE && !N::ROOT && !best_score.is_losing() {
                if number >= m::late_move_count(depth, improving) {
                    picker.skip_quiets();
                }
                let reduced = (new_depth - reduction / 1024).max(0);
                let candidate = Candidate { mv, moved, tactical, gives_check, reduced, history };
                if self.is_futile(&candidate, &Circumstances { alpha, depth, ..node }) {
                    continue;
                }
            }

            // Step 15. Extensions: a table move much better than all others, and checks that cost nothing.
            if N::SELECTIVE
                && !N::ROOT
                && excluded.is_none()
                && Some(mv) == table_move
                && depth >= m::SINGULAR_DEPTH
                && ply < 2 * self.root_depth as usize
                && let (Some(entry), Some(score)) = (found, table_score)
                && entry.depth >= depth - 3
                && entry.bound.is_some_and(Bound::is_lower)
                && !score.is_decisive()
            {
                let target = score - m::singular(depth);
                self.frame(ply).excluded = Some(mv);
                let others = self.search::<N::Scout>(target - 1, target, new_depth / 2, ply, cut_node);
                self.frame(ply).excluded = None;
                if self.is_halted() {
                    return Score::ZERO;
                }
                if others < target {
                    new_depth += 1;
                    if !N::PV && others < target - p::double_extension_margin() {
                        new_depth += 1;
                    }
                } else if others >= beta && !others.is_decisive() {
                    // Several moves beat beta: one of them will do.
                    return others;
                } else if score >= beta {
                    new_depth -= 2;
                } else if cut_node {
                    new_depth -= 1;
                }
            } else if N::SELECTIVE
                && gives_check
                && depth < p::check_extension_depth()
                && ply < 2 * self.root_depth as usize
                && self.position.see_at_least(mv, 0)
            {
                new_depth += 1;
            }

            // Step 16. Play.
            let nodes_before = self.shared.counters[self.index].get();
            self.frame(ply).number = number;
            self.play(mv, ply);

            // Step 17. Late moves are searched less deep, and again if they surprise.
            let mut score = -Score::INFINITE;
            let full_window;
            if N::SELECTIVE && depth >= 2 && number > 1 + i32::from(N::ROOT) && !(was_pv && tactical && number < 4) {
                reduction -= p::reduction_pv() * i32::from(was_pv);
                reduction += p::reduction_cut() * i32::from(cut_node);
                reduction += p::reduction_no_table_move() * i32::from(cut_node && table_move.is_none());
                reduction += p::reduction_not_improving() * i32::from(!improving);
                reduction += p::reduction_table_capture() * i32::from(table_move_is_capture && !tactical);
                reduction -= p::reduction_refutation() * i32::from(refutations.contains(&Some(mv)));
                reduction -= p::reduction_check() * i32::from(gives_check);
                reduction += p::reduction_cutoffs() * i32::from(self.frame(ply + 1).cutoffs > 3);
                reduction -= history * 1024 / p::reduction_history_divisor();
                if tactical {
                    reduction -= reduction / 3;
                }
                let shallow = (new_depth - reduction / 1024).clamp(1, new_depth.max(1) + i32::from(N::PV));
                self.frame(ply).reduction = new_depth - shallow;
                score = -self.search::<N::Scout>(-(alpha + 1), -alpha, shallow, ply + 1, true);
                self.frame(ply).reduction = 0;
                if score > alpha && shallow < new_depth {
                    if !N::ROOT {
                        new_depth += i32::from(score > best_score + 60) - i32::from(score < best_score + new_depth);
                    }
                    if shallow < new_depth {
                        score = -self.search::<N::Scout>(-(alpha + 1), -alpha, new_depth, ply + 1, !cut_node);
                    }
                    let bonus = if score > alpha { m::history_bonus(depth) } else { -m::history_bonus(depth) } / 2;
                    if !tactical {
                        self.histories.update_continuation(moved, &context, bonus);
                    }
                }
                full_window = N::PV && score > alpha;
            } else if !N::PV || number > 1 {
                score = -self.search::<N::Scout>(-(alpha + 1), -alpha, new_depth, ply + 1, !cut_node);
                full_window = N::PV && score > alpha;
            } else {
                full_window = true;
            }

            // Step 18. The first move, and any that beats alpha on the principal variation, gets the open window.
            if full_window {
                self.frame(ply + 1).pv.clear();
                score = -self.search::<N::Child>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.undo();
            if self.is_halted() {
                return Score::ZERO;
            }

            // Step 19. What it means.
            if N::ROOT {
                self.update_root_move(mv, number, score, alpha, beta, nodes_before);
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.update_pv(ply, mv);
                    }
                    if score >= beta {
                        self.frame(ply).cutoffs += 1;
                        break;
                    }
                    alpha = score;
                    // What follows will hardly be better still.
                    if N::SELECTIVE && depth > 2 && depth < 12 && !score.is_decisive() {
                        depth -= 1;
                    }
                }
            }
            if Some(mv) != best_move {
                let tried = if tactical { &mut captures } else { &mut quiets };
                if tried.len() < 64 {
                    tried.push(mv);
                }
            }
        }

        // Step 20. No legal move: mate, by drops alone or not. With a move left out the table's score stands.
        if number == 0 {
            return if excluded.is_some() { alpha } else { Score::mated_in(ply) };
        }

        // A shallow search that says how far beyond beta it is does not know that well.
        if N::SELECTIVE && !N::ROOT && best_score >= beta {
            best_score = tempered(best_score, beta, depth);
        }

        // Step 21. Learn from it.
        if let Some(mv) = best_move {
            self.learn(mv, &Circumstances { depth, ..node }, &quiets, &captures);
        } else if !N::ROOT {
            self.praise_last_move(ply, m::history_bonus(depth) * p::history_unrefuted() / 128);
        }
        if excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if N::PV && best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let finding = Finding {
                mv: best_move,
                eval: raw_eval,
                depth,
                bound: Some(bound),
                pv: was_pv,
                source: self.source(ply),
            };
            self.store(ply, best_score, finding);
            let quiet = best_move.is_none_or(|mv| !self.position.is_tactical(mv));
            if let Some(eval) = static_eval
                && quiet
                && !best_score.is_decisive()
                && bound.settles(best_score, eval)
            {
                let error = best_score.get() - eval.get();
                self.histories.corrections.learn(&self.position, &context, depth, error);
            }
        }
        debug_assert!(best_score.get().abs() <= Score::MATE.get() && us == self.position.side_to_move());
        best_score
    }

    /// Step 1 of a search that is not selective: the evaluation, or what a rule says.
    fn horizon(&mut self, ply: usize) -> Score {
        self.frame(ply).pv.clear();
        self.rule_score(ply).unwrap_or_else(|| self.evaluate(0))
    }

    /// Step 21: rewards the move that was right and punishes those tried before it.
    fn learn(&mut self, best: Move, node: &Circumstances, quiets: &[Move], captures: &[Move]) {
        let Circumstances { context, last_moved, ply, depth, .. } = node;
        let bonus = m::history_bonus(*depth);
        if self.position.is_tactical(best) {
            let (moved, taken) = (self.piece_to(best), self.taken(best));
            self.histories.update_capture(moved, taken, bonus);
        } else {
            let moved = self.piece_to(best);
            self.histories.update_quiet(&self.position, best, moved, context, bonus);
            for (at, &mv) in quiets.iter().enumerate() {
                let moved = self.piece_to(mv);
                let share = (128 - p::history_malus_decay() * at as i32).max(32);
                self.histories.update_quiet(&self.position, mv, moved, context, -bonus * share / 128);
            }
            let killers = &mut self.frame(*ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            self.histories.set_counter(*last_moved, best);
        }
        for &mv in captures {
            let (moved, taken) = (self.piece_to(mv), self.taken(mv));
            self.histories.update_capture(moved, taken, -bonus);
        }
    }

    /// The kind a tactical move takes; a pawn promotion counts as taking a pawn.
    fn taken(&self, mv: Move) -> PieceKind {
        self.position.piece_at(mv.to()).map_or(PieceKind::Pawn, |piece| piece.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_beyond_beta_are_drawn_towards_it() {
        let beta = Score::cp(100);
        assert_eq!(tempered(Score::cp(400), beta, 1), Score::cp(250));
        for depth in 0..40 {
            let (shallow, deep) = (tempered(Score::cp(400), beta, depth), tempered(Score::cp(400), beta, depth + 1));
            assert!(beta <= shallow && shallow <= deep && deep <= Score::cp(400));
            assert_eq!(tempered(beta, beta, depth), beta);
            assert_eq!(tempered(Score::mate_in(3), beta, depth), Score::mate_in(3));
        }
    }
}
