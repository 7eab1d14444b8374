//! Proof and disproof numbers: of a node, and of a node from its children.
//!
//! An OR node (attacker to move) needs one mating check, an AND node (defender to move) needs every
//! defence to fail.

use sabi_shogi::{Color, Hand, HandKind, Move, Position, Square};

/// Mate length in plies, or plies within which there is no mate.
pub(super) type Plies = i16;

/// No bound: mate of any length, or no mate at all.
pub(super) const ENDLESS: Plies = Plies::MAX;

/// `plies - 1`, or still no bound.
#[inline]
pub(super) const fn shorter(plies: Plies) -> Plies {
    if plies == ENDLESS { ENDLESS } else { plies - 1 }
}

/// `plies + 1`, or still no bound.
#[inline]
pub(super) const fn longer(plies: Plies) -> Plies {
    if plies == ENDLESS { ENDLESS } else { plies + 1 }
}

/// Proof number of a disproved node and vice versa.
pub(super) const INFINITE: u32 = u32::MAX;
/// Upper limit of finite numbers, so that sums do not overflow.
const LARGEST: u32 = 1 << 30;
/// The disproof does not depend on a repetition of an earlier position.
pub(super) const NO_LOOP: u32 = u32::MAX;

/// Proof and disproof number of a node, with the mate length and hand of a proof or disproof.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Estimate {
    /// Proof number; 0 when proved.
    pub pn: u32,
    /// Disproof number; 0 when disproved.
    pub dn: u32,
    /// Proof: mate in this many plies. Disproof: no mate within this many.
    pub plies: Plies,
    /// Proof hand: the minimum that mates. Disproof hand: the maximum that does not.
    pub hand: Hand,
    /// Disproof: depth of the shallowest node of the path whose repetition it depends on, or
    /// [`NO_LOOP`].
    pub loop_to: u32,
}

impl Estimate {
    pub(super) const fn open(pn: u32, dn: u32) -> Self {
        Self { pn, dn, plies: 0, hand: Hand::EMPTY, loop_to: NO_LOOP }
    }

    pub(super) const fn proof(plies: Plies, hand: Hand) -> Self {
        Self { pn: 0, dn: INFINITE, plies, hand, loop_to: NO_LOOP }
    }

    pub(super) const fn disproof(plies: Plies, hand: Hand, loop_to: u32) -> Self {
        Self { pn: INFINITE, dn: 0, plies, hand, loop_to }
    }

    #[inline]
    pub(super) const fn is_proof(&self) -> bool {
        self.pn == 0
    }

    #[inline]
    pub(super) const fn is_disproof(&self) -> bool {
        self.dn == 0
    }

    #[inline]
    pub(super) const fn is_final(&self) -> bool {
        self.is_proof() || self.is_disproof()
    }
}

/// A move and the estimate after it.
#[derive(Copy, Clone)]
pub(super) struct Child {
    pub mv: Move,
    /// For an interposition of which only the capture is still to be searched: the estimate is then
    /// that after both moves.
    pub capture: Option<Capture>,
    /// Index of the child to be decided before this one is searched.
    pub after: Option<u16>,
    pub estimate: Estimate,
}

/// Capture of an interposed piece.
#[derive(Copy, Clone)]
pub(super) struct Capture {
    /// The capturing move; `None` if it is not legal.
    pub mv: Option<Move>,
    /// Maximum mate length after it.
    pub bound: Plies,
    /// Depth of the repetition on which the proof depends that the drop is not refuted otherwise.
    pub loop_to: u32,
}

impl Child {
    /// Whether the child it waits for is decided.
    #[inline]
    pub(super) fn is_active(&self, children: &[Self]) -> bool {
        self.after.is_none_or(|at| children[usize::from(at)].estimate.is_final())
    }
}

/// The attacker's hand before a move (minimum or maximum), given that after it.
fn hand_before(position: &Position, mv: Move, behind: Hand) -> Hand {
    match (mv.drop_kind(), captured_kind(position, mv)) {
        (Some(kind), _) => behind.with(kind, (behind.count(kind) + 1).min(kind.full_set_count())),
        (None, Some(kind)) => behind.with(kind, behind.count(kind).saturating_sub(1)),
        (None, None) => behind,
    }
}

/// The hand of the side to move after its move.
pub(super) fn hand_after(position: &Position, mv: Move) -> Hand {
    let hand = position.hand(position.side_to_move());
    match (mv.drop_kind(), captured_kind(position, mv)) {
        (Some(kind), _) => hand.minus(kind),
        (None, Some(kind)) => hand.plus(kind),
        (None, None) => hand,
    }
}

fn captured_kind(position: &Position, mv: Move) -> Option<HandKind> {
    position.piece_at(mv.to()).and_then(|piece| piece.kind().in_hand())
}

/// The kinds in the attacker's `hand` of which the defender holds none: as long as the attacker
/// keeps all of them, none can be interposed.
pub(super) fn withheld(position: &Position, attacker: Color, hand: Hand) -> Hand {
    let defenders = position.hand(!attacker);
    let kept = hand.iter().filter(|&(kind, _)| !defenders.has(kind));
    kept.fold(Hand::EMPTY, |kept, (kind, count)| kept.with(kind, count))
}

/// OR node: one check of the attacker, who holds `hand`, has to mate.
pub(super) fn or_node(position: &Position, hand: Hand, children: &[Child]) -> Estimate {
    let mut best: Option<&Child> = None;
    let (mut pn, mut dn) = (u32::MAX, 0u64);
    for child in children {
        let estimate = &child.estimate;
        if estimate.is_proof() {
            if best.is_none_or(|best| estimate.plies < best.estimate.plies) {
                best = Some(child);
            }
        } else if !estimate.is_disproof() && child.is_active(children) {
            pn = pn.min(estimate.pn);
            dn += u64::from(estimate.dn);
        }
    }
    if let Some(Child { mv, estimate, .. }) = best {
        return Estimate::proof(longer(estimate.plies), hand_before(position, *mv, estimate.hand));
    }
    if dn > 0 {
        return Estimate::open(pn, dn.min(u64::from(LARGEST)) as u32);
    }
    // A larger hand of held kinds gives no further check, but an additional kind might.
    let without_checks = hand.iter().fold(Hand::EMPTY, |most, (kind, _)| most.with(kind, kind.full_set_count()));
    let nothing = Estimate::disproof(ENDLESS, without_checks, NO_LOOP);
    children.iter().fold(nothing, |all, Child { mv, estimate, .. }| {
        let hand = all.hand.intersection(hand_before(position, *mv, estimate.hand));
        Estimate::disproof(all.plies.min(longer(estimate.plies)), hand, all.loop_to.min(estimate.loop_to))
    })
}

/// AND node: every defence has to fail. Leaves the mate length open; see
/// `search`.
pub(super) fn and_node<'a>(
    position: &Position,
    attacker: Color,
    all: &[Child],
    counted: impl Iterator<Item = &'a Child>,
) -> Estimate {
    let (mut pn, mut dn) = (0u64, u32::MAX);
    let mut saving: Option<&Child> = None;
    for child in counted {
        let estimate = &child.estimate;
        if estimate.is_disproof() {
            // Path-independent disproofs of any length first.
            let rank = |child: &Child| (child.estimate.loop_to, child.estimate.plies);
            if saving.is_none_or(|best| rank(best) < rank(child)) {
                saving = Some(child);
            }
        } else if !estimate.is_proof() && child.is_active(all) {
            pn += u64::from(estimate.pn);
            dn = dn.min(estimate.dn);
        }
    }
    if let Some(child) = saving {
        return of_refutation(position, attacker, child);
    }
    if pn > 0 {
        return Estimate::open(pn.min(u64::from(LARGEST)) as u32, dn);
    }
    Estimate::proof(0, proof_hand(position, attacker, all))
}

fn of_refutation(position: &Position, attacker: Color, child: &Child) -> Estimate {
    let Estimate { plies, hand, loop_to, .. } = child.estimate;
    // An interposition requires the piece in hand.
    let hand = match child.mv.drop_kind() {
        Some(kind) => {
            let others = position.hand(attacker).count(kind) + position.hand(!attacker).count(kind) - 1;
            hand.with(kind, hand.count(kind).min(others))
        }
        None => hand,
    };
    Estimate::disproof(longer(plies), hand, loop_to)
}

/// The proof hand: what the attacker needs for every defence to fail.
fn proof_hand(position: &Position, attacker: Color, children: &[Child]) -> Hand {
    let needed = children.iter().fold(Hand::EMPTY, |hand, child| {
        // A captured piece need not be held before.
        let kind = child.mv.drop_kind().filter(|_| child.capture.is_some());
        let behind = child.estimate.hand;
        let before = kind.map_or(behind, |kind| behind.with(kind, behind.count(kind).saturating_sub(1)));
        hand.union(before)
    });
    match checked_from_afar(position) {
        Some(_) => needed.union(withheld(position, attacker, position.hand(attacker))),
        None => needed,
    }
}

/// The square of the only checker, if the check can be blocked.
pub(super) fn checked_from_afar(position: &Position) -> Option<Square> {
    let king = position.king(position.side_to_move())?;
    let checkers = position.checkers();
    let checker = checkers.first().filter(|_| !checkers.more_than_one())?;
    sabi_shogi::between(king, checker).any().then_some(checker)
}

/// Whether a defence that lasts beyond `bound` may be a useless interposition.
pub(super) fn may_be_useless(mv: Move, estimate: &Estimate, bound: Plies) -> bool {
    bound < ENDLESS && mv.is_drop() && estimate.is_disproof() && estimate.plies < ENDLESS
}
