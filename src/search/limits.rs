//! What a search is asked for.

use crate::types::Move;
use std::time::Instant;

/// How long the search may think.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum TimeControl {
    /// Until it is told to stop, or another limit is reached.
    #[default]
    Unlimited,
    /// Exactly this many milliseconds.
    MoveTime(u64),
    /// By the clocks of the game.
    Clock(GameClock),
}

/// The clocks of a game, in milliseconds, Black first.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct GameClock {
    /// What is left of the main time. It does not hold the increment already granted for this move.
    pub remaining: [u64; 2],
    /// What each move adds.
    pub increment: [u64; 2],
    /// What each move has once the main time is used up.
    pub byoyomi: u64,
}

/// One search order.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the order was received: all time counts from here.
    pub start: Instant,
    /// How long to think.
    pub time: TimeControl,
    /// Search no deeper than this.
    pub depth: Option<u32>,
    /// Search no more nodes than this (per process, not per thread).
    pub nodes: Option<u64>,
    /// Keep the answer back until told to stop.
    pub infinite: bool,
    /// Think on the opponent's time: keep the answer back until the ponder hit or stop, and count no time before.
    pub ponder: bool,
    /// Consider only these moves at the root; all when empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// No limit at all, counted from `start`.
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

    /// Whether it begins on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.ponder && !self.infinite
    }

    /// Whether neither time nor depth nor nodes end this search, so that only a signal does.
    pub fn is_endless(&self) -> bool {
        self.time == TimeControl::Unlimited && self.depth.is_none() && self.nodes.is_none()
    }
}
