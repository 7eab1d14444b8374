//! Search limits.

use sabi_shogi::Move;
use std::time::Instant;

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

    /// Whether the search starts on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.ponder && !self.infinite
    }

    /// Whether only a signal ends this search: no limit of time, depth or nodes.
    pub fn is_endless(&self) -> bool {
        self.time == TimeControl::Unlimited && self.depth.is_none() && self.nodes.is_none()
    }
}
