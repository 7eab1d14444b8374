//! When to stop thinking.
//!
//! [`TimePlan`] is arithmetic only: from the clocks and the settings to three durations. [`Clock`] is the one place in the
//! search that looks at the time.

use super::limits::{GameClock, TimeControl};
use super::settings::TimeSettings;
use crate::types::Color;
use std::time::{Duration, Instant};

/// How long to think, in milliseconds from the moment own time began to run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct TimePlan {
    /// Not shorter than this.
    pub minimum: u64,
    /// About this long in a quiet position.
    pub optimum: u64,
    /// Never longer than this.
    pub maximum: u64,
}

/// Moves of one side that the remaining time is spread over at the start of a game, and late in it.
const HORIZON: (u64, u64) = (48, 38);
/// The greatest multiple of the usual time that one move may take.
const STRETCH: u64 = 5;

impl TimePlan {
    /// The plan for a move of `color` with number `ply`.
    pub(super) fn new(clock: &GameClock, color: Color, ply: u32, settings: &TimeSettings) -> Self {
        let (main, increment, byoyomi) = (clock.remaining[color], clock.increment[color], clock.byoyomi);
        let total = main.saturating_add(increment).saturating_add(byoyomi);
        let limit = total.saturating_sub(margin(total, settings));
        // With hardly any main time left the byoyomi is used to its end: what is not used is lost.
        if byoyomi > 0 && main < byoyomi.saturating_mul(6) / 5 {
            return Self { minimum: limit, optimum: limit, maximum: limit };
        }
        let horizon = HORIZON.0.saturating_sub(u64::from(ply) / 4).max(HORIZON.1);
        // Each of those moves loses a little time on its way; near the end of the clock that is most of it.
        let lost = horizon.saturating_mul(settings.network_delay).min(main / 2);
        let share = ((main - lost) / horizon).saturating_add(increment * 9 / 10).saturating_add(byoyomi * 9 / 10);
        let optimum = (share.saturating_mul(settings.slow_mover) / 100).min(limit);
        // Nearly all of the main time in one move would leave nothing for the next emergency.
        let generous = (main / 5).saturating_add(increment).saturating_add(byoyomi);
        let maximum = optimum.saturating_mul(STRETCH).min(generous.max(optimum)).min(limit);
        let floor = settings.minimum.saturating_sub(settings.network_delay);
        // What is not used of the byoyomi is lost.
        let floor = floor.max(byoyomi * 7 / 10);
        let minimum = floor.min((main / 80).saturating_add(increment).saturating_add(byoyomi)).min(maximum);
        Self { minimum, optimum: optimum.max(minimum), maximum }
    }

    /// The next moment at or after `elapsed` at which a clock that counts whole seconds ticks, less the delay; within the plan.
    pub(super) fn round_up(&self, elapsed: u64, settings: &TimeSettings) -> u64 {
        if !settings.round_up {
            return elapsed.max(self.minimum).min(self.maximum);
        }
        let delay = settings.network_delay.min(500);
        let tick = (elapsed.max(self.minimum) + delay).div_ceil(1000) * 1000;
        (tick - delay).min(self.maximum)
    }
}

/// What is held back so that the flag never falls: the full delays where there is time enough, a share of the time where there is not.
fn margin(total: u64, settings: &TimeSettings) -> u64 {
    (total / 10).min(settings.network_delay2).max(settings.network_delay.min(total / 4))
}

/// The running clock of one search.
#[derive(Debug)]
pub(super) struct Clock {
    start: Instant,
    /// When own time began to run: `start`, or the ponder hit.
    own: Instant,
    plan: Option<TimePlan>,
    /// Whether the plan is an order, not a budget.
    exact: bool,
    settings: TimeSettings,
    /// Set once it is decided when to stop.
    deadline: Option<u64>,
}

impl Clock {
    /// A clock that runs from `start` without an end.
    pub(super) fn new(start: Instant, settings: TimeSettings) -> Self {
        Self { start, own: start, plan: None, exact: false, settings, deadline: None }
    }

    /// Own time runs from `at` under this control.
    pub(super) fn set(&mut self, control: TimeControl, at: Instant, color: Color, ply: u32) {
        self.own = at;
        self.plan = match control {
            TimeControl::Unlimited => None,
            TimeControl::MoveTime(ms) => Some(TimePlan { minimum: ms, optimum: ms, maximum: ms }),
            TimeControl::Clock(clock) => Some(TimePlan::new(&clock, color, ply, &self.settings)),
        };
        self.exact = matches!(control, TimeControl::MoveTime(_));
        self.deadline = None;
    }

    /// Time since the order was received.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether a time limit has been set.
    pub(super) fn is_limited(&self) -> bool {
        self.plan.is_some()
    }

    /// Whether thinking must end now.
    pub(super) fn is_over(&self) -> bool {
        let Some(plan) = self.plan else { return false };
        self.own.elapsed().as_millis() as u64 >= self.deadline.unwrap_or(plan.maximum)
    }

    /// Between two iterations: decides whether thinking ends. `stretch` says how much longer than usual this position
    /// deserves. When a clock of whole seconds would be left unused, only the moment is fixed, and thinking goes on till then.
    pub(super) fn consider_stopping(&mut self, stretch: f64) {
        let Some(plan) = self.plan else { return };
        if self.deadline.is_some() || plan.optimum == plan.maximum {
            return;
        }
        // What was thought on the opponent's time counts as done.
        let thought = self.start.elapsed().as_millis() as u64;
        let wanted = (plan.optimum as f64 * stretch) as u64;
        // Another iteration takes about as long as all before it: one that cannot be finished is not begun.
        if thought >= wanted * 7 / 10 {
            let now = self.own.elapsed().as_millis() as u64;
            self.deadline = Some(plan.round_up(now, &self.settings));
        }
    }

    /// There is nothing to think about: stops as early as order and settings allow.
    pub(super) fn stop_early(&mut self) {
        if let Some(plan) = self.plan.filter(|_| !self.exact) {
            let now = self.own.elapsed().as_millis() as u64;
            self.deadline = Some(if self.settings.round_up { plan.round_up(now, &self.settings) } else { now });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(main: u64, increment: u64, byoyomi: u64, ply: u32) -> TimePlan {
        let clock = GameClock { remaining: [main; 2], increment: [increment; 2], byoyomi };
        TimePlan::new(&clock, Color::Black, ply, &TimeSettings::default())
    }

    #[test]
    fn no_plan_ever_exceeds_the_clock() {
        for main in [0, 1, 7, 50, 300, 999, 1000, 5000, 60_000, 900_000, 36_000_000, u64::MAX] {
            for increment in [0, 1, 100, 1000, 10_000, u64::MAX / 10] {
                for byoyomi in [0, 1, 10, 100, 1000, 10_000, 60_000, u64::MAX / 10] {
                    for ply in [1, 40, 150, 400] {
                        let plan = plan(main, increment, byoyomi, ply);
                        let total = main.saturating_add(increment).saturating_add(byoyomi);
                        assert!(plan.minimum <= plan.optimum && plan.optimum <= plan.maximum, "{plan:?}");
                        assert!(plan.maximum <= total);
                        assert!(total < 40 || plan.maximum < total, "some of {total} is held back: {plan:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_time_means_at_once() {
        assert_eq!(plan(0, 0, 0, 1), TimePlan { minimum: 0, optimum: 0, maximum: 0 });
    }

    #[test]
    fn byoyomi_is_used_to_its_end_less_the_delay() {
        assert_eq!(plan(0, 0, 10_000, 60).maximum, 9_000);
        assert_eq!(plan(0, 0, 1_000, 60), TimePlan { minimum: 880, optimum: 880, maximum: 880 });
        assert_eq!(plan(0, 0, 60_000, 60).minimum, 58_880);
    }

    #[test]
    fn a_game_can_be_played_to_its_end() {
        let mut main = 300_000;
        for number in 0..250u32 {
            let plan = plan(main, 0, 0, number * 2 + 1);
            assert!(plan.maximum < main);
            main -= plan.optimum.max(1) + 5;
        }
        assert!(main > 1000, "{main}");
    }

    #[test]
    fn whole_seconds_are_used_up() {
        let settings = TimeSettings { round_up: true, ..TimeSettings::default() };
        let plan = TimePlan { minimum: 500, optimum: 3_000, maximum: 10_000 };
        assert_eq!(plan.round_up(2_100, &settings), 2_880);
        assert_eq!(plan.round_up(2_900, &settings), 3_880);
        assert_eq!(plan.round_up(100, &settings), 880);
        assert_eq!(plan.round_up(9_990, &settings), 10_000);
    }
}
