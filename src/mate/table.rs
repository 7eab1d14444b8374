//! The tables of the proof search: by position, and by path.
//!
//! One entry for each board and attacker's hand (the defender holds the rest). Proofs hold for
//! larger hands, disproofs for smaller ones. Entries of one board are adjacent (open addressing,
//! linear probing), so that one probe visits all of them. When the table is full, the entries with
//! the least work are evicted, as in the small-tree garbage collection of Nagai ("Df-pn Algorithm
//! for Searching AND/OR Trees and Its Applications", 2002).
//!
//! A disproof may depend on a repetition of an earlier position and then holds for this path only
//! (the graph history interaction problem: Kishimoto and Müller, "A General Solution to the Graph
//! History Interaction Problem", 2004). Such disproofs are stored separately, keyed by a hash of
//! the whole path.

use super::estimate::{ENDLESS, Estimate, NO_LOOP, Plies};
use crate::machine::{HugeSlice, MemoryError, prefetch};
use bytemuck::{Pod, Zeroable};
use sabi_shogi::Hand;
use std::sync::atomic::AtomicBool;

/// Entry of one board and hand. Empty unless of the current generation.
#[derive(Copy, Clone, Zeroable, Pod)]
#[repr(C)]
struct Slot {
    /// Board key with side to move.
    key: u64,
    /// The attacker's hand.
    hand: Hand,
    /// Proof and disproof number of the last undecided visit.
    pn: u32,
    dn: u32,
    /// Nodes spent.
    work: u32,
    /// Length of the shortest mate found, or [`ENDLESS`].
    proof: Plies,
    /// No mate within this many plies; -1 if unknown.
    disproof: Plies,
    generation: u16,
    unused: u16,
}

const _: () = assert!(size_of::<Slot>() == 32);

/// The table. Clearing increments the generation.
///
/// Starts small and grows: most searches are small, and a small table stays in cache.
pub(super) struct Table {
    slots: HugeSlice<Slot>,
    /// Number of slots in use, from the start.
    active: usize,
    generation: u16,
    /// Entries of this generation.
    used: usize,
}

/// Initial size in slots.
const FIRST: usize = 1 << 13;
/// Slots swept between calls of `poll`.
const PART: usize = 1 << 16;
/// Slots on the smallest page.
const PAGE: usize = 4096 / size_of::<Slot>();
/// Growing copies the active part: at most this share of the whole.
const COPIED: usize = 16;

impl Table {
    /// A table of at most this many MB.
    pub(super) fn new(megabytes: usize) -> Result<Self, MemoryError> {
        // A size beyond the address space fails like one beyond the memory.
        let max_slots = megabytes.saturating_mul(1 << 20) / size_of::<Slot>();
        let slots = HugeSlice::lazily_zeroed((max_slots - max_slots / COPIED).max(FIRST))
            .map_err(|error| error.of_request(megabytes))?;
        Ok(Self { slots, active: FIRST, generation: 1, used: 0 })
    }

    /// Clears the table.
    pub(super) fn clear(&mut self) {
        self.active = FIRST;
        self.used = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.clear(&AtomicBool::new(false));
            self.generation = 1;
        }
    }

    /// Hash full, in permille.
    pub(super) fn fill(&self) -> u32 {
        (self.used as u64 * 1000 / self.slots.len() as u64) as u32
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.active as u128) >> 64) as usize
    }

    #[inline]
    fn next(&self, at: usize) -> usize {
        if at + 1 == self.active { 0 } else { at + 1 }
    }

    /// Prefetches the entries of a board.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.slots[self.index(key)]);
    }

    /// Known estimate of a mate within `bound` plies.
    pub(super) fn probe(&self, key: u64, hand: Hand, bound: Plies) -> Option<Estimate> {
        let mut at = self.index(key);
        let mut known: Option<Estimate> = None;
        while self.slots[at].generation == self.generation {
            let slot = &self.slots[at];
            if slot.key == key {
                if slot.proof <= bound && slot.proof != ENDLESS && hand.is_superior_or_equal(slot.hand) {
                    if known.is_none_or(|known| !known.is_proof() || slot.proof < known.plies) {
                        known = Some(Estimate::proof(slot.proof, slot.hand));
                    }
                } else if slot.disproof >= bound && slot.hand.is_superior_or_equal(hand) {
                    return Some(Estimate::disproof(slot.disproof, slot.hand, NO_LOOP));
                } else if slot.hand == hand && known.is_none() {
                    known = Some(Estimate::open(slot.pn, slot.dn));
                }
            }
            at = self.next(at);
        }
        known
    }

    /// Stores an estimate after `work` nodes, for the attacker's `hand`. A proof or disproof is
    /// stored with its own, stronger hand.
    pub(super) fn store(&mut self, key: u64, hand: Hand, estimate: &Estimate, work: u64) {
        let hand = if estimate.is_final() { estimate.hand } else { hand };
        let mut at = self.index(key);
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

    /// Whether [`Table::make_room`] is due: probe lengths grow beyond this.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.used >= self.active / 2
    }

    /// Grows the table or, at full size, evicts entries. `poll` is called at intervals; if it
    /// returns false, the table is cleared and the result is false.
    pub(super) fn make_room(&mut self, poll: &mut dyn FnMut() -> bool) -> bool {
        let done = if self.active < self.slots.len() { self.grow(poll) } else { self.collect_garbage(poll) };
        if done.is_none() {
            self.clear();
        }
        done.is_some()
    }

    /// Grows the table fourfold, or to full size where that is near, and inserts the entries again.
    /// `None` when `poll` returned false.
    fn grow(&mut self, poll: &mut dyn FnMut() -> bool) -> Option<()> {
        let generation = self.generation;
        let in_use = self.slots[..self.active].iter_mut().filter(|slot| slot.generation == generation);
        let kept: Vec<Slot> = in_use.map(|slot| std::mem::replace(slot, Slot::zeroed())).collect();
        let (before, next) = (self.active, self.active * 4);
        self.active = if next > self.slots.len() / COPIED { self.slots.len() } else { next };
        for part in self.slots[before..self.active].chunks_mut(PART) {
            // Touch the pages here, not during the search.
            part.iter_mut().step_by(PAGE).for_each(|slot| slot.generation = 0);
            poll().then_some(())?;
        }
        for part in kept.chunks(PART) {
            part.iter().for_each(|&slot| self.insert(slot));
            poll().then_some(())?;
        }
        Some(())
    }

    /// Inserts an entry into its probe sequence.
    fn insert(&mut self, slot: Slot) {
        let mut place = self.index(slot.key);
        while self.slots[place].generation == self.generation {
            place = self.next(place);
        }
        self.slots[place] = slot;
    }

    /// Evicts the half with the least work and halves the work of the rest, so that entries age.
    /// `None` when `poll` returned false.
    fn collect_garbage(&mut self, poll: &mut dyn FnMut() -> bool) -> Option<()> {
        let least = self.median_work(poll)?;
        let generation = self.generation;
        // No probe sequence crosses a slot that is empty before the eviction.
        let start = self.slots.iter().position(|slot| slot.generation != generation).unwrap_or(0);
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
            poll().then_some(())?;
        }
        // Move entries up into the gaps, in the order of their probe sequences.
        let mut at = self.next(start);
        while at != start {
            let slot = self.slots[at];
            if slot.generation == generation {
                self.slots[at].generation = 0;
                self.insert(slot);
            }
            at = self.next(at);
            if at.is_multiple_of(PART) {
                poll().then_some(())?;
            }
        }
        Some(())
    }

    /// Median work of the entries; `None` when `poll` returned false.
    fn median_work(&self, poll: &mut dyn FnMut() -> bool) -> Option<u32> {
        const COUNTED: usize = 1 << 12;
        let mut counts = [0usize; COUNTED];
        for part in self.slots.chunks(PART) {
            for slot in part.iter().filter(|slot| slot.generation == self.generation) {
                counts[(slot.work as usize).min(COUNTED - 1)] += 1;
            }
            poll().then_some(())?;
        }
        let mut below = 0;
        let half = counts.iter().position(|count| {
            below += count;
            2 * below >= self.used
        });
        Some(half.unwrap_or(0) as u32)
    }
}

/// Path-dependent disproofs.
pub(super) struct PathTable {
    slots: Box<[PathSlot]>,
    /// Distinguishes searches.
    salt: u64,
}

#[derive(Copy, Clone, Default)]
struct PathSlot {
    hash: u64,
    loop_to: u32,
}

const LINE_SLOTS: usize = 1 << 16;

impl PathTable {
    pub(super) fn new() -> Self {
        Self { slots: vec![PathSlot::default(); LINE_SLOTS].into_boxed_slice(), salt: 1 }
    }

    pub(super) fn clear(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    fn mixed(&self, line: u64, bound: Plies) -> u64 {
        (line ^ self.salt ^ (bound as u64) << 48).wrapping_mul(0x94d0_49bb_1331_11eb)
    }

    /// The ancestor depth that the disproof of a mate within `bound` plies depends on, if there is
    /// one for this path.
    #[inline]
    pub(super) fn probe(&self, line: u64, bound: Plies) -> Option<u32> {
        let hash = self.mixed(line, bound);
        let slot = &self.slots[(hash >> 48) as usize];
        (slot.hash == hash).then_some(slot.loop_to)
    }

    pub(super) fn store(&mut self, line: u64, bound: Plies, loop_to: u32) {
        let hash = self.mixed(line, bound);
        self.slots[(hash >> 48) as usize] = PathSlot { hash, loop_to };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabi_shogi::HandKind;

    const PAWN: Hand = Hand::EMPTY.plus(HandKind::Pawn);
    const TWO_PAWNS: Hand = PAWN.plus(HandKind::Pawn);

    /// Keys all over the table, with collisions.
    fn key(number: u64) -> u64 {
        (number / 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) + number % 3
    }

    #[test]
    fn entries_survive_growth() {
        let mut table = Table::new(4).unwrap();
        let whole = table.slots.len();
        for number in 0..40_000 {
            table.store(key(number), PAWN, &Estimate::open(number as u32 + 1, 7), 1);
            if table.is_full() {
                assert!(table.make_room(&mut || true));
            }
        }
        assert_eq!(table.active, whole);
        for number in 0..40_000 {
            let known = table.probe(key(number), PAWN, ENDLESS);
            assert_eq!(known, Some(Estimate::open(number as u32 + 1, 7)), "{number}");
        }
        assert!(whole * size_of::<Slot>() <= 4 << 20);
        table.clear();
        assert_eq!((table.probe(key(1), PAWN, ENDLESS), table.fill(), table.active), (None, 0, FIRST));
    }

    #[test]
    fn expensive_entries_survive_collection() {
        let mut table = Table::new(0).unwrap();
        assert_eq!(table.active, table.slots.len());
        let mut kept = 0;
        for number in 0..1_000_000 {
            table.store(key(number), PAWN, &Estimate::open(3, 4), if number % 10 == 0 { 1000 } else { number % 3 });
            if table.is_full() {
                assert!(table.make_room(&mut || true));
                let found = |number: &u64| table.probe(key(*number), PAWN, ENDLESS).is_some();
                let last = number - number % 10;
                kept = (0..100).map(|back| last - 10 * back).filter(found).count();
                assert!(table.used <= table.slots.len() * 2 / 5 && kept == 100, "{} {kept}", table.used);
            }
        }
        assert!(kept > 0, "it was never full");
        let mut asked = 0;
        while !table.is_full() {
            table.store(key(table.used as u64 * 31), TWO_PAWNS, &Estimate::open(1, 1), 1);
        }
        assert!(!table.make_room(&mut || {
            asked += 1;
            false
        }));
        assert!(asked == 1 && table.used == 0);
    }

    #[test]
    fn kept_entries_are_found_across_the_end() {
        let mut table = Table::new(0).unwrap();
        let at = |home: u64| home << (u64::BITS - FIRST.ilog2());
        let entry = Estimate::open(3, 4);
        let last = FIRST as u64 - 1;
        // The second and the last of them move to the next slot, the latter across the end.
        for (home, hand, work) in [(last - 1, PAWN, 1), (last - 1, TWO_PAWNS, 1000), (0, PAWN, 1), (last, PAWN, 1000)] {
            table.store(at(home), hand, &entry, work);
        }
        for home in 100.. {
            if table.is_full() {
                break;
            }
            table.store(at(home), PAWN, &entry, if home % 3 == 0 { 1000 } else { 1 });
        }
        assert!(table.make_room(&mut || true));
        assert_eq!(table.probe(at(last - 1), TWO_PAWNS, ENDLESS), Some(entry));
        assert_eq!(table.probe(at(last), PAWN, ENDLESS), Some(entry));
    }

    #[test]
    fn excessive_size_is_an_error() {
        for megabytes in [usize::MAX, 1 << (usize::BITS - 20)] {
            assert!(Table::new(megabytes).is_err(), "{megabytes} MB");
        }
    }

    #[test]
    fn hand_dominance_within_bound() {
        let mut table = Table::new(0).unwrap();
        table.store(1, TWO_PAWNS, &Estimate::proof(5, PAWN), 10);
        table.store(2, PAWN, &Estimate::disproof(5, PAWN, NO_LOOP), 10);
        for (key, hand, bound, expected) in [
            (1, PAWN, 5, Some(true)),
            (1, TWO_PAWNS, ENDLESS, Some(true)),
            (1, Hand::EMPTY, ENDLESS, None),
            (1, TWO_PAWNS, 3, None),
            (2, PAWN, 5, Some(false)),
            (2, Hand::EMPTY, 3, Some(false)),
            (2, TWO_PAWNS, 5, None),
            (2, PAWN, 7, None),
        ] {
            let known = table.probe(key, hand, bound).filter(Estimate::is_final).map(|known| known.is_proof());
            assert_eq!(known, expected, "{key} {hand:?} {bound}");
        }
        // Proof and disproof of one position, for different lengths.
        table.store(1, PAWN, &Estimate::disproof(3, PAWN, NO_LOOP), 10);
        assert!(table.probe(1, PAWN, 3).unwrap().is_disproof() && table.probe(1, PAWN, 5).unwrap().is_proof());
    }
}
