//! When a search stops: signals, limits and time.

use super::mate_probe::MateProbeResult;
use super::worker::Worker;
use std::sync::atomic::Ordering;

/// Maximum nodes of the first iteration after a stop.
const FIRST_ITERATION: u64 = 10_000;
/// Nodes between checks of time, limits and signals.
const POLL_INTERVAL: u64 = 512;
/// With a single legal move and a clock, stop at this depth.
const FORCED_MOVE_DEPTH: i32 = 10;

impl Worker<'_> {
    /// Whether the search must stop.
    #[inline]
    pub(super) fn is_halted(&self) -> bool {
        self.shared.halt.load(Ordering::Relaxed)
    }

    /// Checks time, limits and signals at intervals. Every thread does: with more threads than
    /// processors the main thread may be waiting.
    #[inline]
    pub(super) fn poll(&mut self) {
        let nodes = self.shared.counters[self.index].get();
        if nodes >= self.next_poll {
            self.check_limits(nodes);
        }
    }

    /// Checks time, limits and signals.
    pub(super) fn check_limits(&mut self, own_nodes: u64) {
        self.next_poll = own_nodes + POLL_INTERVAL;
        if self.time.is_pondering()
            && let Some(hit) = self.shared.signals.received_ponder_hit()
        {
            self.time.ponder_hit(hit, self.shared.limits.time);
            // The time used while pondering may be enough; after a fail low that is decided at the
            // end of the iteration, unless there is nothing to choose.
            if !self.failing_low || self.root_moves.len() == 1 {
                self.consider_stopping();
            }
        }
        self.report_if_due();
        let mut over = self.shared.signals.poll() || self.time.is_over() || self.lacks_limit();
        if let Some(limit) = self.shared.limits.nodes {
            let nodes = self.shared.nodes();
            over |= nodes >= limit;
            // With one thread the node limit is exact.
            self.next_poll = self.next_poll.min(own_nodes + limit.saturating_sub(nodes).max(1));
        }
        // Finish the first iteration: without it there is no sensible move.
        if over && (self.completed_depth > 0 || own_nodes >= FIRST_ITERATION) {
            self.shared.halt.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a ponder hit has left the search without any limit.
    fn lacks_limit(&self) -> bool {
        let limits = self.shared.limits;
        limits.ponder && !self.time.is_pondering() && !self.time.is_limited() && limits.is_endless()
    }

    /// Ends the search by the clock, if the time used is enough. The main thread decides.
    fn consider_stopping(&mut self) {
        let Some(main) = &self.main else { return };
        if self.root_moves.len() == 1 && self.completed_depth >= FORCED_MOVE_DEPTH {
            self.time.stop_early();
        } else {
            self.time.consider_stopping(main.time_factor);
        }
    }

    /// Called by the main thread between iterations: whether the time for this move is used up.
    pub(super) fn is_time_up(&mut self, probe: MateProbeResult) -> bool {
        let own_nodes = self.shared.counters[self.index].get();
        self.check_limits(own_nodes);
        let Some(main) = &mut self.main else { return false };
        let best = &self.root_moves[0];
        let changes = self.shared.best_move_changes.iter().map(|counter| counter.get()).sum();
        let share = best.nodes as f64 / own_nodes.max(1) as f64;
        main.factors.add_iteration(best.mv, best.line.score, changes, self.shared.counters.len());
        main.time_factor = main.factors.total(share);
        let factor = main.time_factor;
        if self.time.is_pondering() || self.shared.limits.infinite || !self.time.is_limited() {
            return false;
        }
        if probe != MateProbeResult::Refutation {
            self.consider_stopping();
            self.shared.half_used.store(self.time.is_half_used(factor), Ordering::Relaxed);
        }
        // After a refutation the new best move has not been searched as such.
        self.time.is_over()
    }
}
