//! A counter with one writer and many readers.

use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counter that one thread advances and others read now and then. It has a cache line of its own, so that the writer
/// is never slowed by its neighbours, and it is advanced without a locked instruction, because there is one writer.
#[derive(Debug, Default)]
pub struct Counter(CachePadded<AtomicU64>);

impl Counter {
    /// Adds one. Only the owning thread may call this while others do not.
    #[inline]
    pub fn increment(&self) {
        self.0.store(self.get() + 1, Ordering::Relaxed);
    }

    /// The present value.
    #[inline]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
