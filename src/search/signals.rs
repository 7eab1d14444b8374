//! How a running search is told to end: the only thing it shares with the thread that commands it.

use super::limits::{Limits, TimeControl};
use crate::util::{COOPERATIVE, breathe, rest};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Stop and ponder-hit signals of one search.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    hit: AtomicBool,
    state: Mutex<Option<PonderHit>>,
    changed: Condvar,
}

/// The opponent played the expected move.
#[derive(Copy, Clone, Debug)]
pub struct PonderHit {
    /// When that was heard; own time runs from here.
    pub at: Instant,
    /// New clocks, if they were told.
    pub time: Option<TimeControl>,
}

impl Signals {
    fn lock(&self) -> MutexGuard<'_, Option<PonderHit>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the search to end as soon as it can.
    pub fn stop(&self) {
        let _guard = self.lock();
        self.stop.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// Whether the search must end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The same, asked by the search itself now and then: where no other thread listens, what was said meanwhile is heard first.
    #[inline]
    pub fn poll(&self) -> bool {
        breathe();
        self.is_stopped()
    }

    /// Turns pondering into thinking on own time.
    pub fn ponder_hit(&self, hit: PonderHit) {
        let mut guard = self.lock();
        *guard = Some(hit);
        self.hit.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// The ponder hit, once it has come.
    #[inline]
    pub fn hit(&self) -> Option<PonderHit> {
        if self.hit.load(Ordering::Acquire) { *self.lock() } else { None }
    }

    /// Sleeps as long as an order with these limits keeps its answer back: until the stop, or, when pondering, the ponder hit.
    pub fn hold_back(&self, limits: &Limits) {
        if limits.infinite || limits.ponder {
            self.wait(!limits.infinite);
        }
    }

    /// Sleeps until the search is stopped, or, if `or_hit`, until the ponder hit comes.
    fn wait(&self, or_hit: bool) {
        let mut guard = self.lock();
        while !(self.is_stopped() || or_hit && guard.is_some()) {
            if COOPERATIVE {
                drop(guard);
                rest();
                guard = self.lock();
            } else {
                guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}
