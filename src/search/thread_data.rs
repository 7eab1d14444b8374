//! Data of a thread that persists between searches.

use super::history::Histories;
use super::stack::{STACK_SIZE, StackEntry};
use crate::table::LocalEvalCache;
use crate::util::{MemoryError, filled};
use arrayvec::ArrayVec;
use sabi_shogi::{MAX_PLY, Move};

/// Number of PVs.
const PVS: usize = MAX_PLY + 2;

/// Data of a thread that persists between searches.
pub(super) struct ThreadData {
    pub histories: Histories,
    /// First level of the evaluation cache, if enabled.
    pub evaluations: Option<LocalEvalCache>,
    /// Allocation only: reset for every search.
    pub stack: Box<[StackEntry]>,
    /// Allocation of the PVs.
    pub pvs: Box<[ArrayVec<Move, MAX_PLY>]>,
}

impl ThreadData {
    /// Size in bytes of the large parts.
    pub(super) const BYTES: usize = Histories::BYTES
        + LocalEvalCache::BYTES
        + STACK_SIZE * size_of::<StackEntry>()
        + PVS * size_of::<ArrayVec<Move, MAX_PLY>>();

    /// Empty data, with or without a level of the evaluation cache.
    pub(super) fn new(caching: bool) -> Result<Self, MemoryError> {
        let evaluations = if caching { Some(LocalEvalCache::new()?) } else { None };
        let (stack, pvs) = (filled(StackEntry::EMPTY, STACK_SIZE)?, filled(ArrayVec::new(), PVS)?);
        Ok(Self { histories: Histories::new()?, evaluations, stack, pvs })
    }

    /// Clears everything.
    pub(super) fn clear(&mut self) {
        self.histories.clear();
        self.evaluations.iter_mut().for_each(LocalEvalCache::clear);
    }
}
