//! What is known of a node of the proof search.

use crate::types::Hand;

/// Plies to a mate, or plies within which there is none.
pub(super) type Plies = i16;

/// No limit: a mate however long, or none at all.
pub(super) const ENDLESS: Plies = Plies::MAX;

/// One ply less, or without a limit still.
#[inline]
pub(super) const fn shorter(plies: Plies) -> Plies {
    if plies == ENDLESS { ENDLESS } else { plies - 1 }
}

/// One ply more, or without a limit still.
#[inline]
pub(super) const fn longer(plies: Plies) -> Plies {
    if plies == ENDLESS { ENDLESS } else { plies + 1 }
}

/// The number of what is impossible.
pub(super) const INFINITE: u32 = u32::MAX;
/// No number of what is possible is larger, so that sums do not overflow.
pub(super) const LARGEST: u32 = 1 << 30;
/// The disproof rests on no repetition of what came before.
pub(super) const NO_LOOP: u32 = u32::MAX;

/// Proof and disproof number of a node, and what a proof or disproof says.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Estimate {
    /// How many leaves have to be proved to prove the node, at least; 0 when it is proved.
    pub pn: u32,
    /// How many leaves have to be disproved to disprove the node, at least; 0 when it is disproved.
    pub dn: u32,
    /// Of a proof: mate in this many plies. Of a disproof: no mate within this many.
    pub plies: Plies,
    /// Of a proof: with these pieces in hand or more the attacker mates. Of a disproof: with these or fewer it does not.
    pub hand: Hand,
    /// Of a disproof: the depth of the shallowest node of the line whose repetition it rests on, or [`NO_LOOP`].
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
