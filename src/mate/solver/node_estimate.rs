//! Estimate of a node from its children.

use super::child::{Child, hand_before, withheld};
use super::estimate::{ENDLESS, Estimate, LARGEST, NO_LOOP, Plies, longer};
use sabi_shogi::{Color, Hand, Move, Position, Square};

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
    let nothing = Estimate::disproof(ENDLESS, without_checks(hand), NO_LOOP);
    children.iter().fold(nothing, |all, Child { mv, estimate, .. }| {
        let hand = all.hand.intersection(hand_before(position, *mv, estimate.hand));
        Estimate::disproof(all.plies.min(longer(estimate.plies)), hand, all.loop_to.min(estimate.loop_to))
    })
}

/// A larger hand of held kinds gives no further check, but an additional kind might.
fn without_checks(hand: Hand) -> Hand {
    hand.iter().fold(Hand::EMPTY, |most, (kind, _)| most.with(kind, kind.full_set_count()))
}

/// AND node: every defence has to fail. Leaves the mate length open; see `useless`.
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
