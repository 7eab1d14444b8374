//! Time management: how long a move may take.
//!
//! [`TimePlan`] is pure arithmetic: clocks and settings in, three durations out. [`TimeManager`] is
//! the only place in the search that reads the time. [`TimeFactors`] scale the optimum after each
//! iteration, by pure functions: `falling_eval * stability * instability * effort`.

use super::limits::{GameClock, Limits, PonderHit, TimeControl, TimeSettings};
use sabi_shogi::{Color, Move, Position, Score};
use std::time::{Duration, Instant};

/// Time budget of one move, in milliseconds since own time began to run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct TimePlan {
    pub minimum: u64,
    /// Target in a quiet position.
    pub optimum: u64,
    /// Hard limit.
    pub maximum: u64,
}

/// `maximum` is at most this multiple of `optimum`.
const MAXIMUM_FACTOR: u64 = 5;

impl TimePlan {
    /// The plan for move number `ply` of `color`:
    ///
    /// `optimum = slow_mover / 100 * ((main - lost) / moves_to_go + increment + byoyomi)`,
    /// `maximum = min(5 * optimum, 0.3 * main + increment + byoyomi)`,
    /// both within the remaining time less a reserve, where `lost` is the network delay of those
    /// moves. All of the time if `main < 1.2 * byoyomi`.
    pub(super) fn new(clock: &GameClock, color: Color, ply: u32, settings: &TimeSettings) -> Self {
        let (main, increment, byoyomi) = (clock.remaining[color], clock.increment[color], clock.byoyomi);
        let each = increment.saturating_add(byoyomi);
        let total = main.saturating_add(each);
        let limit = total.saturating_sub(reserve(total, settings));
        // With hardly any main time left, use up the byoyomi: it cannot be saved.
        if byoyomi > 0 && main < byoyomi.saturating_mul(6) / 5 {
            return Self { minimum: limit, optimum: limit, maximum: limit };
        }
        // A little more own moves than are left on average at this ply.
        let moves = 60_u64.saturating_sub(u64::from(ply) * 3 / 8).max(24);
        let lost = moves.saturating_mul(settings.network_delay).min(main / 2);
        let share = ((main - lost) / moves).saturating_add(each);
        let optimum = (share.saturating_mul(settings.slow_mover) / 100).min(limit);
        let generous = (main / 10 * 3).saturating_add(each).max(optimum);
        let maximum = optimum.saturating_mul(MAXIMUM_FACTOR).min(generous).min(limit);
        // Drop a minimum that the clock cannot afford on every move.
        let floor = settings.minimum.saturating_sub(settings.network_delay);
        let minimum = floor.min((main / 80).saturating_add(each)).min(maximum);
        Self { minimum, optimum: optimum.max(minimum), maximum }
    }

    /// Rounds `elapsed` up to the next full second less the network delay, within the plan.
    pub(super) fn round_up(&self, elapsed: u64, settings: &TimeSettings) -> u64 {
        if !settings.round_up {
            return elapsed.max(self.minimum).min(self.maximum);
        }
        let delay = settings.network_delay.min(500);
        let tick = elapsed.max(self.minimum).saturating_add(delay).div_ceil(1000).saturating_mul(1000);
        (tick - delay).min(self.maximum)
    }
}

/// Reserve against losing on time: the full delays where there is time enough, a share of the time
/// otherwise.
fn reserve(total: u64, settings: &TimeSettings) -> u64 {
    (total / 10).min(settings.network_delay2).max(settings.network_delay.min(total / 4))
}

impl Limits {
    /// Optimum time of the move at `position`, if there is a limit of time: none while pondering,
    /// before the ponder hit.
    pub fn optimum(&self, position: &Position, settings: &TimeSettings, hit: Option<PonderHit>) -> Option<Duration> {
        let mut time = TimeManager::new(self, settings.clone(), position.side_to_move(), position.ply());
        hit.into_iter().for_each(|hit| time.ponder_hit(hit, self.time));
        time.optimum().map(Duration::from_millis)
    }
}

/// The time of one search.
#[derive(Debug)]
pub(super) struct TimeManager {
    settings: TimeSettings,
    /// Side to move and number of the move.
    color: Color,
    ply: u32,
    start: Instant,
    /// Start of own time: `start`, or the ponder hit.
    own: Instant,
    pondering: bool,
    plan: Option<TimePlan>,
    /// Whether the time is fixed (`go movetime`), not a budget.
    exact: bool,
    /// When to stop, once decided.
    deadline: Option<u64>,
}

impl TimeManager {
    /// The time for move number `ply` of `color` under these limits. Without a limit of time while
    /// pondering.
    pub(super) fn new(limits: &Limits, settings: TimeSettings, color: Color, ply: u32) -> Self {
        let (start, pondering) = (limits.start, limits.ponder);
        let mut manager =
            Self { settings, color, ply, start, own: start, pondering, plan: None, exact: false, deadline: None };
        if !pondering {
            manager.set(limits.time);
        }
        manager
    }

    /// Own time begins; `planned` is the time control of `go`.
    pub(super) fn ponder_hit(&mut self, hit: PonderHit, planned: TimeControl) {
        self.pondering = false;
        self.own = hit.at;
        self.set(hit.time.unwrap_or(planned));
    }

    fn set(&mut self, control: TimeControl) {
        self.plan = match control {
            TimeControl::Unlimited => None,
            TimeControl::MoveTime(ms) => Some(TimePlan { minimum: ms, optimum: ms, maximum: ms }),
            TimeControl::Clock(clock) => Some(TimePlan::new(&clock, self.color, self.ply, &self.settings)),
        };
        self.exact = matches!(control, TimeControl::MoveTime(_));
        self.deadline = None;
    }

    /// Whether the search runs on the opponent's time.
    pub(super) fn is_pondering(&self) -> bool {
        self.pondering
    }

    /// Time since `go` was received.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether a time limit has been set.
    pub(super) fn is_limited(&self) -> bool {
        self.plan.is_some()
    }

    /// The optimum time of this move in milliseconds, if there is a time limit.
    pub(super) fn optimum(&self) -> Option<u64> {
        self.plan.map(|plan| plan.optimum)
    }

    /// Whether the search must stop now.
    pub(super) fn is_over(&self) -> bool {
        let Some(plan) = self.plan else { return false };
        self.own.elapsed().as_millis() as u64 >= self.deadline.unwrap_or(plan.maximum)
    }

    /// Called between iterations: stops if `optimum * factor` is used up. With `round_up`, sets the
    /// deadline to the end of the started second instead.
    pub(super) fn consider_stopping(&mut self, factor: f64) {
        let Some(plan) = self.plan else { return };
        if self.deadline.is_none() && plan.optimum < plan.maximum && self.used(plan, factor) >= 1.0 {
            let now = self.own.elapsed().as_millis() as u64;
            self.deadline = Some(plan.round_up(now, &self.settings));
        }
    }

    /// Whether more than half of `optimum * factor` is used up.
    pub(super) fn is_half_used(&self, factor: f64) -> bool {
        self.plan.is_some_and(|plan| plan.optimum < plan.maximum && self.used(plan, factor) > 0.5)
    }

    /// Share of `optimum * factor` used up, pondering time included.
    fn used(&self, plan: TimePlan, factor: f64) -> f64 {
        self.start.elapsed().as_millis() as f64 / (plan.optimum as f64 * factor).max(1.0)
    }

    /// The move is decided: stops at once or, with `round_up`, at the end of the started second,
    /// the minimum time included.
    pub(super) fn stop_early(&mut self) {
        if let Some(plan) = self.plan.filter(|_| !self.exact) {
            let now = self.own.elapsed().as_millis() as u64;
            self.deadline = Some(if self.settings.round_up { plan.round_up(now, &self.settings) } else { now });
        }
    }
}

/// Number of iterations over which the score difference is taken.
const SCORE_WINDOW: usize = 4;

/// Less time while the score rises, more while it falls: relative to the last move of the game
/// (`previous`) and to a few iterations ago (`earlier`). No extra time for a lost game.
fn falling_eval(previous: Score, earlier: Score, score: Score) -> f64 {
    let fall = 2 * (previous.get() - score.get()) + (earlier.get() - score.get());
    let open = 1.0 - (f64::from(score.get().abs()) / 3000.0).min(1.0);
    let factor = (0.85 + f64::from(fall) / 400.0).clamp(0.6, 1.6);
    if factor > 1.0 { 1.0 + (factor - 1.0) * open } else { factor }
}

/// Less time the longer the best move has been stable.
fn stability(iterations: i32) -> f64 {
    0.75 + 0.7 / (1.0 + (0.5 * (f64::from(iterations) - 7.0)).exp())
}

/// More time the more often the best move changed, per thread; changes are halved with each
/// iteration.
fn instability(changes: f64) -> f64 {
    1.0 + 1.5 * changes
}

/// Less time when nearly all nodes went to the best move.
fn effort(share: f64) -> f64 {
    (1.9 - 1.25 * share).clamp(0.7, 1.2)
}

/// Iteration data for the time factors.
pub(super) struct TimeFactors {
    /// Score of the last move of the game.
    previous: Option<Score>,
    /// Scores of all iterations.
    scores: Vec<Score>,
    best: Option<Move>,
    /// Iterations since the best move changed.
    stable: i32,
    /// Best move changes of all threads: decayed, and total.
    changes: f64,
    counted: u64,
}

impl TimeFactors {
    /// Factors of a new search, after a move with score `previous` in the same game.
    pub(super) fn new(previous: Option<Score>) -> Self {
        Self { previous, scores: Vec::new(), best: None, stable: 0, changes: 0.0, counted: 0 }
    }

    /// Adds an iteration; `changes` counts the best move changes of all threads so far.
    pub(super) fn add_iteration(&mut self, best: Move, score: Score, changes: u64, threads: usize) {
        self.changes = self.changes / 2.0 + (changes - self.counted) as f64 / threads as f64;
        self.counted = changes;
        self.stable = if self.best == Some(best) { self.stable + 1 } else { 0 };
        self.best = Some(best);
        self.scores.push(score);
    }

    /// The product of all factors; `share` is the share of nodes spent on the best move.
    pub(super) fn total(&self, share: f64) -> f64 {
        let Some(&score) = self.scores.last() else { return 1.0 };
        let earlier = self.scores[self.scores.len().saturating_sub(1 + SCORE_WINDOW)];
        let falling_eval = falling_eval(self.previous.unwrap_or(earlier), earlier, score);
        falling_eval * stability(self.stable) * instability(self.changes) * effort(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No network reserve.
    const LOCAL: TimeSettings =
        TimeSettings { network_delay: 0, network_delay2: 0, minimum: 0, slow_mover: 100, round_up: false };

    fn plan_with(settings: &TimeSettings, main: u64, increment: u64, byoyomi: u64, ply: u32) -> TimePlan {
        let clock = GameClock { remaining: [main; 2], increment: [increment; 2], byoyomi };
        TimePlan::new(&clock, Color::Black, ply, settings)
    }

    fn plan(main: u64, increment: u64, byoyomi: u64, ply: u32) -> TimePlan {
        plan_with(&TimeSettings::default(), main, increment, byoyomi, ply)
    }

    #[test]
    fn limits_never_exceed_clock() {
        let rounded = TimeSettings { round_up: true, ..TimeSettings::default() };
        for main in [0, 1, 7, 50, 300, 999, 1000, 5000, 60_000, 900_000, 36_000_000, 1 << 61, 1 << 63, u64::MAX] {
            for increment in [0, 1, 100, 1000, 10_000, u64::MAX / 10, 1 << 61, 1 << 63, u64::MAX] {
                for byoyomi in [0, 1, 10, 100, 1000, 10_000, 60_000, u64::MAX / 10, 1 << 61, 1 << 63, u64::MAX] {
                    for ply in [1, 40, 150, 400] {
                        let plan = plan(main, increment, byoyomi, ply);
                        let total = main.saturating_add(increment).saturating_add(byoyomi);
                        assert!(plan.minimum <= plan.optimum && plan.optimum <= plan.maximum, "{plan:?}");
                        assert!(plan.maximum <= total);
                        assert!(plan.round_up(total, &rounded) <= plan.maximum);
                        assert!(total < 40 || plan.maximum < total, "some of {total} is held back: {plan:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_time_moves_at_once() {
        assert_eq!(plan(0, 0, 0, 1), TimePlan { minimum: 0, optimum: 0, maximum: 0 });
    }

    #[test]
    fn byoyomi_minus_delay_is_used() {
        assert_eq!(plan(0, 0, 10_000, 60).maximum, 9_000);
        assert_eq!(plan(0, 0, 1_000, 60), TimePlan { minimum: 880, optimum: 880, maximum: 880 });
        assert_eq!(plan(0, 0, 60_000, 60).minimum, 58_880);
    }

    #[test]
    fn clock_lasts_for_a_whole_game() {
        for start in [3_000, 300_000] {
            let mut main = start;
            for number in 0..250u32 {
                let plan = plan_with(&LOCAL, main, 0, 0, number * 2 + 1);
                assert!(plan.maximum <= main);
                main = main.saturating_sub(plan.optimum.max(1));
                // A game of usual length takes most of the time, but not all.
                let left = main * 100 / start;
                assert!(number != 56 || (10..40).contains(&left), "{left} % left");
            }
        }
    }

    #[test]
    fn usual_time_controls() {
        for ((main, increment, byoyomi, ply), expected) in [
            ((600_000, 0, 0, 1), (10_000, 50_000)),
            ((600_000, 0, 0, 61), (15_789, 78_945)),
            ((600_000, 0, 0, 201), (25_000, 125_000)),
            ((60_000, 1_000, 0, 41), (2_333, 11_665)),
            ((600_000, 0, 30_000, 1), (40_000, 200_000)),
            ((20_000, 0, 10_000, 81), (10_666, 16_000)),
            ((5_000, 50, 0, 61), (181, 905)),
        ] {
            let plan = plan_with(&LOCAL, main, increment, byoyomi, ply);
            assert_eq!((plan.optimum, plan.maximum), expected, "{main} {increment} {byoyomi} at {ply}");
        }
    }

    /// The factor scales the optimum both ways, within the plan.
    #[test]
    fn factor_scales_optimum() {
        let ago = |ms| Instant::now() - Duration::from_millis(ms);
        let manager = |ms: u64| {
            let time = TimeControl::Clock(GameClock { remaining: [60_000; 2], ..GameClock::default() });
            TimeManager::new(&Limits { time, ..Limits::unlimited(ago(ms)) }, LOCAL, Color::Black, 1)
        };
        for (elapsed, factor, half, over) in [
            (400, 1.0, false, false),
            (600, 1.0, true, false),
            (1_100, 1.0, true, true),
            (600, 0.5, true, true),
            (1_100, 2.5, false, false),
            (5_100, 9.0, true, true),
        ] {
            let mut manager = manager(elapsed);
            assert_eq!(manager.is_half_used(factor), half, "{elapsed} {factor}");
            manager.consider_stopping(factor);
            assert_eq!(manager.is_over(), over, "{elapsed} {factor}");
        }
    }

    #[test]
    fn whole_seconds_are_used() {
        let settings = TimeSettings { round_up: true, ..TimeSettings::default() };
        let plan = TimePlan { minimum: 500, optimum: 3_000, maximum: 10_000 };
        assert_eq!(plan.round_up(2_100, &settings), 2_880);
        assert_eq!(plan.round_up(2_900, &settings), 3_880);
        assert_eq!(plan.round_up(100, &settings), 880);
        assert_eq!(plan.round_up(9_990, &settings), 10_000);
    }

    #[test]
    fn falling_score_takes_more_time() {
        let cp = Score::cp;
        for (previous, earlier, score, least, most) in [
            (cp(0), cp(0), cp(0), 0.84, 0.86),
            (cp(100), cp(100), cp(0), 1.4, 1.6),
            (cp(0), cp(0), cp(100), 0.6, 0.6),
            (cp(-3000), cp(-3000), cp(-4000), 1.0, 1.0),
            (cp(5000), Score::mate_in(3), Score::mated_in(2), 1.0, 1.0),
        ] {
            let factor = falling_eval(previous, earlier, score);
            assert!((least..=most).contains(&factor), "{factor} for {previous:?} {earlier:?} {score:?}");
        }
    }

    #[test]
    fn factors_are_monotone_and_bounded() {
        for n in 0..40 {
            assert!(stability(n + 1) < stability(n) && (0.75..1.45).contains(&stability(n)));
            assert!(instability(f64::from(n) + 1.0) > instability(f64::from(n)));
            let share = f64::from(n) / 40.0;
            assert!(effort(share + 0.025) <= effort(share) && (0.7..=1.2).contains(&effort(share)));
        }
    }

    #[test]
    fn best_move_changes_decay() {
        let (first, second): (Move, Move) = ("7g7f".parse().unwrap(), "2g2f".parse().unwrap());
        let mut factors = TimeFactors::new(None);
        assert_eq!(factors.total(0.5), 1.0);
        factors.add_iteration(first, Score::ZERO, 0, 1);
        let calm = factors.total(0.5);
        factors.add_iteration(second, Score::ZERO, 2, 1);
        let mut last = factors.total(0.5);
        assert!(last > 2.0 * calm);
        for _ in 0..8 {
            factors.add_iteration(second, Score::ZERO, 2, 1);
            assert!(factors.total(0.5) < last);
            last = factors.total(0.5);
        }
        assert!(last < calm);
    }
}
