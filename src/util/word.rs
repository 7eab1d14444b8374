//! The word of shared tables, atomic or plain.

#[cfg(test)]
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU32, Ordering, fence};

/// 32 bits accessed through a shared reference.
///
/// The implementation decides whether accesses are atomic. Orderings are those of [`AtomicU32`].
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

/// A plain single-threaded word, for tests.
#[cfg(test)]
#[derive(Debug, Default, Zeroable)]
#[repr(transparent)]
pub struct PlainWord(std::cell::Cell<u32>);

#[cfg(test)]
impl Word for PlainWord {
    #[inline]
    fn load(&self, _: Ordering) -> u32 {
        self.0.get()
    }

    #[inline]
    fn store(&self, value: u32, _: Ordering) {
        self.0.set(value);
    }

    #[inline]
    fn replace(&self, old: u32, new: u32, _: Ordering) -> bool {
        let equal = self.0.get() == old;
        if equal {
            self.0.set(new);
        }
        equal
    }

    #[inline]
    fn fence(_: Ordering) {}
}

/// The word of the tables. Without threads, compilers emit plain memory accesses.
pub type NativeWord = AtomicU32;
