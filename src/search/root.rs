//! Root moves within the search.

use super::worker::Worker;
use sabi_shogi::{Bound, Move, Score};

impl Worker<'_> {
    /// Whether a root move is searched for the current line: in `searchmoves`, and not the move of
    /// a better line.
    pub(super) fn is_root_move(&self, mv: Move) -> bool {
        self.pv_index == 0 && self.shared.limits.search_moves.is_empty()
            || self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv)
    }

    /// Whether late quiet moves are skipped at the root: in the first iteration of a short search,
    /// of which it takes most nodes (self-play).
    pub(super) fn skips_late_root_moves(&self) -> bool {
        self.root_depth == 1 && self.shared.is_short()
    }

    /// Updates the root move searched as `number`th with this window.
    pub(super) fn update_root_move(
        &mut self,
        mv: Move,
        number: i32,
        score: Score,
        alpha: Score,
        beta: Score,
        nodes_before: u64,
    ) {
        let nodes = self.shared.counters[self.index].get() - nodes_before;
        let (depth, seldepth) = (self.root_depth, self.seldepth);
        if number > 1 && score > alpha && self.pv_index == 0 {
            self.shared.best_move_changes[self.index].increment();
        }
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        root.nodes += nodes;
        root.add_score(score);
        let line = &mut root.line;
        line.proved = false;
        if number > 1 && score <= alpha {
            // Not better than the best: keep its place in the order.
            line.score = -Score::INFINITE;
            return;
        }
        (line.score, line.depth, line.seldepth) = (score, depth, seldepth);
        line.bound = match score {
            _ if score >= beta => Bound::Lower,
            _ if score <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        // A fail-high line is short: append the last line if it starts with the same move.
        let rest = &self.pvs[1];
        if line.bound == Bound::Exact || rest.len() >= line.pv.len() {
            line.pv.clear();
            line.pv.push(mv);
            line.pv.extend(rest.iter());
        }
    }
}
