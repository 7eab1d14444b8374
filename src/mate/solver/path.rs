//! The current path of the proof search, and path-dependent disproofs.
//!
//! A disproof may depend on a repetition of an earlier position and then holds for this path only
//! (the graph history interaction problem: Kishimoto and Müller, "A General Solution to the Graph
//! History Interaction Problem", 2004). Such disproofs are stored separately, keyed by a hash of
//! the whole path.

use super::estimate::Plies;
use sabi_shogi::Hand;

/// A position on the path.
struct Step {
    key: u64,
    hand: Hand,
    /// Hash of the path up to here.
    hash: u64,
}

/// Positions from the root to the current node.
pub(super) struct Path {
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
    pub(super) fn new(key: u64, hand: Hand) -> Self {
        let mut path = Self { steps: Vec::new(), classes: Box::new([0; CLASSES]) };
        path.push(key, hand);
        path
    }

    /// The hash of the path extended by a position.
    #[inline]
    pub(super) fn hash_with(&self, key: u64, hand: Hand) -> u64 {
        let line = self.hash();
        let here = key ^ u64::from(bytemuck::cast::<Hand, u32>(hand)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (line.rotate_left(7) ^ here).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    pub(super) fn push(&mut self, key: u64, hand: Hand) {
        let hash = self.hash_with(key, hand);
        self.steps.push(Step { key, hand, hash });
        self.classes[class(key)] += 1;
    }

    /// The hash of the path.
    pub(super) fn hash(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.hash)
    }

    pub(super) fn pop(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.classes[class(step.key)] -= 1;
        }
    }

    /// The depth of the current node.
    #[inline]
    pub(super) fn depth(&self) -> u32 {
        self.steps.len() as u32 - 1
    }

    /// Depth of the last position with the same board in which the attacker held at least as much:
    /// returning to it gains nothing.
    #[inline]
    pub(super) fn repeats(&self, key: u64, hand: Hand) -> Option<u32> {
        if self.classes[class(key)] == 0 {
            return None;
        }
        let same = |step: &Step| step.key == key && step.hand.is_superior_or_equal(hand);
        self.steps.iter().rposition(same).map(|depth| depth as u32)
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
