//! A flag set at the end of a scope.

use std::sync::atomic::{AtomicBool, Ordering};

/// Sets a flag when dropped, also during a panic, so that threads polling it stop.
pub struct SetOnDrop<'a>(pub &'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
