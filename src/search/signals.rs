//! Signals to a running search.

use super::limits::{Limits, TimeControl};
use crate::util::{COOPERATIVE, wait_for_host, yield_to_host};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Stop and ponder hit of one search.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    hit: AtomicBool,
    state: Mutex<Option<PonderHit>>,
    changed: Condvar,
}

/// The ponder move was played.
#[derive(Copy, Clone, Debug)]
pub struct PonderHit {
    /// When it was received; own time runs from here.
    pub at: Instant,
    /// New clocks, if given.
    pub time: Option<TimeControl>,
}

impl Signals {
    fn lock(&self) -> MutexGuard<'_, Option<PonderHit>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the search.
    pub fn stop(&self) {
        let _guard = self.lock();
        self.stop.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// Whether the search must stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// [`Signals::is_stopped`], polled by the search; without threads it reads pending input first.
    #[inline]
    pub fn poll(&self) -> bool {
        yield_to_host();
        self.is_stopped()
    }

    /// Turns pondering into a normal search.
    pub fn ponder_hit(&self, hit: PonderHit) {
        let mut guard = self.lock();
        *guard = Some(hit);
        self.hit.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// The ponder hit, if received.
    #[inline]
    pub fn received_ponder_hit(&self) -> Option<PonderHit> {
        if self.hit.load(Ordering::Acquire) { *self.lock() } else { None }
    }

    /// Blocks until a search with these limits may return: until stop, or, when pondering, the
    /// ponder hit.
    pub fn wait_for_release(&self, limits: &Limits) {
        if limits.infinite || limits.ponder {
            self.wait(!limits.infinite);
        }
    }

    /// Blocks until stop or, if `or_hit`, the ponder hit.
    fn wait(&self, or_hit: bool) {
        let mut guard = self.lock();
        while !(self.is_stopped() || or_hit && guard.is_some()) {
            if COOPERATIVE {
                drop(guard);
                wait_for_host();
                guard = self.lock();
            } else {
                guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}
