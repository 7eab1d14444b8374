//! The word that shared memory is made of, in a form for threads and in one for where there are none.

#[cfg(test)]
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU32, Ordering, fence};

/// Thirty-two bits that are read and written through a shared reference.
///
/// What is built on this is written once; whether it pays for atomic operations is decided by the implementation. Orderings
/// mean what they mean for [`AtomicU32`].
pub trait Word {
    /// The present value.
    fn load(&self, order: Ordering) -> u32;

    /// Sets the value.
    fn store(&self, value: u32, order: Ordering);

    /// Sets `new` if the value is `old`, and tells whether it was. Relaxed when it was not.
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

/// A word of one thread: plain memory, for tests.
#[cfg(test)]
#[derive(Debug, Default, Zeroable)]
#[repr(transparent)]
pub struct SoloWord(std::cell::Cell<u32>);

#[cfg(test)]
impl Word for SoloWord {
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

/// The word of the tables. Where there are no threads, compilers make plain memory of it.
pub type NativeWord = AtomicU32;
