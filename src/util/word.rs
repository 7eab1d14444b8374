//! The word that shared memory is made of, in a form for threads and in one for where there are none.

use bytemuck::Zeroable;
use std::cell::Cell;
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

/// A word of one thread: plain memory.
#[derive(Debug, Default, Zeroable)]
#[repr(transparent)]
pub struct SoloWord(Cell<u32>);

// SAFETY: this target has no threads that could share memory, so nothing is ever shared between any.
#[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
unsafe impl Sync for SoloWord {}

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

/// The word of this target.
#[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
pub type NativeWord = SoloWord;
/// The word of this target.
#[cfg(not(all(target_family = "wasm", not(target_feature = "atomics"))))]
pub type NativeWord = AtomicU32;
