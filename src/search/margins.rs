//! Margins, reductions and bonuses as pure functions. Margins are in centipawns, reductions in
//! 1024ths of a ply.

use super::params as p;
use std::sync::LazyLock;

/// Above this depth a tt entry may cut off a node of the other kind (cut or all node).
pub(super) const TT_CUTOFF_ANY_NODE_DEPTH: i32 = 5;
/// From this depth on, reduce nodes without a tt move by one ply.
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 6;
/// Minimum depth of ProbCut.
pub(super) const PROBCUT_DEPTH: i32 = 3;
/// Minimum depth of singular extensions.
pub(super) const SINGULAR_DEPTH: i32 = 6;
/// Below this depth a move that raises alpha reduces the remaining moves.
pub(super) const ALPHA_RAISE_DEPTH: i32 = 14;
/// Reverse futility pruning below this depth.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 15;
/// Futility pruning of quiet moves below this reduced depth.
pub(super) const FUTILITY_DEPTH: i32 = 13;
/// Futility pruning of captures below this reduced depth.
pub(super) const CAPTURE_FUTILITY_DEPTH: i32 = 7;
/// After this many moves, quiescence search tries only recaptures and checks.
pub(super) const QUIESCENCE_MOVES: i32 = 2;
/// Continuation history bonus for a move searched again after a reduction.
pub(super) const POST_LMR_BONUS: i32 = 1400;

/// Added to the reduction of tt-pv positions before move pruning.
pub(super) const REDUCTION_TT_PV_BASE: i32 = 932;
/// Less reduction for the tt move.
pub(super) const REDUCTION_TT_MOVE: i32 = 2200;

/// The absolute correction in centipawns, for margins.
#[inline]
pub(super) fn correction_margin(correction: i32) -> i32 {
    correction.abs() / 1640
}

/// Razoring: margin below alpha.
pub(super) fn razor(depth: i32) -> i32 {
    p::razor_base() + p::razor_factor() * depth * depth
}

/// Reverse futility pruning: margin above beta.
#[inline]
pub(super) fn reverse_futility(
    depth: i32,
    improving: bool,
    opponent_worsening: bool,
    tt_hit: bool,
    threatened: bool,
    correction: i32,
) -> i32 {
    let per_ply = p::reverse_futility_margin() - p::reverse_futility_no_entry() * i32::from(!tt_hit);
    let less = p::reverse_futility_improving() * i32::from(improving)
        + p::reverse_futility_worsening() * i32::from(opponent_worsening);
    let threat = p::reverse_futility_threat() * i32::from(threatened);
    per_ply * depth - less * per_ply / 1024 + threat + correction.abs() / 1400
}

/// Null move: margin of the static eval above beta. Shallow null move searches see little more than
/// the static eval.
#[inline]
pub(super) fn null_move_margin(depth: i32, improving: bool, threatened: bool) -> i32 {
    p::null_move_margin()
        - p::null_move_margin_per_depth() * depth
        - p::null_move_margin_improving() * i32::from(improving)
        + p::null_move_threat() * i32::from(threatened)
}

/// Null move: reduction in plies. `above`: static eval less beta.
pub(super) fn null_move_reduction(depth: i32, above: i32) -> i32 {
    (p::null_move_base() + 1024 * depth / 3 + p::null_move_eval() * above.min(1000) / 64) / 1024
}

/// ProbCut: margin above beta.
pub(super) fn probcut(improving: bool) -> i32 {
    p::probcut_margin() - p::probcut_improving() * i32::from(improving)
}

/// Hindsight depth adjustment in plies, from the reduction of the prior move and `gain`, the sum of
/// the static evals of both sides: the gain of the side to move by the prior move.
#[inline]
pub(super) fn hindsight(depth: i32, prior_reduction: i32, opponent_worsening: bool, gain: i32) -> i32 {
    if prior_reduction >= 3 && !opponent_worsening {
        1
    } else if prior_reduction >= 2 && depth >= 2 && gain > p::hindsight_margin() {
        -1
    } else {
        0
    }
}

/// Late move pruning: number of moves before quiet moves are skipped.
#[inline]
pub(super) fn late_move_count(depth: i32, improving: bool) -> i32 {
    (p::late_move_base() + p::late_move_factor() * depth * depth) / (1024 * (2 - i32::from(improving)))
}

/// Futility pruning of quiet moves: margin below alpha, without the terms of the node.
#[inline]
pub(super) fn futility(lmr_depth: i32) -> i32 {
    p::futility_base() + p::futility_factor() * lmr_depth
}

/// Futility pruning of captures: margin; the caller adds the captured piece.
#[inline]
pub(super) fn capture_futility(lmr_depth: i32, history: i32) -> i32 {
    p::capture_futility_base() + p::capture_futility_factor() * lmr_depth + history / 7
}

/// SEE threshold of quiet moves.
#[inline]
pub(super) fn see_quiet(lmr_depth: i32) -> i32 {
    let depth = lmr_depth.max(0);
    -p::see_quiet_factor() * depth * depth
}

/// SEE threshold of captures and checks.
#[inline]
pub(super) fn see_capture(depth: i32, history: i32) -> i32 {
    -(p::see_capture_factor() * depth + history / 26).max(0)
}

/// Singular extension: margin below the tt score.
#[inline]
pub(super) fn singular_margin(depth: i32, was_pv: bool) -> i32 {
    (p::singular_margin() + p::singular_margin_pv() * i32::from(was_pv)) * depth / 64
}

/// Extension of a singular move in plies. `below`: how far the other moves fail below the singular
/// beta; `correction`: the correction margin; `late`: whether ply exceeds the root depth.
pub(super) fn singular_extension(
    (below, correction): (i32, i32),
    pv: bool,
    tt_pv: bool,
    tactical: bool,
    tt_move_history: i32,
    late: bool,
) -> i32 {
    let (pv, quiet, late) = (i32::from(pv), i32::from(!tactical), i32::from(late));
    let double = p::double_extension_pv() * pv
        - p::double_extension_quiet() * quiet
        - correction
        - tt_move_history / 115
        - p::double_extension_late() * late;
    let triple = p::triple_extension_base() + p::triple_extension_pv() * pv - p::triple_extension_quiet() * quiet
        + p::triple_extension_tt_pv() * i32::from(tt_pv)
        - correction
        - p::double_extension_late() * late;
    1 + i32::from(below > double) + i32::from(below > triple)
}

/// tt move history malus for a multi-cut.
pub(super) fn multi_cut_malus(depth: i32) -> i32 {
    (-400 - 100 * depth).max(-3400)
}

/// Natural logarithms, in 128ths.
static LOGARITHMS: LazyLock<[i32; 256]> =
    LazyLock::new(|| std::array::from_fn(|n| (f64::from(n.max(1) as u32).ln() * 128.0) as i32));

/// Base reductions: `ln(depth) * ln(move_number)`.
#[derive(Clone, Debug)]
pub(super) struct Reductions {
    logarithms: &'static [i32; 256],
}

impl Reductions {
    /// Computes the logarithms on first use.
    pub(super) fn new() -> Self {
        Self { logarithms: &LOGARITHMS }
    }

    /// The base reduction. `window` and `root_window` are `beta - alpha` of the node and of the
    /// root: a relatively wide window reduces less.
    #[inline]
    pub(super) fn get(&self, depth: i32, number: i32, improving: bool, window: i32, root_window: i32) -> i32 {
        let log = |n: i32| self.logarithms[n.clamp(0, 255) as usize];
        let scale = ((log(depth) * log(number)) >> 7) * p::reduction_factor() / 128;
        let not_improving = if improving { 0 } else { scale * p::reduction_not_improving() / 1024 };
        scale + not_improving + p::reduction_base() - p::reduction_window() * window / root_window.max(1)
    }
}

/// Less reduction at tt-pv nodes.
#[inline]
pub(super) fn reduction_tt_pv(pv: bool, above_alpha: bool, deep: bool, cut_node: bool) -> i32 {
    p::reduction_tt_pv()
        + p::reduction_pv() * i32::from(pv)
        + p::reduction_tt_above_alpha() * i32::from(above_alpha)
        + i32::from(deep) * (p::reduction_tt_deep() + p::reduction_tt_deep() * i32::from(cut_node))
}

/// Less reduction of checks, more of quiet drops.
#[inline]
pub(super) fn reduction_of_move(gives_check: bool, quiet_drop: bool) -> i32 {
    p::reduction_check() * i32::from(gives_check) - p::reduction_drop() * i32::from(quiet_drop)
}

/// More reduction by node type.
#[inline]
pub(super) fn reduction_of_node(
    move_count: i32,
    correction: i32,
    cut_node: bool,
    no_tt_move: bool,
    tt_tactical: bool,
) -> i32 {
    let cut = p::reduction_cut() + p::reduction_cut_no_tt_move() * i32::from(no_tt_move);
    p::reduction_constant() - p::reduction_move_count() * move_count - correction.abs() / 220
        + cut * i32::from(cut_node)
        + p::reduction_tt_tactical() * i32::from(tt_tactical)
}

/// More reduction after fail highs of earlier children.
#[inline]
pub(super) fn reduction_cutoffs(cutoffs: i32, all_node: bool) -> i32 {
    288 * i32::from(cutoffs > 1)
        + p::reduction_cutoffs() * i32::from(cutoffs > 2)
        + p::reduction_cutoffs_all() * i32::from(cutoffs > 1 && all_node)
}

/// Less reduction for moves with a good stat score.
#[inline]
pub(super) fn reduction_stat_score(stat_score: i32) -> i32 {
    stat_score * p::reduction_stat_score() / 1024
}

/// More reduction at all nodes.
#[inline]
pub(super) fn reduction_all_node(reduction: i32, depth: i32) -> i32 {
    reduction * 273 / (256 * depth + 260)
}

/// Depth adjustment of the research after a reduced move beat alpha; `above`: by how much it beats
/// the best score.
#[inline]
pub(super) fn research_depth(was_reduced: bool, above: i32) -> i32 {
    i32::from(was_reduced && above > p::research_deeper()) - i32::from(above < p::research_shallower())
}

/// Reduction in plies of a zero-window search without LMR.
#[inline]
pub(super) fn full_depth_reduction(reduction: i32, no_tt_move: bool, new_depth: i32) -> i32 {
    let reduction = reduction + 1308 * i32::from(no_tt_move);
    i32::from(reduction > p::full_depth_first()) + i32::from(reduction > p::full_depth_second() && new_depth > 2)
}

/// Bonus for the best move.
#[inline]
pub(super) fn history_bonus(depth: i32) -> i32 {
    (p::history_bonus_factor() * depth - p::history_bonus_factor() / 2).min(p::history_bonus_max())
}

/// Malus for moves tried before the best one.
#[inline]
pub(super) fn history_malus(depth: i32) -> i32 {
    (p::history_malus_factor() * depth - 200).min(p::history_malus_max())
}

/// Correction history bonus from `error = score - static eval`.
#[inline]
pub(super) fn correction_bonus(error: i32, depth: i32, best_move: bool) -> i32 {
    error * depth * (if best_move { 11 } else { 18 }) / 128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_grow_with_depth() {
        for depth in 1..20 {
            assert!(razor(depth + 1) > razor(depth));
            let margin = |depth, improving, tt_hit| reverse_futility(depth, improving, false, tt_hit, false, 0);
            assert!(margin(depth + 1, true, true) > margin(depth, true, true));
            assert!(margin(depth, false, true) >= margin(depth, true, true));
            assert!(margin(depth, false, true) >= margin(depth, false, false));
            assert!(late_move_count(depth + 1, false) >= late_move_count(depth, false));
            assert!(see_quiet(depth + 1) < see_quiet(depth));
            assert!(history_bonus(depth + 1) >= history_bonus(depth));
            assert!(null_move_margin(depth + 1, false, true) < null_move_margin(depth, false, true));
        }
        assert_eq!((see_quiet(-3), see_capture(1, -100_000)), (0, 0));
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::new();
        let get = |depth, number| reductions.get(depth, number, true, 1, 100);
        for depth in 1..60 {
            for number in 1..300 {
                assert!(get(depth + 1, number) >= get(depth, number));
                assert!(get(depth, number + 1) >= get(depth, number));
                assert!(reductions.get(depth, number, false, 1, 100) >= get(depth, number));
            }
        }
        assert!((2048..6144).contains(&get(12, 20)));
    }

    #[test]
    fn singular_extension_range() {
        let plies = |below| singular_extension((below, 0), false, false, false, 0, false);
        assert_eq!((plies(i32::MIN / 2), plies(i32::MAX / 2)), (1, 3));
        assert!((0..2000).all(|below| plies(below) <= plies(below + 1)));
        let at_pv = |below| singular_extension((below, 0), true, true, false, 0, false);
        assert!((0..2000).all(|below| at_pv(below) <= plies(below)));
    }

    #[test]
    fn hindsight_adjustments() {
        assert_eq!(hindsight(5, 3, false, 0), 1);
        assert_eq!(hindsight(5, 2, false, 0), 0);
        assert_eq!(hindsight(5, 3, true, 0), 0);
        assert_eq!(hindsight(5, 2, true, p::hindsight_margin() + 1), -1);
        assert_eq!(hindsight(1, 2, true, p::hindsight_margin() + 1), 0, "the last ply is not taken");
    }
}
