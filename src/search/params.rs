//! Search parameters, each declared once with its range, and the formulas that use them: margins in
//! centipawns, reductions in 1024ths of a ply, bonuses.
//!
//! With the feature `tune` the parameters are USI options that can be changed at run time; otherwise
//! constants.

use sabi_shogi::{Color, EnteringKingRule, Position};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicI32, Ordering};

/// A tunable parameter.
#[derive(Debug)]
pub struct Tunable {
    /// Name.
    pub name: &'static str,
    /// Default value.
    pub default: i32,
    /// Minimum.
    pub min: i32,
    /// Maximum.
    pub max: i32,
    value: AtomicI32,
}

impl Tunable {
    /// Sets the value for all later searches, if in range.
    #[cfg(feature = "tune")]
    pub fn set(&self, value: i32) -> bool {
        let fits = (self.min..=self.max).contains(&value);
        if fits {
            self.value.store(value, Ordering::Relaxed);
        }
        fits
    }
}

/// Declares the parameters of a group: a function for each, and a list in a module of this name.
macro_rules! params {
    ($group:ident: $($(#[$doc:meta])* $name:ident = $default:literal in $min:literal ..= $max:literal;)*) => {
        $(
            $(#[$doc])*
            #[inline]
            pub(super) fn $name() -> i32 {
                if cfg!(feature = "tune") { $group::$name.value.load(Ordering::Relaxed) } else { $default }
            }
        )*

        #[expect(non_upper_case_globals, reason = "each is named after its function")]
        mod $group {
            use super::Tunable;
            use std::sync::atomic::AtomicI32;

            $(pub(super) static $name: Tunable = Tunable {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                value: AtomicI32::new($default),
            };)*
            pub(super) static TUNABLES: &[&Tunable] = &[$(&$name),*];
        }
    };
}

/// All search parameters.
pub static TUNABLES: LazyLock<Vec<&Tunable>> = LazyLock::new(|| {
    [
        aspiration::TUNABLES,
        razoring::TUNABLES,
        reverse_futility_pruning::TUNABLES,
        null_move::TUNABLES,
        prob_cut::TUNABLES,
        move_pruning::TUNABLES,
        singular_extensions::TUNABLES,
        late_move_reductions::TUNABLES,
        hindsight_reduction::TUNABLES,
        quiescence_search::TUNABLES,
        move_ordering::TUNABLES,
        histories::TUNABLES,
        corrections::TUNABLES,
        entering_king::TUNABLES,
    ]
    .concat()
});

/// Above this depth a tt entry may cut off a node of the other kind (cut or all node).
pub(super) const TT_CUTOFF_ANY_NODE_DEPTH: i32 = 5;
/// From this depth on, reduce nodes without a tt move by one ply.
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 6;
/// Below this depth a move that raises alpha reduces the remaining moves.
pub(super) const ALPHA_RAISE_DEPTH: i32 = 14;

/// The absolute correction in centipawns, for margins.
#[inline]
pub(super) fn correction_margin(correction: i32) -> i32 {
    correction.abs() / 1640
}

params! { aspiration:
    /// Initial half-width of the aspiration window around a balanced score.
    aspiration_delta = 31 in 2..=80;
    /// The half-width grows by `mean(score^2) / this`.
    aspiration_divisor = 8720 in 2000..=40000;
}

params! { razoring:
    /// Razoring: constant part of the margin.
    razor_base = 556 in 50..=1500;
    /// Razoring: part of the margin per squared ply.
    razor_factor = 323 in 50..=800;
}

/// Razoring: margin below alpha.
pub(super) fn razor(depth: i32) -> i32 {
    razor_base() + razor_factor() * depth * depth
}

params! { reverse_futility_pruning:
    /// Reverse futility pruning: margin per ply.
    reverse_futility_margin = 73 in 30..=300;
    /// Reverse futility pruning: less margin per ply without a tt hit.
    reverse_futility_no_entry = 23 in 0..=100;
    /// Reverse futility pruning: plies less when improving, in 1024ths.
    reverse_futility_improving = 1830 in 0..=6000;
    /// Reverse futility pruning: plies less when the opponent is worsening, in 1024ths.
    reverse_futility_worsening = 381 in 0..=2000;
    /// Reverse futility pruning: more margin when a piece is attacked by a cheaper one.
    reverse_futility_threat = 64 in -100..=300;
}

/// Reverse futility pruning below this depth.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 15;

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
    let per_ply = reverse_futility_margin() - reverse_futility_no_entry() * i32::from(!tt_hit);
    let less = reverse_futility_improving() * i32::from(improving)
        + reverse_futility_worsening() * i32::from(opponent_worsening);
    let threat = reverse_futility_threat() * i32::from(threatened);
    per_ply * depth - less * per_ply / 1024 + threat + correction.abs() / 1400
}

params! { null_move:
    /// Null move: constant part of the reduction, in 1024ths.
    null_move_base = 7308 in 2048..=10240;
    /// Null move: margin of the static eval above beta at depth 0.
    null_move_margin = 432 in 0..=1000;
    /// Null move: margin decrease per ply.
    null_move_margin_per_depth = 18 in 0..=60;
    /// Null move: less margin when improving.
    null_move_margin_improving = 51 in 0..=300;
    /// Null move: more margin when a piece is attacked by a cheaper one.
    null_move_threat = 50 in -300..=600;
    /// Null move: more reduction per 64 cp of static eval above beta, in 1024ths of a ply.
    null_move_eval = 28 in -500..=1000;
    /// Null move: minimum depth of the verification search.
    null_move_verification_depth = 16 in 8..=30;
}

/// Null move: margin of the static eval above beta. Shallow null move searches see little more than
/// the static eval.
#[inline]
pub(super) fn null_move_eval_margin(depth: i32, improving: bool, threatened: bool) -> i32 {
    null_move_margin() - null_move_margin_per_depth() * depth - null_move_margin_improving() * i32::from(improving)
        + null_move_threat() * i32::from(threatened)
}

/// Null move: reduction in plies. `above`: static eval less beta.
pub(super) fn null_move_reduction(depth: i32, above: i32) -> i32 {
    (null_move_base() + 1024 * depth / 3 + null_move_eval() * above.min(1000) / 64) / 1024
}

params! { prob_cut:
    /// ProbCut: margin above beta.
    probcut_margin = 241 in 60..=600;
    /// ProbCut: less margin when improving.
    probcut_improving = 68 in 0..=200;
    /// ProbCut by the tt score alone: margin above beta.
    probcut_table_margin = 460 in 100..=1200;
}

/// Minimum depth of ProbCut.
pub(super) const PROBCUT_DEPTH: i32 = 3;

/// ProbCut: margin above beta.
pub(super) fn probcut(improving: bool) -> i32 {
    probcut_margin() - probcut_improving() * i32::from(improving)
}

params! { move_pruning:
    /// Late move pruning: constant part of the move count, in 1024ths.
    late_move_base = 2817 in 0..=8192;
    /// Late move pruning: part of the move count per squared ply, in 1024ths.
    late_move_factor = 824 in 300..=3000;
    /// Futility pruning of quiet moves: constant part.
    futility_base = 0 in 0..=400;
    /// Futility pruning of quiet moves: part per ply.
    futility_factor = 107 in 30..=400;
    /// Futility pruning of quiet moves: more margin without a best move.
    futility_no_best_move = 184 in 0..=500;
    /// Futility pruning of quiet moves: more margin with the static eval above alpha.
    futility_above_alpha = 97 in 0..=500;
    /// Futility pruning of captures: constant part.
    capture_futility_base = 233 in 50..=800;
    /// Futility pruning of captures: part per ply.
    capture_futility_factor = 264 in 50..=800;
    /// History pruning of quiet moves: threshold per ply.
    history_pruning = -2953 in -10000..=-500;
    /// Futility pruning of quiet moves: history per additional ply of reduced depth.
    pruning_history_divisor = 3802 in 500..=100000;
    /// SEE pruning of quiet moves: centipawns per squared ply.
    see_quiet_factor = 9 in 5..=100;
    /// SEE pruning of captures: centipawns per ply.
    see_capture_factor = 109 in 30..=400;
}

/// Futility pruning of quiet moves below this reduced depth.
pub(super) const FUTILITY_DEPTH: i32 = 13;
/// Futility pruning of captures below this reduced depth.
pub(super) const CAPTURE_FUTILITY_DEPTH: i32 = 7;

/// Late move pruning: number of moves before quiet moves are skipped.
#[inline]
pub(super) fn late_move_count(depth: i32, improving: bool) -> i32 {
    (late_move_base() + late_move_factor() * depth * depth) / (1024 * (2 - i32::from(improving)))
}

/// Futility pruning of quiet moves: margin below alpha, without the terms of the node.
#[inline]
pub(super) fn futility(lmr_depth: i32) -> i32 {
    futility_base() + futility_factor() * lmr_depth
}

/// Futility pruning of captures: margin; the caller adds the captured piece.
#[inline]
pub(super) fn capture_futility(lmr_depth: i32, history: i32) -> i32 {
    capture_futility_base() + capture_futility_factor() * lmr_depth + history / 7
}

/// SEE threshold of quiet moves.
#[inline]
pub(super) fn see_quiet(lmr_depth: i32) -> i32 {
    let depth = lmr_depth.max(0);
    -see_quiet_factor() * depth * depth
}

/// SEE threshold of captures and checks.
#[inline]
pub(super) fn see_capture(depth: i32, history: i32) -> i32 {
    -(see_capture_factor() * depth + history / 26).max(0)
}

params! { singular_extensions:
    /// Singular extension: margin below the tt score per ply, in 64ths of a centipawn.
    singular_margin = 79 in 20..=500;
    /// Singular extension: additional margin at tt-pv nodes.
    singular_margin_pv = 119 in 0..=500;
    /// Double extension: additional margin at PV nodes.
    double_extension_pv = 248 in 0..=600;
    /// Double extension: less margin for a quiet tt move.
    double_extension_quiet = 251 in 0..=600;
    /// Double and triple extension: less margin when ply exceeds the root depth.
    double_extension_late = 45 in 0..=300;
    /// Triple extension: additional margin.
    triple_extension_base = 83 in 0..=600;
    /// Triple extension: additional margin at PV nodes.
    triple_extension_pv = 355 in 0..=900;
    /// Triple extension: less margin for a quiet tt move.
    triple_extension_quiet = 294 in 0..=600;
    /// Triple extension: additional margin at tt-pv nodes.
    triple_extension_tt_pv = 102 in 0..=600;
}

/// Minimum depth of singular extensions.
pub(super) const SINGULAR_DEPTH: i32 = 6;

/// Singular extension: margin below the tt score.
#[inline]
pub(super) fn singular_beta_margin(depth: i32, was_pv: bool) -> i32 {
    (singular_margin() + singular_margin_pv() * i32::from(was_pv)) * depth / 64
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
    let double = double_extension_pv() * pv
        - double_extension_quiet() * quiet
        - correction
        - tt_move_history / 115
        - double_extension_late() * late;
    let triple = triple_extension_base() + triple_extension_pv() * pv - triple_extension_quiet() * quiet
        + triple_extension_tt_pv() * i32::from(tt_pv)
        - correction
        - double_extension_late() * late;
    1 + i32::from(below > double) + i32::from(below > triple)
}

/// tt move history malus for a multi-cut.
pub(super) fn multi_cut_malus(depth: i32) -> i32 {
    (-400 - 100 * depth).max(-3400)
}

params! { late_move_reductions:
    /// Late move reductions: constant part.
    reduction_base = 1404 in 0..=3000;
    /// Late move reductions: factor of `ln(depth) * ln(move_number)`.
    reduction_factor = 599 in 200..=900;
    /// Late move reductions: more when not improving, in 1024ths of the product.
    reduction_not_improving = 462 in 0..=1024;
    /// Late move reductions: less by `window / root_window`.
    reduction_window = 596 in 0..=2000;
    /// Less reduction at tt-pv nodes.
    reduction_tt_pv = 2638 in 0..=6000;
    /// Less reduction at PV nodes.
    reduction_pv = 979 in 0..=3000;
    /// Less reduction with the tt score above alpha.
    reduction_tt_above_alpha = 854 in 0..=3000;
    /// Less reduction with a tt depth of at least the node's depth.
    reduction_tt_deep = 995 in 0..=3000;
    /// More reduction at every node.
    reduction_constant = 874 in 0..=3000;
    /// Less reduction per move tried.
    reduction_move_count = 28 in 0..=300;
    /// More reduction at cut nodes.
    reduction_cut = 3390 in 0..=7000;
    /// More reduction at cut nodes without a tt move.
    reduction_cut_no_tt_move = 858 in 0..=4000;
    /// More reduction when the tt move is tactical.
    reduction_tt_tactical = 1116 in 0..=3000;
    /// More reduction after several fail highs of children.
    reduction_cutoffs = 1299 in 0..=4000;
    /// More reduction after several fail highs of children at all nodes.
    reduction_cutoffs_all = 1027 in 0..=4000;
    /// Less reduction by stat score, in 1024ths.
    reduction_stat_score = 115 in 0..=400;
    /// Less reduction of checks.
    reduction_check = 281 in -3000..=3000;
    /// More reduction of quiet drops.
    reduction_drop = 23 in -3000..=3000;
    /// Research deeper when a reduced move beats the best score by this much.
    research_deeper = 55 in 0..=300;
    /// Research shallower when a reduced move beats the best score by less than this.
    research_shallower = 10 in 0..=100;
    /// Reduction from which a zero-window search without LMR is one ply shallower.
    full_depth_first = 4298 in 1000..=10000;
    /// The same for a second ply.
    full_depth_second = 5649 in 1000..=12000;
}

/// Added to the reduction of tt-pv positions before move pruning.
pub(super) const REDUCTION_TT_PV_BASE: i32 = 932;
/// Less reduction for the tt move.
pub(super) const REDUCTION_TT_MOVE: i32 = 2200;

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
        let scale = ((log(depth) * log(number)) >> 7) * reduction_factor() / 128;
        let not_improving = if improving { 0 } else { scale * reduction_not_improving() / 1024 };
        scale + not_improving + reduction_base() - reduction_window() * window / root_window.max(1)
    }
}

/// Less reduction at tt-pv nodes.
#[inline]
pub(super) fn reduction_at_tt_pv(pv: bool, above_alpha: bool, deep: bool, cut_node: bool) -> i32 {
    reduction_tt_pv()
        + reduction_pv() * i32::from(pv)
        + reduction_tt_above_alpha() * i32::from(above_alpha)
        + i32::from(deep) * (reduction_tt_deep() + reduction_tt_deep() * i32::from(cut_node))
}

/// Less reduction of checks, more of quiet drops.
#[inline]
pub(super) fn reduction_of_move(gives_check: bool, quiet_drop: bool) -> i32 {
    reduction_check() * i32::from(gives_check) - reduction_drop() * i32::from(quiet_drop)
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
    let cut = reduction_cut() + reduction_cut_no_tt_move() * i32::from(no_tt_move);
    reduction_constant() - reduction_move_count() * move_count - correction.abs() / 220
        + cut * i32::from(cut_node)
        + reduction_tt_tactical() * i32::from(tt_tactical)
}

/// More reduction after fail highs of earlier children.
#[inline]
pub(super) fn reduction_after_cutoffs(cutoffs: i32, all_node: bool) -> i32 {
    288 * i32::from(cutoffs > 1)
        + reduction_cutoffs() * i32::from(cutoffs > 2)
        + reduction_cutoffs_all() * i32::from(cutoffs > 1 && all_node)
}

/// Less reduction for moves with a good stat score.
#[inline]
pub(super) fn reduction_by_stat_score(stat_score: i32) -> i32 {
    stat_score * reduction_stat_score() / 1024
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
    i32::from(was_reduced && above > research_deeper()) - i32::from(above < research_shallower())
}

/// Reduction in plies of a zero-window search without LMR.
#[inline]
pub(super) fn full_depth_reduction(reduction: i32, no_tt_move: bool, new_depth: i32) -> i32 {
    let reduction = reduction + 1308 * i32::from(no_tt_move);
    i32::from(reduction > full_depth_first()) + i32::from(reduction > full_depth_second() && new_depth > 2)
}

params! { hindsight_reduction:
    /// Hindsight: rise of the summed static evals for one more ply of reduction.
    hindsight_margin = 205 in 0..=600;
}

/// Hindsight depth adjustment in plies, from the reduction of the prior move and `gain`, the sum of
/// the static evals of both sides: the gain of the side to move by the prior move.
#[inline]
pub(super) fn hindsight(depth: i32, prior_reduction: i32, opponent_worsening: bool, gain: i32) -> i32 {
    if prior_reduction >= 3 && !opponent_worsening {
        1
    } else if prior_reduction >= 2 && depth >= 2 && gain > hindsight_margin() {
        -1
    } else {
        0
    }
}

params! { quiescence_search:
    /// Quiescence: SEE threshold.
    quiescence_see = -50 in -400..=100;
    /// Quiescence: futility margin of captures.
    quiescence_futility = 241 in 50..=1000;
}

/// After this many moves, quiescence search tries only recaptures and checks.
pub(super) const QUIESCENCE_MOVES: i32 = 2;

params! { move_ordering:
    /// Move ordering: bonus for quiet checks.
    check_order_bonus = 15583 in 0..=40000;
    /// Move ordering: bonus for a move of a piece attacked by a cheaper one, per 64 cp of value.
    threat_escape = 662 in 0..=4000;
    /// Move ordering: malus for a move to a square attacked by a cheaper piece, per 64 cp.
    threat_into = 632 in 0..=4000;
    /// Move ordering: bonus for a move that attacks a more valuable piece.
    threat_attack = 5255 in 0..=40000;
}

params! { histories:
    /// Histories: bonus per ply of depth.
    history_bonus_factor = 164 in 30..=500;
    /// Histories: greatest bonus.
    history_bonus_max = 1540 in 300..=4000;
    /// Histories: malus per ply of depth.
    history_malus_factor = 902 in 100..=2000;
    /// Histories: greatest malus.
    history_malus_max = 2334 in 300..=5000;
}

/// Continuation history bonus for a move searched again after a reduction.
pub(super) const POST_LMR_BONUS: i32 = 1400;

/// Bonus for the best move.
#[inline]
pub(super) fn history_bonus(depth: i32) -> i32 {
    (history_bonus_factor() * depth - history_bonus_factor() / 2).min(history_bonus_max())
}

/// Malus for moves tried before the best one.
#[inline]
pub(super) fn history_malus(depth: i32) -> i32 {
    (history_malus_factor() * depth - 200).min(history_malus_max())
}

params! { corrections:
    /// Correction history: weight of the pawn key, in 1024ths.
    correction_pawn = 127 in 0..=300;
    /// Correction history: weight of the minor piece key, in 1024ths.
    correction_minor = 76 in 0..=300;
    /// Correction history: weight of the hands, in 1024ths.
    correction_hand = 37 in 0..=300;
    /// Correction history: weight of the non-pawn keys, in 1024ths.
    correction_non_pawn = 128 in 0..=300;
    /// Correction history: weight of the last moves, in 1024ths.
    correction_continuation = 63 in 0..=300;
}

/// Correction history bonus from `error = score - static eval`.
#[inline]
pub(super) fn correction_bonus(error: i32, depth: i32, best_move: bool) -> i32 {
    error * depth * (if best_move { 11 } else { 18 }) / 128
}

params! { entering_king:
    /// Entering king: bonus for meeting all conditions of a declaration.
    declaration_base = 600 in 0..=3000;
    /// Entering king: penalty per missing point.
    declaration_point = 25 in 0..=200;
    /// Entering king: penalty per piece missing in the camp.
    declaration_piece = 30 in 0..=300;
    /// Entering king: penalty while the king is before the camp.
    declaration_king = 100 in 0..=600;
}

/// Bonus of the side to move on the way to a declaration under a point rule, in centipawns; no evaluation includes it.
#[inline]
pub(super) fn entering_king_bonus(position: &Position, rule: EnteringKingRule) -> i32 {
    let us = position.side_to_move();
    side_bonus(position, us, rule) - side_bonus(position, !us, rule)
}

/// Bonus of `color`: all less a penalty for each missing point and piece; 0 while its king is far from the
/// camp, as in nearly all positions.
#[inline]
fn side_bonus(position: &Position, color: Color, rule: EnteringKingRule) -> i32 {
    if !position.king_nears_camp(color) {
        return 0;
    }
    position.declaration_progress(color, rule).map_or(0, |progress| {
        let missing = declaration_point() * progress.points_missing() as i32
            + declaration_piece() * progress.pieces_missing() as i32
            + declaration_king() * i32::from(!progress.king_in_camp);
        (declaration_base() - missing).max(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_in_range_with_unique_names() {
        let names: std::collections::HashSet<_> = TUNABLES.iter().map(|tunable| tunable.name).collect();
        assert_eq!(names.len(), TUNABLES.len());
        for tunable in TUNABLES.iter() {
            assert!((tunable.min..=tunable.max).contains(&tunable.default), "{}", tunable.name);
        }
    }

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
            assert!(null_move_eval_margin(depth + 1, false, true) < null_move_eval_margin(depth, false, true));
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
        assert_eq!(hindsight(5, 2, true, hindsight_margin() + 1), -1);
        assert_eq!(hindsight(1, 2, true, hindsight_margin() + 1), 0, "the last ply is not taken");
    }

    /// Kings in and before the camp, with many and few other pieces.
    const ENTERING: [&str; 5] = [
        "+R3KBBsk/2+P3p1l/g6s1/p5+rlp/1p1P5/P7P/LP5P1/9/1N4sg1 w 2GSNL5P2n3p 154",
        "1G2B4/1GS5L/Pp+P5n/s2BL4/1n2p4/3P1P3/+lPpKP2+rk/3G1+p3/2G6 w SN3Prsnl5p 180",
        "5G3/2+N1K1l2/+p5P2/+P2+SS4/9/2P1+PP+sp1/1lg6/+r+n+p2p1g+P/+pk1+b3+P1 w RG2L4Pbs2n2p 1",
        "+R+B+P+P+PK+P+P1/+P+P+P+P5/9/9/9/9/9/9/4k4 b RB 1",
        "9/9/9/+R+B+P+P+PK+P+P1/9/9/9/9/4k4 b 2S 1",
    ];

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    /// The same with the other side to move.
    fn passed(sfen: &str) -> Position {
        let words: Vec<&str> = sfen.split(' ').collect();
        let side = if words[1] == "b" { "w" } else { "b" };
        position(&[words[0], side, words[2], words[3]].join(" "))
    }

    #[test]
    fn bonus_is_antisymmetric() {
        let mut felt = 0;
        for sfen in ENTERING {
            for rule in EnteringKingRule::ALL {
                let here = entering_king_bonus(&position(sfen), rule);
                assert_eq!(entering_king_bonus(&passed(sfen), rule), -here, "{sfen} {rule:?}");
                felt += i32::from(here != 0);
            }
            // Both sides need the same number of points.
            let rule = EnteringKingRule::Points24;
            assert_eq!(
                entering_king_bonus(&position(sfen).rotated(), rule),
                entering_king_bonus(&position(sfen), rule),
                "{sfen}"
            );
        }
        assert!(felt > 8, "{felt}");
    }

    #[test]
    fn bonus_only_near_camp_under_point_rules() {
        for sfen in ENTERING {
            for rule in [EnteringKingRule::None, EnteringKingRule::Try] {
                assert_eq!(entering_king_bonus(&position(sfen), rule), 0);
            }
        }
        let far = "+R+B+P+P+P1+P+P1/+P+P+P+P5/9/9/5K2k/9/9/9/9 b RB 1";
        for rule in EnteringKingRule::ALL {
            assert_eq!(entering_king_bonus(&position(far), rule), 0);
        }
    }

    #[test]
    fn bonus_grows_with_each_condition() {
        let (rule, all) = (EnteringKingRule::Points27, declaration_base());
        let of = |sfen: &str| entering_king_bonus(&position(sfen), rule);
        assert_eq!(of("+R+B+P+P+PK+P+P1/+P+P+P6/9/9/8k/9/9/9/9 b RB 1"), all, "28 points and ten pieces");
        assert_eq!(of("+R+B+P+P+PK+P+P1/+P+P+P+P5/9/9/8k/9/9/9/9 b RBGS 1"), all, "more than that");
        let (piece, point) = (declaration_piece(), declaration_point());
        assert_eq!(of("+R+B+P+P+PK+P2/+P+P+P6/9/9/8k/9/9/9/9 b RBG 1"), all - piece, "one of them still in hand");
        assert_eq!(of("+R+B+P+P+PK+P2/+P+P+P6/9/9/8k/9/9/9/9 b RB 1"), all - piece - point, "and not even there");
        let before = "+R+B+P+P+P1+P+P1/+P+P+P6/9/5K3/8k/9/9/9/9 b RB 1";
        assert_eq!(of(before), all - declaration_king(), "the king before the camp");
        assert_eq!(of("5K3/9/9/9/8k/9/9/9/9 b - 1"), 0, "too far from it to be worth anything");
    }
}
