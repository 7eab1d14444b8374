//! A counter with one writer and many readers.

use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counter advanced by one thread and read by others. It has its own cache line and needs no
/// locked instruction, because there is a single writer.
#[derive(Debug, Default)]
pub struct Counter(CachePadded<AtomicU64>);

impl Counter {
    /// Adds one. Only one thread may call this.
    #[inline]
    pub fn increment(&self) {
        self.0.store(self.get() + 1, Ordering::Relaxed);
    }

    /// The current value.
    #[inline]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
