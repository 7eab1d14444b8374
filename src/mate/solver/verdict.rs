//! What the children of a node say about it.

use super::child::{Child, hand_before, withheld};
use super::estimate::{ENDLESS, Estimate, LARGEST, NO_LOOP, longer};
use crate::bitboard as bb;
use crate::position::Position;
use crate::types::{Color, Hand, Square};

/// The attacker is to move and holds `hand`: one check has to mate.
pub(super) fn of_checks(position: &Position, hand: Hand, children: &[Child]) -> Estimate {
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

/// More of what the attacker holds would give no check where that gives none, but a kind that it does not hold might.
fn without_checks(hand: Hand) -> Hand {
    hand.iter().fold(Hand::EMPTY, |most, (kind, _)| most.with(kind, kind.in_a_set()))
}

/// The defender is to move: no answer may save the king. Says nothing about the length of a mate; see `useless`.
pub(super) fn of_answers<'a>(
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
            // One that holds for every line, and at every length, says most.
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
        return of_saving_answer(position, attacker, child);
    }
    if pn > 0 {
        return Estimate::open(pn.min(u64::from(LARGEST)) as u32, dn);
    }
    Estimate::proof(0, needed_hand(position, attacker, all))
}

fn of_saving_answer(position: &Position, attacker: Color, child: &Child) -> Estimate {
    let Estimate { plies, hand, loop_to, .. } = child.estimate;
    // To drop a piece the defender must have one.
    let hand = match child.mv.drop_kind() {
        Some(kind) => {
            let others = position.hand(attacker).count(kind) + position.hand(!attacker).count(kind) - 1;
            hand.with(kind, hand.count(kind).min(others))
        }
        None => hand,
    };
    Estimate::disproof(longer(plies), hand, loop_to)
}

/// What the attacker has to hold so that every answer fails.
fn needed_hand(position: &Position, attacker: Color, children: &[Child]) -> Hand {
    let needed = children.iter().fold(Hand::EMPTY, |hand, child| {
        // What is taken need not be held before.
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

/// Where the only piece stands that checks, if something could be put in its way.
pub(super) fn checked_from_afar(position: &Position) -> Option<Square> {
    let king = position.king(position.side_to_move())?;
    let checkers = position.checkers();
    let checker = checkers.first().filter(|_| !checkers.more_than_one())?;
    bb::between(king, checker).any().then_some(checker)
}
