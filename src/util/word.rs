//! The word of shared tables: an atomic, or that of `loom` in tests.

use std::sync::atomic::{AtomicU32, Ordering, fence};

/// 32 bits accessed through a shared reference.
///
/// Orderings are those of [`AtomicU32`].
pub trait Word {
    /// The current value.
    fn load(&self, order: Ordering) -> u32;

    /// Sets the value.
    fn store(&self, value: u32, order: Ordering);

    /// Compare and exchange; returns whether it succeeded. Relaxed on failure.
    fn replace(&self, old: u32, new: u32, order: Ordering) -> bool;

    /// A fence between what comes before and what comes after.
    fn fence(order: Ordering);
}

impl Word for AtomicU32 {
    #[inline]
    fn load(&self, order: Ordering) -> u32 {
        self.load(order)
    }

    #[inline]
    fn store(&self, value: u32, order: Ordering) {
        self.store(value, order);
    }

    #[inline]
    fn replace(&self, old: u32, new: u32, order: Ordering) -> bool {
        self.compare_exchange(old, new, order, Ordering::Relaxed).is_ok()
    }

    #[inline]
    fn fence(order: Ordering) {
        fence(order);
    }
}
