//! The memory of the proof search.
//!
//! One slot for each board and attacker's hand (the defender holds the rest), so that what is known of one hand speaks for
//! others: whoever mates with less mates with more, whoever cannot with more cannot with less. Slots of one board lie in a row
//! (open addressing, linear probing), so that one walk sees them all. When the table is full, what cost least to find out is
//! thrown away, as in the small-tree garbage collection of Nagai ("Df-pn Algorithm for Searching AND/OR Trees and Its
//! Applications", 2002).

use super::estimate::{ENDLESS, Estimate, NO_LOOP, Plies};
use crate::types::Hand;
use crate::util::{HugeSlice, MemoryError};
use bytemuck::{Pod, Zeroable};

/// What is known of one board with one hand. Empty unless of the present generation.
#[derive(Copy, Clone, Zeroable, Pod)]
#[repr(C)]
struct Slot {
    /// Of squares and side to move.
    key: u64,
    /// The attacker's.
    hand: Hand,
    /// The numbers of the last visit that decided nothing.
    pn: u32,
    dn: u32,
    /// Nodes spent on it.
    work: u32,
    /// The shortest mate found, or [`ENDLESS`].
    proof: Plies,
    /// There is no mate within so many plies; -1 when nothing is known.
    disproof: Plies,
    generation: u16,
    unused: u16,
}

const _: () = assert!(size_of::<Slot>() == 32);

/// The table. It forgets everything at once by counting generations.
pub(super) struct Table {
    slots: HugeSlice<Slot>,
    generation: u16,
    /// Slots of this generation.
    used: usize,
}

/// Slots of a table of the least size.
const LEAST: usize = 1 << 10;
/// Slots that are tidied up between two questions whether to go on.
const PART: usize = 1 << 16;

impl Table {
    /// A table of so many MB, which are never exceeded.
    pub(super) fn new(megabytes: usize) -> Result<Self, MemoryError> {
        let len = (megabytes << 20) / size_of::<Slot>();
        Ok(Self { slots: HugeSlice::lazily_zeroed(len.max(LEAST))?, generation: 1, used: 0 })
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.used = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.clear();
            self.generation = 1;
        }
    }

    /// Uses every page once; forgets everything, too.
    pub(super) fn touch(&mut self) {
        self.slots.clear();
        self.used = 0;
    }

    /// How full it is, in permille.
    pub(super) fn fill(&self) -> u32 {
        (self.used * 1000 / self.slots.len()) as u32
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline]
    fn next(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() { 0 } else { at + 1 }
    }

    /// What is known about mating within `bound` plies.
    pub(super) fn probe(&self, key: u64, hand: Hand, bound: Plies) -> Option<Estimate> {
        let mut at = self.home(key);
        let mut known: Option<Estimate> = None;
        while self.slots[at].generation == self.generation {
            let slot = &self.slots[at];
            if slot.key == key {
                if slot.proof <= bound && slot.proof != ENDLESS && hand.covers(slot.hand) {
                    if known.is_none_or(|known| !known.is_proof() || slot.proof < known.plies) {
                        known = Some(Estimate::proof(slot.proof, slot.hand));
                    }
                } else if slot.disproof >= bound && slot.hand.covers(hand) {
                    return Some(Estimate::disproof(slot.disproof, slot.hand, NO_LOOP));
                } else if slot.hand == hand && known.is_none() {
                    known = Some(Estimate::open(slot.pn, slot.dn));
                }
            }
            at = self.next(at);
        }
        known
    }

    /// Keeps what was found in `work` nodes about a position, in which the attacker holds `hand`. A proof or disproof is kept
    /// with its own hand, for which it says more.
    pub(super) fn store(&mut self, key: u64, hand: Hand, estimate: &Estimate, work: u64) {
        let hand = if estimate.is_final() { estimate.hand } else { hand };
        let mut at = self.home(key);
        while self.slots[at].generation == self.generation && (self.slots[at].key, self.slots[at].hand) != (key, hand) {
            at = self.next(at);
        }
        let generation = self.generation;
        let slot = &mut self.slots[at];
        if slot.generation != generation {
            self.used += 1;
            *slot = Slot { key, hand, pn: 1, dn: 1, work: 0, proof: ENDLESS, disproof: -1, generation, unused: 0 };
        }
        slot.work = slot.work.saturating_add(work.try_into().unwrap_or(u32::MAX));
        if estimate.is_proof() {
            slot.proof = slot.proof.min(estimate.plies);
        } else if estimate.is_disproof() {
            slot.disproof = slot.disproof.max(estimate.plies);
        } else {
            (slot.pn, slot.dn) = (estimate.pn, estimate.dn);
        }
    }

    /// Whether [`Table::collect`] is due.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.used >= self.slots.len() - self.slots.len() / 4
    }

    /// Throws away the half that cost least. What stays counts for half of what it cost, so that nothing stays for ever. `go_on`
    /// is asked now and then; when it refuses, everything is forgotten and the answer is false.
    pub(super) fn collect(&mut self, go_on: &mut dyn FnMut() -> bool) -> bool {
        let least = self.median_work();
        let generation = self.generation;
        self.used = 0;
        for part in self.slots.chunks_mut(PART) {
            for slot in part.iter_mut().filter(|slot| slot.generation == generation) {
                if slot.work <= least {
                    slot.generation = 0;
                } else {
                    slot.work /= 2;
                    self.used += 1;
                }
            }
            if !go_on() {
                self.forget();
                return false;
            }
        }
        // Slots move up into the gaps. A walk that begins at a gap finds for each a place no later than the one it has.
        let start = self.slots.iter().position(|slot| slot.generation != generation).unwrap_or(0);
        let mut at = self.next(start);
        while at != start {
            let slot = self.slots[at];
            if slot.generation == generation {
                self.slots[at].generation = 0;
                let mut place = self.home(slot.key);
                while self.slots[place].generation == generation {
                    place = self.next(place);
                }
                self.slots[place] = slot;
            }
            at = self.next(at);
            if at.is_multiple_of(PART) && !go_on() {
                self.forget();
                return false;
            }
        }
        true
    }

    /// Half of the slots in use cost no more than this.
    fn median_work(&self) -> u32 {
        const COUNTED: usize = 1 << 12;
        let mut counts = [0usize; COUNTED];
        for slot in self.slots.iter().filter(|slot| slot.generation == self.generation) {
            counts[(slot.work as usize).min(COUNTED - 1)] += 1;
        }
        let mut below = 0;
        let half = counts.iter().position(|count| {
            below += count;
            2 * below >= self.used
        });
        half.unwrap_or(0) as u32
    }
}
