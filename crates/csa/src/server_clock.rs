//! Game clocks as counted by the server.

use super::engine::TurnTime;
use sabi_records::Clock;
use sabi_shogi::Color;
use std::time::Duration;

/// Time per move in a game without a clock, in milliseconds.
const WITHOUT_CLOCK: u64 = 10_000;

/// Time rules of one side, in milliseconds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct TimeRules {
    /// Unit of the server.
    pub unit: u64,
    /// Total time; `None` if not given.
    pub total: Option<u64>,
    /// Byoyomi.
    pub byoyomi: u64,
    /// Increment per move.
    pub increment: u64,
    /// Uncounted time per move.
    pub delay: u64,
    /// Minimum cost of a move.
    pub least: u64,
    /// Whether a started unit counts as a full one.
    pub round_up: bool,
}

impl Default for TimeRules {
    fn default() -> Self {
        Self { unit: 1000, total: None, byoyomi: 0, increment: 0, delay: 0, least: 0, round_up: false }
    }
}

impl TimeRules {
    /// The same in milliseconds, after its times were read in units of the server.
    pub(super) fn scaled(self) -> Self {
        let scaled = |units: u64| units.saturating_mul(self.unit);
        let [byoyomi, increment, delay, least] = [self.byoyomi, self.increment, self.delay, self.least].map(scaled);
        Self { total: self.total.map(scaled), byoyomi, increment, delay, least, ..self }
    }

    /// Whether there is a clock.
    const fn is_limited(&self) -> bool {
        self.total.is_some() || self.byoyomi > 0 || self.increment > 0
    }

    /// Whether fractions of a second are dropped.
    pub(super) const fn drops_fractions(&self) -> bool {
        self.unit == 1000 && !self.round_up
    }

    /// Counted time of a move that took `elapsed`, if the server does not report it.
    fn counted_ms(&self, elapsed: Duration) -> u64 {
        let elapsed = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX).saturating_sub(self.delay);
        let unit = self.unit.max(1);
        let units = if self.round_up { elapsed.div_ceil(unit) } else { elapsed / unit };
        units.saturating_mul(unit).max(self.least)
    }
}

/// Both clocks, Black first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerClocks {
    pub rules: [TimeRules; 2],
    pub remaining: [u64; 2],
}

impl ServerClocks {
    /// The clocks at the start of the game.
    pub(super) fn new(rules: [TimeRules; 2]) -> Self {
        Self { rules, remaining: rules.map(|rules| rules.total.unwrap_or(0)) }
    }

    /// Counted time of a move, reported by the server or measured as `elapsed`.
    pub(super) fn used(&self, color: Color, reported: Option<Duration>, elapsed: Duration) -> Duration {
        reported.unwrap_or_else(|| Duration::from_millis(self.rules[color].counted_ms(elapsed)))
    }

    /// Deducts the time of a move; adds its increment if `with_increment`.
    pub(super) fn spend(&mut self, color: Color, used: Duration, with_increment: bool) {
        let used = u64::try_from(used.as_millis()).unwrap_or(u64::MAX);
        let increment = if with_increment { self.rules[color].increment } else { 0 };
        self.remaining[color] = self.remaining[color].saturating_add(increment).saturating_sub(used);
    }

    /// Time control of the engine for a move of `color`.
    pub(super) fn control(&self, color: Color) -> TurnTime {
        let rules = &self.rules[color];
        if !rules.is_limited() {
            return TurnTime::Fixed(WITHOUT_CLOCK);
        }
        TurnTime::Clock {
            remaining: self.remaining,
            increment: self.rules.map(|rules| rules.increment),
            // The larger of both; unused time is lost.
            byoyomi: rules.byoyomi.saturating_add(rules.delay),
        }
    }

    /// Maximum time for a move of `color`; `None` if unlimited.
    pub(super) fn available(&self, color: Color) -> Option<Duration> {
        let rules = &self.rules[color];
        let each = rules.byoyomi.saturating_add(rules.increment).saturating_add(rules.delay);
        rules.is_limited().then(|| Duration::from_millis(self.remaining[color].saturating_add(each)))
    }

    /// As clocks of a record.
    pub(super) fn of_record(&self) -> [Option<Clock>; 2] {
        self.rules.map(|rules| {
            let [main, byoyomi, increment] =
                [rules.total.unwrap_or(0), rules.byoyomi, rules.increment].map(Duration::from_millis);
            rules.is_limited().then_some(Clock { main, byoyomi, increment })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    fn clocks(rules: TimeRules) -> ServerClocks {
        ServerClocks::new([rules; 2])
    }

    fn control(clocks: &ServerClocks, color: Color) -> (u64, u64, u64) {
        match clocks.control(color) {
            TurnTime::Clock { remaining, increment, byoyomi } => (remaining[color], increment[color], byoyomi),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn byoyomi_after_main_time() {
        let mut clocks = clocks(TimeRules { total: Some(20_000), byoyomi: 10_000, ..TimeRules::default() });
        clocks.spend(Color::Black, seconds(15), true);
        assert_eq!(control(&clocks, Color::Black), (5_000, 0, 10_000));
        clocks.spend(Color::Black, seconds(14), true);
        assert_eq!(control(&clocks, Color::Black), (0, 0, 10_000));
        assert_eq!(control(&clocks, Color::White), (20_000, 0, 10_000));
        assert_eq!(clocks.available(Color::White), Some(seconds(30)));
    }

    #[test]
    fn increment_before_move() {
        let mut clocks = clocks(TimeRules { total: Some(5_000), increment: 10_000, ..TimeRules::default() });
        clocks.spend(Color::White, seconds(12), true);
        assert_eq!(control(&clocks, Color::White), (3_000, 10_000, 0));
        clocks.spend(Color::White, seconds(2), false);
        assert_eq!(control(&clocks, Color::White), (1_000, 10_000, 0));
    }

    #[test]
    fn clocks_by_side_and_delay() {
        let black = TimeRules { total: Some(60_000), delay: 3_000, ..TimeRules::default() };
        let white = TimeRules { byoyomi: 1_000, ..TimeRules::default() };
        let clocks = ServerClocks::new([black, white]);
        assert_eq!(control(&clocks, Color::Black), (60_000, 0, 3_000));
        assert_eq!(control(&clocks, Color::White), (0, 0, 1_000));
        let none = ServerClocks::new([TimeRules::default(); 2]);
        assert_eq!(none.control(Color::Black), TurnTime::Fixed(WITHOUT_CLOCK));
        assert_eq!((none.available(Color::Black), none.of_record()), (None, [None, None]));
    }

    #[test]
    fn measured_times_are_rounded_to_the_unit() {
        let used = |rules: TimeRules, reported: Option<u64>, ms| {
            let clocks = ServerClocks::new([rules; 2]);
            clocks.used(Color::Black, reported.map(seconds), Duration::from_millis(ms)).as_millis()
        };
        let rules = TimeRules::default();
        assert_eq!((used(rules, Some(3), 9_999), used(rules, None, 1_999)), (3_000, 1_000));
        let minutes = TimeRules { unit: 60_000, ..rules };
        assert_eq!((used(minutes, Some(2), 0), used(minutes, None, 59_999)), (2_000, 0));
        let up = TimeRules { round_up: true, least: 1_000, ..rules };
        assert_eq!((used(up, None, 1_001), used(up, None, 0)), (2_000, 1_000));
        assert_eq!(used(TimeRules { unit: 1, delay: 500, ..rules }, None, 1_234), 734);
    }
}
