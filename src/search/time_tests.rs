//! What the clock does to a running search: a ponder hit, and half of the time used.

use super::mate_probe::MateProbe;
use super::root_move::root_moves;
use super::worker::{MainThread, Shared, ThreadData, Worker};
use super::{GameClock, Limits, PonderHit, Settings, Signals, TimeControl, TimeSettings};
use crate::eval::{EvalType, Evaluation};
use crate::mate::solver::MateSolver;
use crate::table::TranspositionTable;
use sabi_shogi::Position;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// At move 1 the optimum is 10 s and the maximum 50 s.
const CLOCK: TimeControl = TimeControl::Clock(GameClock { remaining: [600_000; 2], increment: [0; 2], byoyomi: 0 });
/// More than the optimum, and far from the maximum.
const LONG_AGO: Duration = Duration::from_secs(20);

/// Enough iterations for a settled best move.
const DEPTH: u32 = 8;

/// What the threads of a search share.
struct Search {
    position: Position,
    table: TranspositionTable,
    settings: Settings,
    limits: Limits,
    signals: Signals,
    evaluation: Evaluation,
}

impl Search {
    fn new(limits: Limits) -> Self {
        let time = TimeSettings { network_delay: 0, network_delay2: 0, minimum: 0, slow_mover: 100, round_up: false };
        Self {
            position: Position::startpos(),
            table: TranspositionTable::new(1, 0).unwrap(),
            settings: Settings { time, ..Settings::default() },
            limits,
            signals: Signals::default(),
            evaluation: Evaluation::embedded(EvalType::HandCrafted),
        }
    }

    fn shared(&self) -> Shared<'_> {
        Shared::new((&self.table, None), &self.evaluation, &self.settings, &self.limits, &self.signals, 2)
    }

    /// The thread of this index in its state after `act`.
    fn with_worker(&self, shared: &Shared<'_>, index: usize, act: impl FnOnce(&mut Worker<'_>, &mut MateProbe<'_>)) {
        let mut data = ThreadData::new().unwrap();
        let roots = root_moves(&self.position, &self.settings, &[]);
        let (mut solver, mut listener) = (MateSolver::new(1).unwrap(), |_: &_| ());
        let mut worker = Worker::new(shared, index, &mut data, &self.position, roots);
        worker.main = (index == 0).then(|| MainThread::new(&mut listener, None));
        act(&mut worker, &mut MateProbe::new(&mut solver));
    }
}

fn ago(time: Duration) -> Instant {
    Instant::now() - time
}

/// The time spent pondering is enough for a move, but a move that fails low is not played: its
/// iteration is finished first.
#[test]
fn ponder_hit_during_fail_low() {
    let limits = Limits { time: CLOCK, ponder: true, ..Limits::unlimited(ago(LONG_AGO)) };
    for (index, failing_low, stops) in [(0, false, true), (0, true, false), (1, false, false)] {
        let search = Search::new(limits.clone());
        let shared = search.shared();
        search.with_worker(&shared, index, |worker, _| {
            worker.completed_depth = 1;
            worker.failing_low = failing_low;
            worker.check_limits(0);
            assert!(worker.time.is_pondering() && !worker.is_halted(), "stopped before the hit");
            search.signals.ponder_hit(PonderHit { at: Instant::now(), time: None });
            worker.check_limits(0);
            assert!(!worker.time.is_pondering());
            assert_eq!(worker.is_halted(), stops, "thread {index}, failing low: {failing_low}");
        });
    }
}

/// The hit starts a clock that probes do not know.
#[test]
fn ponder_hit_ends_mate_probes() {
    let search = Search::new(Limits { time: CLOCK, ponder: true, ..Limits::unlimited(Instant::now()) });
    let shared = search.shared();
    search.with_worker(&shared, 0, |worker, _| {
        assert!(!worker.ends_probes());
        search.signals.ponder_hit(PonderHit { at: Instant::now(), time: None });
        assert!(worker.ends_probes());
        worker.check_limits(0);
        assert!(!worker.ends_probes(), "the clock is known now");
    });
}

/// The main thread tells all threads.
#[test]
fn half_of_the_time_used() {
    for (time, expected) in [(Duration::ZERO, false), (LONG_AGO, true)] {
        let search = Search::new(Limits { time: CLOCK, depth: Some(DEPTH), ..Limits::unlimited(ago(time)) });
        let shared = search.shared();
        search.with_worker(&shared, 0, |worker, mates| worker.deepen(Some(mates)));
        assert_eq!(shared.half_used.load(Ordering::Relaxed), expected, "after {time:?}");
    }
}

/// Every thread then searches at reduced depth.
#[test]
fn reduced_depth_after_half_of_the_time() {
    for index in [0, 1] {
        // A search without a clock leaves the flag alone.
        let nodes = [false, true].map(|half_used| {
            let search = Search::new(Limits { depth: Some(DEPTH), ..Limits::unlimited(Instant::now()) });
            let shared = search.shared();
            shared.half_used.store(half_used, Ordering::Relaxed);
            search.with_worker(&shared, index, |worker, mates| {
                worker.deepen((index == 0).then_some(mates));
                assert_eq!(worker.search_again_counter, if half_used { DEPTH as i32 } else { 0 }, "thread {index}");
            });
            shared.counters[index].get()
        });
        assert!(nodes[1] < nodes[0] / 2, "thread {index}: {nodes:?} nodes");
    }
}
