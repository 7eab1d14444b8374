//! A flag that is set at the end of a scope, whatever ends it.

use std::sync::atomic::{AtomicBool, Ordering};

/// Sets a flag when it goes, also in a panic: the threads that look at the flag then end too.
pub struct SetOnDrop<'a>(pub &'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
