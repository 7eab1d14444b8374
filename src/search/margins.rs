//! Margins, reductions and bonuses as pure functions of depth and circumstance.

use super::params as p;
use std::sync::LazyLock;

/// Below this depth a hopeless position goes straight to quiescence search.
pub(super) const RAZOR_DEPTH: i32 = 5;
/// Below this depth an evaluation far above beta is believed.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 9;
/// From this depth ProbCut is tried.
pub(super) const PROBCUT_DEPTH: i32 = 5;
/// From this depth a node without a table move is searched one ply less.
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 5;
/// From this depth a table move is tested for being singular.
pub(super) const SINGULAR_DEPTH: i32 = 7;

/// How many quiet answers to a check quiescence search tries once one has averted mate.
pub(super) const QUIESCENCE_EVASIONS: i32 = 3;

/// How many captures quiescence search tries, besides retaking and giving check.
pub(super) const QUIESCENCE_MOVES: i32 = 3;

/// How far the evaluation must lie below alpha to be hopeless.
pub(super) fn razor(depth: i32) -> i32 {
    p::razor_base() + p::razor_factor() * depth * depth
}

/// How far the evaluation must lie above beta to be believed.
pub(super) fn reverse_futility(depth: i32, improving: bool) -> i32 {
    p::reverse_futility_margin() * depth - p::reverse_futility_improving() * i32::from(improving)
}

/// How far above beta the static evaluation must lie for a null move to be worth trying: shallow searches after it hardly see
/// more than the evaluation does, deep ones may find that beta is beaten all the same.
pub(super) fn null_move_demand(depth: i32) -> i32 {
    p::null_move_margin() - p::null_move_margin_per_depth() * depth
}

/// By how many plies the search after a null move is shorter.
pub(super) fn null_move_reduction(depth: i32, above_beta: i32) -> i32 {
    let by_depth = depth / p::null_move_depth_divisor();
    let by_eval = (above_beta / p::null_move_eval_divisor()).clamp(0, 3);
    p::null_move_base() + by_depth + by_eval
}

/// How far beyond beta ProbCut wants to go.
pub(super) fn probcut(improving: bool) -> i32 {
    p::probcut_margin() - p::probcut_improving() * i32::from(improving)
}

/// How many moves are tried before quiet ones are skipped.
pub(super) fn late_move_count(depth: i32, improving: bool) -> i32 {
    let count = 4 + depth * depth;
    if improving { count } else { count / 2 }
}

/// How far the static evaluation may lie below alpha for a quiet move still to be tried.
pub(super) fn futility(depth: i32) -> i32 {
    p::futility_base() + p::futility_factor() * depth
}

/// The same for captures, whose gain is added by the caller.
pub(super) fn capture_futility(depth: i32) -> i32 {
    p::capture_futility_base() + p::capture_futility_factor() * depth
}

/// The worst exchange a quiet move may start.
pub(super) fn see_quiet(depth: i32) -> i32 {
    -p::see_quiet_factor() * depth * depth
}

/// The worst exchange a capture may start.
pub(super) fn see_capture(depth: i32) -> i32 {
    -p::see_capture_factor() * depth
}

/// How far below the table's score the alternatives must stay for its move to be singular.
pub(super) fn singular(depth: i32) -> i32 {
    p::singular_margin() * depth / 64
}

/// Bonus for the move that was right, and malus for those tried before it.
pub(super) fn history_bonus(depth: i32) -> i32 {
    (p::history_bonus_factor() * depth - p::history_bonus_factor() / 2).min(p::history_bonus_max())
}

/// Natural logarithms in 128ths.
static LOGARITHMS: LazyLock<[i32; 256]> =
    LazyLock::new(|| std::array::from_fn(|n| (f64::from(n.max(1) as u32).ln() * 128.0) as i32));

/// Base reductions of late moves in 1024ths of a ply, by depth and number of the move.
#[derive(Clone, Debug)]
pub(super) struct Reductions {
    logarithms: &'static [i32; 256],
}

impl Reductions {
    /// Prepares the logarithms if that is still to be done.
    pub(super) fn new() -> Self {
        Self { logarithms: &LOGARITHMS }
    }

    /// The base reduction.
    #[inline]
    pub(super) fn get(&self, depth: i32, number: i32) -> i32 {
        let log = |n: i32| self.logarithms[n.clamp(0, 255) as usize];
        p::reduction_base() + ((log(depth) * log(number)) >> 7) * p::reduction_factor() / 128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_grow_with_depth() {
        for depth in 1..20 {
            assert!(razor(depth + 1) > razor(depth));
            assert!(reverse_futility(depth + 1, true) > reverse_futility(depth, true));
            assert!(reverse_futility(depth, false) >= reverse_futility(depth, true));
            assert!(late_move_count(depth + 1, false) >= late_move_count(depth, false));
            assert!(see_quiet(depth + 1) < see_quiet(depth));
            assert!(history_bonus(depth + 1) >= history_bonus(depth));
            assert!(null_move_reduction(depth, 10_000) == null_move_reduction(depth, 0) + 3);
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::new();
        for depth in 1..60 {
            for number in 1..300 {
                assert!(reductions.get(depth + 1, number) >= reductions.get(depth, number));
                assert!(reductions.get(depth, number + 1) >= reductions.get(depth, number));
            }
        }
        assert!((2048..6144).contains(&reductions.get(12, 20)));
    }
}
