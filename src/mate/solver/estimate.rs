//! Proof and disproof numbers.

use sabi_shogi::Hand;

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
pub(super) const LARGEST: u32 = 1 << 30;
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
