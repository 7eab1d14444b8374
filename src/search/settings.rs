//! What the user sets and search obeys.

use crate::movegen::Promotions;
use crate::position::EnteringKingRule;

/// The settings of a search. They stay the same while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many best lines to find.
    pub multi_pv: usize,
    /// A game longer than this many moves is a draw; `None` without such a rule.
    pub max_moves: Option<u32>,
    /// What a draw is worth to the engine when it plays Black, and when it plays White, in centipawns.
    pub draw_value: [i32; 2],
    /// The rule of declaration.
    pub entering_king: EnteringKingRule,
    /// Whether choices that are hardly ever better are searched too.
    pub promotions: Promotions,
    /// Shortest time between two reports of the same depth, in milliseconds.
    pub report_interval: u64,
    /// Whether to report scores that are only bounds.
    pub report_bounds: bool,
    /// Whether lines are reported as far as the table knows them, and no bounds.
    pub consideration: bool,
    /// Whether to count what happens in the tables.
    pub statistics: bool,
    /// How time is spent.
    pub time: TimeSettings,
}

/// How time is spent, in milliseconds where not said otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeSettings {
    /// Taken off every move for the way to the server and back.
    pub network_delay: u64,
    /// Taken off where the flag would fall.
    pub network_delay2: u64,
    /// No move is played faster, where the clock allows it.
    pub minimum: u64,
    /// How much of the usual time to use, in percent.
    pub slow_mover: u64,
    /// Whether the clock counts whole seconds only, so that a started one may as well be used up.
    pub round_up: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            max_moves: None,
            draw_value: [-2; 2],
            entering_king: EnteringKingRule::default(),
            promotions: Promotions::default(),
            report_interval: 300,
            report_bounds: true,
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
