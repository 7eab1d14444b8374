//! Search parameters, each declared once with its range.
//!
//! With the feature `tune` they are USI options that can be changed at run time; otherwise
//! constants.

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
    #[cfg(feature = "tune")]
    value: &'static std::sync::atomic::AtomicI32,
}

impl Tunable {
    /// Sets the value for all later searches, if in range.
    #[cfg(feature = "tune")]
    pub fn set(&self, value: i32) -> bool {
        let fits = (self.min..=self.max).contains(&value);
        if fits {
            self.value.store(value, std::sync::atomic::Ordering::Relaxed);
        }
        fits
    }
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal ..= $max:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub(super) const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline]
            pub(super) fn $name() -> i32 {
                values::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[expect(non_upper_case_globals, reason = "each is named after its function")]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// All search parameters.
        pub static TUNABLES: &[Tunable] = &[$(Tunable {
            name: stringify!($name),
            default: $default,
            min: $min,
            max: $max,
            #[cfg(feature = "tune")]
            value: &values::$name,
        }),*];
    };
}

params! {
    /// Initial half-width of the aspiration window around a balanced score.
    aspiration_delta = 31 in 2..=80;
    /// The half-width grows by `mean(score^2) / this`.
    aspiration_divisor = 8720 in 2000..=40000;

    /// Razoring: constant part of the margin.
    razor_base = 556 in 50..=1500;
    /// Razoring: part of the margin per squared ply.
    razor_factor = 323 in 50..=800;

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

    /// ProbCut: margin above beta.
    probcut_margin = 241 in 60..=600;
    /// ProbCut: less margin when improving.
    probcut_improving = 68 in 0..=200;
    /// ProbCut by the tt score alone: margin above beta.
    probcut_table_margin = 460 in 100..=1200;

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

    /// Hindsight: rise of the summed static evals for one more ply of reduction.
    hindsight_margin = 205 in 0..=600;

    /// Quiescence: SEE threshold.
    quiescence_see = -50 in -400..=100;
    /// Quiescence: futility margin of captures.
    quiescence_futility = 241 in 50..=1000;

    /// Move ordering: bonus for quiet checks.
    check_order_bonus = 15583 in 0..=40000;
    /// Move ordering: bonus for a move of a piece attacked by a cheaper one, per 64 cp of value.
    threat_escape = 662 in 0..=4000;
    /// Move ordering: malus for a move to a square attacked by a cheaper piece, per 64 cp.
    threat_into = 632 in 0..=4000;
    /// Move ordering: bonus for a move that attacks a more valuable piece.
    threat_attack = 5255 in 0..=40000;

    /// Histories: bonus per ply of depth.
    history_bonus_factor = 164 in 30..=500;
    /// Histories: greatest bonus.
    history_bonus_max = 1540 in 300..=4000;
    /// Histories: malus per ply of depth.
    history_malus_factor = 902 in 100..=2000;
    /// Histories: greatest malus.
    history_malus_max = 2334 in 300..=5000;

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

    /// Entering king: bonus for meeting all conditions of a declaration.
    declaration_base = 600 in 0..=3000;
    /// Entering king: penalty per missing point.
    declaration_point = 25 in 0..=200;
    /// Entering king: penalty per piece missing in the camp.
    declaration_piece = 30 in 0..=300;
    /// Entering king: penalty while the king is before the camp.
    declaration_king = 100 in 0..=600;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_in_range_with_unique_names() {
        let names: std::collections::HashSet<_> = TUNABLES.iter().map(|tunable| tunable.name).collect();
        assert_eq!(names.len(), TUNABLES.len());
        for tunable in TUNABLES {
            assert!((tunable.min..=tunable.max).contains(&tunable.default), "{}", tunable.name);
        }
    }
}
