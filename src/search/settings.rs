//! User settings of the search.

use crate::mate::solver::Mate;
use sabi_shogi::{EnteringKingRule, MAX_PLY, NonPromotions, Position};
use std::time::Duration;

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
