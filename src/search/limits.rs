//! What a search is given: limits, settings, and signals while it runs.

use crate::machine::{COOPERATIVE, wait_for_host, yield_to_host};
use crate::mate::solver::Mate;
use sabi_shogi::{EnteringKingRule, MAX_PLY, Move, NonPromotions, Position};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the search may think.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum TimeControl {
    /// Until stopped or another limit is reached.
    #[default]
    Unlimited,
    /// Exactly this many milliseconds (`movetime`).
    MoveTime(u64),
    /// By the game clocks.
    Clock(GameClock),
}

/// The game clocks in milliseconds, Black first.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct GameClock {
    /// Main time left, without the increment already granted for this move.
    pub remaining: [u64; 2],
    /// Increment per move.
    pub increment: [u64; 2],
    /// Byoyomi per move.
    pub byoyomi: u64,
}

/// The limits of one search.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When `go` was received; all times count from here.
    pub start: Instant,
    /// Time control.
    pub time: TimeControl,
    /// Maximum depth.
    pub depth: Option<u32>,
    /// Maximum number of nodes, over all threads.
    pub nodes: Option<u64>,
    /// Do not return before stop.
    pub infinite: bool,
    /// Ponder: do not return before stop or ponder hit, and start the clock there.
    pub ponder: bool,
    /// Root moves to search; all when empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// No limit, counted from `start`.
    pub fn unlimited(start: Instant) -> Self {
        Self {
            start,
            time: TimeControl::Unlimited,
            depth: None,
            nodes: None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
        }
    }

    /// A limit of nodes, over all threads.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::unlimited(Instant::now()) }
    }

    /// A limit of milliseconds, counted from now.
    pub fn move_time(milliseconds: u64) -> Self {
        Self { time: TimeControl::MoveTime(milliseconds), ..Self::unlimited(Instant::now()) }
    }

    /// Whether the search starts on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.ponder && !self.infinite
    }

    /// Whether only a signal ends this search: no limit of time, depth or nodes.
    pub fn is_endless(&self) -> bool {
        self.time == TimeControl::Unlimited && self.depth.is_none() && self.nodes.is_none()
    }
}

/// Settings of a search, fixed while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Number of multi-PV lines.
    pub multi_pv: usize,
    /// A game longer than this many moves is a draw; `None`: no limit.
    pub max_moves: Option<u32>,
    /// Draw value when the engine plays Black and White, in centipawns.
    pub draw_value: [i32; 2],
    /// Entering king rule.
    pub entering_king: EnteringKingRule,
    /// Whether pointless non-promotions are generated.
    pub non_promotions: NonPromotions,
    /// Minimum interval between reports, in milliseconds.
    pub report_interval: u64,
    /// Report bounds (fail high and low) after this time, when they no longer flicker; `None`:
    /// never.
    pub report_bounds: Option<Duration>,
    /// Consideration mode: extend reported lines from the table and report no bounds.
    pub consideration: bool,
    /// Whether to collect table statistics.
    pub statistics: bool,
    /// Time management.
    pub time: TimeSettings,
}

/// Time management settings, in milliseconds unless noted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeSettings {
    /// Network delay per move.
    pub network_delay: u64,
    /// Reserve against losing on time.
    pub network_delay2: u64,
    /// Minimum thinking time, where the clock allows it.
    pub minimum: u64,
    /// Percentage of the optimum time to use.
    pub slow_mover: u64,
    /// Whether the clock counts full seconds only, so that a started second is used up.
    pub round_up: bool,
}

impl Settings {
    /// Default of `report_bounds`.
    pub const BOUNDS_AFTER: Duration = Duration::from_secs(3);

    /// Whether the game is longer than its limit: a draw, unless the side to move is mated.
    #[inline]
    pub fn is_past_last_move(&self, position: &Position) -> bool {
        self.max_moves.is_some_and(|last| position.ply() > last)
    }

    /// Maximum mate length: within the last move of the game and the range of scores.
    pub fn last_mate(&self, position: &Position) -> usize {
        let last = self.max_moves;
        last.map_or(MAX_PLY, |last| last.saturating_add(1).saturating_sub(position.ply()) as usize).min(MAX_PLY - 2)
    }

    /// Whether the game lasts until this mate by the side to move: neither the last move nor the
    /// defender's king on its goal square comes first.
    pub fn is_in_time(&self, position: &Position, mate: &Mate) -> bool {
        let is_try = self.entering_king == EnteringKingRule::Try;
        mate.line.len() <= self.last_mate(position)
            && !(is_try && position.king_nears_goal(!position.side_to_move(), mate.plies as usize / 2))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            max_moves: None,
            draw_value: [-2; 2],
            entering_king: EnteringKingRule::default(),
            non_promotions: NonPromotions::default(),
            report_interval: 300,
            report_bounds: Some(Self::BOUNDS_AFTER),
            consideration: false,
            statistics: false,
            time: TimeSettings::default(),
        }
    }
}

impl Default for TimeSettings {
    fn default() -> Self {
        Self { network_delay: 120, network_delay2: 1120, minimum: 2000, slow_mover: 100, round_up: false }
    }
}

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
