//! Useless interpositions (無駄合い).
//!
//! A useless interposition is a drop that blocks a check, is captured by the checker, and does not
//! delay the mate. By convention of composers such a drop and its capture do not count in the mate
//! length: a king with no other defence is mated.
//!
//! The length of an AND node is that of its longest other defence; a drop counts only if the mate
//! after its capture takes longer. In a search with a bound, a drop that lasts too long is
//! therefore set aside; when all other defences have failed, the position after its capture is
//! searched for a mate within the length of the rest.

use super::child::{Capture, Child, hand_after};
use super::estimate::{Estimate, Plies, longer};
use super::node_estimate::{self, checked_from_afar, may_be_useless};
use super::search::Search;
use sabi_shogi::{Move, PieceKind};

impl Search<'_> {
    /// The capture by the checker of the piece dropped by `mv`.
    pub(super) fn capture_of(&self, mv: Move) -> Option<Move> {
        let checker = checked_from_afar(&self.position).filter(|_| mv.is_drop())?;
        let piece = self.position.piece_at(checker)?;
        // Bishops and rooks still give check after promotion; a lance may not.
        let improves = matches!(piece.kind(), PieceKind::Bishop | PieceKind::Rook);
        let promotes =
            improves && (checker.in_promotion_zone(self.attacker) || mv.to().in_promotion_zone(self.attacker));
        Move::board(checker, mv.to(), promotes)
    }

    /// Estimate of an AND node from its children.
    pub(super) fn evasion_estimate(&mut self, bound: Plies, children: &mut [Child]) -> Estimate {
        let problem = self.problem;
        let is_set_aside =
            |child: &Child| child.capture.is_none() && problem && may_be_useless(child.mv, &child.estimate, bound);
        let mut saving = children.iter().filter(|child| child.estimate.is_disproof());
        if let Some((child, capture)) = saving.find_map(|child| Some((child, child.capture?))) {
            // The drop lasts beyond the bound, and the mate after its capture takes longer than
            // without.
            return Estimate::disproof(bound, self.hand(), child.estimate.loop_to.min(capture.loop_to));
        }
        let counted = children.iter().filter(|child| !is_set_aside(child));
        let estimate = node_estimate::and_node(&self.position, self.attacker, children, counted);
        if !estimate.is_proof() {
            return estimate;
        }
        let plies = self.length(children);
        let waiting: Vec<usize> = (0..children.len()).filter(|&at| is_set_aside(&children[at])).collect();
        if waiting.is_empty() {
            return Estimate { plies, ..estimate };
        }
        for at in waiting {
            children[at] = self.with_capture(&children[at], plies);
        }
        self.evasion_estimate(bound, children)
    }

    /// The child that searches for a mate in `bound` plies after the capture of its drop.
    fn with_capture(&mut self, child: &Child, bound: Plies) -> Child {
        let capture = self.capture_of(child.mv);
        self.play(child.mv);
        let mv = capture.filter(|&capture| self.position.is_legal(capture));
        let estimate = match mv {
            Some(mv) => {
                let key = self.position.keys_after(mv).board;
                let known = self.probe(key, hand_after(&self.position, mv), bound);
                known.unwrap_or(Estimate::open(1, 1))
            }
            None => child.estimate,
        };
        self.undo();
        Child { capture: Some(Capture { mv, bound, loop_to: child.estimate.loop_to }), estimate, ..*child }
    }

    /// The mate length when every defence fails: that of the longest that is not useless.
    fn length(&mut self, children: &[Child]) -> Plies {
        let length = |child: &Child| longer(child.estimate.plies);
        if !self.problem {
            return children.iter().map(length).max().unwrap_or(0);
        }
        let others = children.iter().filter(|child| !child.mv.is_drop());
        let mut longest = others.map(length).max().unwrap_or(0);
        let mut drops: Vec<&Child> = children
            .iter()
            .filter(|child| child.mv.is_drop() && child.capture.is_none() && child.estimate.is_proof())
            .collect();
        drops.sort_by_key(|child| child.estimate.plies);
        for child in drops {
            if length(child) > longest && !self.is_useless(child.mv, longest) {
                longest = length(child);
            }
        }
        longest
    }

    /// Whether the mate within `plies` after the capture of a drop is known.
    pub(super) fn is_useless(&mut self, mv: Move, plies: Plies) -> bool {
        let Some(capture) = self.capture_of(mv) else { return false };
        self.position.play(mv);
        let useless = self.position.is_legal(capture) && {
            self.position.play(capture);
            let mated = !sabi_shogi::has_legal_move(&self.position);
            let known = || self.table.probe(self.position.board_key(), self.hand(), plies);
            let useless = mated || known().is_some_and(|known| known.is_proof());
            self.position.undo();
            useless
        };
        self.position.undo();
        useless
    }
}
