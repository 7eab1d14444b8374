//! The proof search: depth-first proof-number search (df-pn, Nagai 2002) with the 1+ε trick
//! (Pawlewicz and Lew, "Improving Depth-First PN-Search: 1+ε Trick", 2007).
//!
//! A node is searched with a bound: is there a mate within this many plies, or of any length? First
//! any mate is searched, then shorter ones until there is none.
//!
//! Useless interpositions (無駄合い) need not count. A useless interposition is a drop that blocks a
//! check, is captured by the checker, and does not delay the mate. By convention of composers such
//! a drop and its capture do not count in the mate length: a king with no other defence is mated.
//!
//! The length of an AND node is that of its longest other defence; a drop counts only if the mate
//! after its capture takes longer. In a search with a bound, a drop that lasts too long is
//! therefore set aside; when all other defences have failed, the position after its capture is
//! searched for a mate within the length of the rest.

use super::estimate::{
    Capture, Child, ENDLESS, Estimate, INFINITE, NO_LOOP, Plies, and_node, checked_from_afar, hand_after, longer,
    may_be_useless, or_node, shorter, withheld,
};
use super::initial_proof_after;
use super::table::{PathTable, Table};
use crate::machine::MAX_MATE_DEPTH;
use arrayvec::ArrayVec;
use sabi_shogi::{
    CheckInfo, Color, Hand, MAX_MOVES, Move, MoveList, NonPromotions, PieceKind, Position, checking_moves,
    has_legal_move, legal_moves,
};
use std::collections::HashMap;

/// Nodes between calls of `poll`.
const POLL_INTERVAL: u64 = 256;

/// Thresholds of proof and disproof number.
#[derive(Copy, Clone, Debug)]
struct Thresholds {
    pn: u32,
    dn: u32,
}

/// Called at intervals with nodes and table fill in permille; false stops the search.
pub(super) type Poll<'a> = &'a mut dyn FnMut(u64, u32) -> bool;

/// Proof search of one root.
pub(super) struct Search<'a> {
    pub position: Position,
    pub attacker: Color,
    pub table: &'a mut Table,
    lines: &'a mut PathTable,
    path: Path,
    /// Whether useless interpositions do not count.
    pub problem: bool,
    pub nodes: u64,
    /// Node limit.
    pub nodes_limit: u64,
    interrupted: bool,
    /// Whether a line was cut off at [`MAX_MATE_DEPTH`].
    pub too_deep: bool,
    /// Positions that occurred three times before the root, with the attacker's hand: a fourth time
    /// is not a mate.
    repeated_thrice: Vec<(u64, Hand)>,
    /// Pool of child lists.
    spare: Vec<Vec<Child>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(position: &Position, table: &'a mut Table, lines: &'a mut PathTable, problem: bool) -> Self {
        let attacker = position.side_to_move();
        Self {
            position: position.clone(),
            attacker,
            table,
            lines,
            path: Path::new(position.board_key(), position.hand(attacker)),
            problem,
            nodes: 0,
            nodes_limit: u64::MAX,
            interrupted: false,
            too_deep: false,
            repeated_thrice: repeated_thrice(position),
            spare: Vec::new(),
        }
    }

    /// The attacker's hand.
    pub(super) fn hand(&self) -> Hand {
        self.position.hand(self.attacker)
    }

    pub(super) fn play(&mut self, mv: Move) {
        self.position.play(mv);
        self.path.push(self.position.board_key(), self.hand());
    }

    pub(super) fn undo(&mut self) {
        self.position.undo();
        self.path.pop();
    }

    /// Searches the current position until proved or disproved.
    pub(super) fn solve(&mut self, bound: Plies, poll: Poll<'_>) -> Estimate {
        self.search(Thresholds { pn: INFINITE, dn: INFINITE }, bound, poll)
    }

    /// Searches the current position until proved, disproved, or beyond the thresholds.
    fn search(&mut self, thresholds: Thresholds, bound: Plies, poll: Poll<'_>) -> Estimate {
        let before = self.nodes;
        self.nodes += 1;
        self.interrupted |= self.nodes >= self.nodes_limit;
        if self.table.is_full() {
            let (nodes, fill) = (self.nodes, self.table.fill());
            self.interrupted |= !self.table.make_room(&mut || poll(nodes, fill));
        }
        if self.nodes.is_multiple_of(POLL_INTERVAL) {
            self.interrupted |= !poll(self.nodes, self.table.fill());
        }
        let mut children = self.spare.pop().unwrap_or_default();
        let attacking = self.position.side_to_move() == self.attacker;
        if attacking {
            self.generate_checks(bound, &mut children);
        } else {
            self.generate_evasions(bound, &mut children);
        }
        let estimate = loop {
            let estimate = if attacking {
                or_node(&self.position, self.hand(), &children)
            } else {
                self.evasion_estimate(bound, &mut children)
            };
            let reached = estimate.pn >= thresholds.pn || estimate.dn >= thresholds.dn;
            if estimate.is_final() || reached || self.interrupted {
                break estimate;
            }
            let Some((at, limits)) = select(&children, &estimate, thresholds, attacking) else { break estimate };
            let Child { mv, capture, .. } = children[at];
            self.play(mv);
            children[at].estimate = match capture.and_then(|capture| Some((capture.mv?, capture.bound))) {
                None => self.search(limits, shorter(bound), poll),
                Some((capture, bound)) => {
                    self.play(capture);
                    let estimate = self.search(limits, bound, poll);
                    self.undo();
                    estimate
                }
            };
            self.undo();
        };
        children.clear();
        self.spare.push(children);
        self.store(&estimate, bound, self.nodes - before);
        estimate
    }

    fn store(&mut self, estimate: &Estimate, bound: Plies, work: u64) {
        let (key, hand) = (self.position.board_key(), self.hand());
        if estimate.is_disproof() && estimate.loop_to < self.path.depth() {
            self.lines.store(self.path.hash(), bound, estimate.loop_to);
        } else {
            // A disproof that depends on a repetition of this position itself holds on every path.
            self.table.store(key, hand, &Estimate { loop_to: NO_LOOP, ..*estimate }, work);
        }
    }

    /// Known estimate of a child position.
    fn probe(&self, key: u64, hand: Hand, bound: Plies) -> Option<Estimate> {
        if let Some(loop_to) = self.path.repeats(key, hand) {
            return Some(Estimate::disproof(ENDLESS, hand, loop_to));
        }
        if self.repeated_thrice.contains(&(key, hand)) {
            // It holds for this hand alone, and disproofs in the table hold for smaller ones too.
            return Some(Estimate::disproof(ENDLESS, hand, 0));
        }
        let known = self.table.probe(key, hand, bound);
        if known.is_some_and(|known| known.is_final()) {
            return known;
        }
        let on_path = self.lines.probe(self.path.hash_with(key, hand), bound);
        on_path.map(|loop_to| Estimate::disproof(bound, hand, loop_to)).or(known)
    }

    /// Keys after the moves, prefetched.
    fn keys_after(&self, moves: &MoveList) -> ArrayVec<u64, MAX_MOVES> {
        let key_after = |&mv: &Move| {
            let key = self.position.keys_after(mv).board;
            self.table.prefetch(key);
            key
        };
        moves.iter().map(key_after).collect()
    }

    /// Generates the checks. A mate ends the list.
    ///
    /// Not inlined: the move list would take stack at every ply.
    #[inline(never)]
    fn generate_checks(&mut self, bound: Plies, children: &mut Vec<Child>) {
        if self.path.depth() >= MAX_MATE_DEPTH {
            self.too_deep = true;
            return;
        }
        let info = self.position.check_info();
        let mut checks = MoveList::new();
        checking_moves(&self.position, &info, NonPromotions::All, &mut checks);
        let keys = self.keys_after(&checks);
        for (&mv, &key) in checks.iter().zip(&keys) {
            let hand = hand_after(&self.position, mv);
            let known = self.probe(key, hand, shorter(bound));
            let estimate = known.unwrap_or_else(|| self.first_estimate(mv, hand, shorter(bound), &info));
            // The non-promotion is searched only after the promotion fails.
            let twin = |child: &Child| (child.mv.from(), child.mv.to()) == (mv.from(), mv.to());
            let after = if mv.is_drop() { None } else { children.iter().position(twin) };
            children.push(Child { mv, capture: None, after: after.map(|at| at as u16), estimate });
            if estimate.is_proof() && estimate.plies == 0 {
                break;
            }
        }
    }

    /// Estimate of the position after a check, with the attacker's `hand` there.
    fn first_estimate(&self, mv: Move, hand: Hand, bound: Plies, info: &CheckInfo) -> Estimate {
        let king = self.position.king(!self.attacker);
        let beside = king.is_some_and(|king| sabi_shogi::king_attacks(king).has(mv.to()));
        let itself =
            self.position.moved_piece_after(mv).is_some_and(|piece| info.check_squares(piece.kind()).has(mv.to()));
        // No interposition is possible (a double check only helps).
        let from_near = beside && itself;
        let proof_number = initial_proof_after(&self.position, mv);
        if proof_number == 0 {
            let needed = if from_near { Hand::EMPTY } else { withheld(&self.position, self.attacker, hand) };
            Estimate::proof(0, needed)
        } else if bound == 0 && (from_near || !self.problem) {
            Estimate::disproof(0, hand, NO_LOOP)
        } else {
            Estimate::open(1 + proof_number, 1)
        }
    }

    /// Generates the evasions. A refutation ends the list.
    #[inline(never)]
    fn generate_evasions(&mut self, bound: Plies, children: &mut Vec<Child>) {
        let hand = self.hand();
        let answers = legal_moves(&self.position);
        let keys = self.keys_after(&answers);
        for (&mv, &key) in answers.iter().zip(&keys) {
            let estimate = if shorter(bound) < 1 {
                Estimate::disproof(0, hand, NO_LOOP)
            } else {
                self.probe(key, hand, shorter(bound)).unwrap_or(Estimate::open(1, 1))
            };
            // Drops on the same square are searched one after the other.
            let same_square = |child: &Child| child.mv.is_drop() && child.mv.to() == mv.to();
            let after = if mv.is_drop() { children.iter().rposition(same_square) } else { None };
            children.push(Child { mv, capture: None, after: after.map(|at| at as u16), estimate });
            if estimate.is_disproof() && !(self.problem && may_be_useless(mv, &estimate, bound)) {
                break;
            }
        }
    }
}

/// Useless interpositions.
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
    fn evasion_estimate(&mut self, bound: Plies, children: &mut [Child]) -> Estimate {
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
        let estimate = and_node(&self.position, self.attacker, children, counted);
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
            let mated = !has_legal_move(&self.position);
            let known = || self.table.probe(self.position.board_key(), self.hand(), plies);
            let useless = mated || known().is_some_and(|known| known.is_proof());
            self.position.undo();
            useless
        };
        self.position.undo();
        useless
    }
}

/// The most-proving child, and its thresholds.
fn select(children: &[Child], node: &Estimate, limits: Thresholds, attacking: bool) -> Option<(usize, Thresholds)> {
    // Cost for the side to move.
    let cost = |child: &Child| if attacking { child.estimate.pn } else { child.estimate.dn };
    let mut best: Option<(usize, u32)> = None;
    let mut second = INFINITE;
    for (at, child) in children.iter().enumerate() {
        if child.estimate.is_final() || !child.is_active(children) {
            continue;
        }
        let cost = cost(child);
        match best {
            Some((_, least)) if cost >= least => second = second.min(cost),
            _ => {
                second = best.map_or(INFINITE, |(_, least)| least);
                best = Some((at, cost));
            }
        }
    }
    let (at, _) = best?;
    let child = &children[at].estimate;
    // A little above the second best, to reduce switching (1+ε).
    let beyond = second.saturating_add(second / 4).saturating_add(1);
    let rest = |limit: u32, sum: u32, own: u32| {
        if limit == INFINITE { INFINITE } else { limit - (sum - own.min(sum)).min(limit) }
    };
    let limits = if attacking {
        Thresholds { pn: limits.pn.min(beyond), dn: rest(limits.dn, node.dn, child.dn) }
    } else {
        Thresholds { pn: rest(limits.pn, node.pn, child.pn), dn: limits.dn.min(beyond) }
    };
    Some((at, limits))
}

/// A position on the path.
struct Step {
    key: u64,
    hand: Hand,
    /// Hash of the path up to here.
    hash: u64,
}

/// Positions from the root to the current node.
struct Path {
    steps: Vec<Step>,
    /// Number of path keys in each class: 0 means the position is not on the path.
    classes: Box<[u16; CLASSES]>,
}

const CLASSES: usize = 1 << 11;

const fn class(key: u64) -> usize {
    key as usize % CLASSES
}

impl Path {
    /// A path of one position.
    fn new(key: u64, hand: Hand) -> Self {
        let mut path = Self { steps: Vec::new(), classes: Box::new([0; CLASSES]) };
        path.push(key, hand);
        path
    }

    /// The hash of the path extended by a position.
    #[inline]
    fn hash_with(&self, key: u64, hand: Hand) -> u64 {
        let line = self.hash();
        let here = key ^ u64::from(bytemuck::cast::<Hand, u32>(hand)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (line.rotate_left(7) ^ here).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    fn push(&mut self, key: u64, hand: Hand) {
        let hash = self.hash_with(key, hand);
        self.steps.push(Step { key, hand, hash });
        self.classes[class(key)] += 1;
    }

    /// The hash of the path.
    fn hash(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.hash)
    }

    fn pop(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.classes[class(step.key)] -= 1;
        }
    }

    /// The depth of the current node.
    #[inline]
    fn depth(&self) -> u32 {
        self.steps.len() as u32 - 1
    }

    /// Depth of the last position with the same board in which the attacker held at least as much:
    /// returning to it gains nothing.
    #[inline]
    fn repeats(&self, key: u64, hand: Hand) -> Option<u32> {
        if self.classes[class(key)] == 0 {
            return None;
        }
        let same = |step: &Step| step.key == key && step.hand.is_superior_or_equal(hand);
        self.steps.iter().rposition(same).map(|depth| depth as u32)
    }
}

/// Positions that occurred three times, with the attacker's hand.
fn repeated_thrice(position: &Position) -> Vec<(u64, Hand)> {
    let attacker = position.side_to_move();
    let mut walk = position.clone();
    let mut seen: HashMap<(u64, Hand), u32> = HashMap::new();
    loop {
        *seen.entry((walk.board_key(), walk.hand(attacker))).or_default() += 1;
        if walk.last_move().is_none() {
            break;
        }
        walk.undo();
    }
    seen.into_iter().filter(|&(_, times)| times >= 3).map(|(position, _)| position).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fourth_repetition_is_no_mate() {
        let shuffle = ["2h3h", "8b7b", "3h2h", "7b8b"];
        let moves = shuffle.iter().cycle().copied();
        let after = |plies| Position::startpos().with_moves(moves.clone().take(plies)).unwrap();
        assert!(repeated_thrice(&after(7)).is_empty());
        let third = after(8);
        assert_eq!(repeated_thrice(&third), [(third.board_key(), Hand::EMPTY)]);
        assert_eq!(repeated_thrice(&after(11)).len(), 4);

        let (mut table, mut lines) = (Table::new(0).unwrap(), PathTable::new());
        let search = Search::new(&after(9), &mut table, &mut lines, false);
        let known = search.probe(third.board_key(), Hand::EMPTY, 7).unwrap();
        assert_eq!((known.is_disproof(), known.loop_to), (true, 0), "on this path alone");
        assert_eq!(search.probe(after(2).board_key(), Hand::EMPTY, 7), None);
    }
}
