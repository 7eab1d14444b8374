//! The numbers of the search, each declared once with its range.
//!
//! With the feature `tune` every number can be changed at run time (and becomes a USI option); without it they are constants.

/// A number that tuning may change.
#[derive(Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// Its value in the released engine.
    pub default: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
    #[cfg(feature = "tune")]
    value: &'static std::sync::atomic::AtomicI32,
}

impl Tunable {
    /// Sets the value for all searches from now on, if it is in range.
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
        #[expect(non_upper_case_globals, reason = "each bears the name of its function")]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// Every number of the search.
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
    /// Half-width of the first aspiration window of a balanced position.
    aspiration_delta = 20 in 2..=80;
    /// Mean of the squared scores per centipawn by which the window is wider.
    aspiration_divisor = 10000 in 2000..=40000;

    /// Razoring: constant part of the margin.
    razor_base = 550 in 50..=1500;
    /// Razoring: part of the margin per squared depth.
    razor_factor = 340 in 50..=800;

    /// Reverse futility pruning: margin per ply.
    reverse_futility_margin = 84 in 30..=300;
    /// Reverse futility pruning: how much less per ply without an entry of the table.
    reverse_futility_no_entry = 23 in 0..=100;
    /// Reverse futility pruning: plies less when the position improves, in 1024ths.
    reverse_futility_improving = 2690 in 0..=6000;
    /// Reverse futility pruning: plies less when that of the opponent worsens, in 1024ths.
    reverse_futility_worsening = 360 in 0..=2000;

    /// Null move: constant part of the reduction.
    null_move_base = 7 in 2..=10;
    /// Null move: how far above beta the static evaluation must be at depth 0.
    null_move_margin = 420 in 0..=1000;
    /// Null move: how much less each ply of depth demands.
    null_move_margin_per_depth = 18 in 0..=60;
    /// Null move: how much less is demanded when the position improves.
    null_move_margin_improving = 59 in 0..=300;
    /// Null move: from this depth the cutoff is verified.
    null_move_verification_depth = 16 in 8..=30;

    /// ProbCut: how far beyond beta a shallow search must go.
    probcut_margin = 250 in 60..=600;
    /// ProbCut: how much nearer when the position improves.
    probcut_improving = 68 in 0..=200;
    /// ProbCut by the table alone: how far beyond beta its score must lie.
    probcut_table_margin = 460 in 100..=1200;

    /// Futility pruning of quiet moves: constant part.
    futility_base = 47 in 0..=400;
    /// Futility pruning of quiet moves: part per ply.
    futility_factor = 133 in 30..=400;
    /// Futility pruning of quiet moves: more while there is no best move.
    futility_no_best_move = 168 in 0..=500;
    /// Futility pruning of quiet moves: more when the static evaluation is above alpha.
    futility_above_alpha = 95 in 0..=500;
    /// Futility pruning of captures: constant part.
    capture_futility_base = 242 in 50..=800;
    /// Futility pruning of captures: part per ply.
    capture_futility_factor = 248 in 50..=800;
    /// Quiet moves whose histories fall below this per ply are skipped.
    history_pruning = -4100 in -10000..=-500;
    /// Pruning of quiet moves: history that counts as one more ply of depth.
    pruning_history_divisor = 3200 in 500..=100000;
    /// SEE pruning of quiet moves: centipawns per squared ply.
    see_quiet_factor = 28 in 5..=100;
    /// SEE pruning of captures: centipawns per ply.
    see_capture_factor = 185 in 30..=400;

    /// Singular extension: how far below the table's score the others must stay, per ply, in 64ths of a centipawn.
    singular_margin = 78 in 20..=500;
    /// Singular extension: how much further where the position was on a principal variation.
    singular_margin_pv = 85 in 0..=500;
    /// Double extension: how much further below at PV nodes.
    double_extension_pv = 235 in 0..=600;
    /// Double extension: how much less for a quiet tt move.
    double_extension_quiet = 202 in 0..=600;
    /// Double and triple extension: how much less when the line is longer than the iteration is deep.
    double_extension_late = 50 in 0..=300;
    /// Triple extension: how much further below.
    triple_extension_base = 81 in 0..=600;
    /// Triple extension: how much further below at PV nodes.
    triple_extension_pv = 355 in 0..=900;
    /// Triple extension: how much less for a quiet tt move.
    triple_extension_quiet = 242 in 0..=600;
    /// Triple extension: how much further below where the position was on a principal variation.
    triple_extension_tt_pv = 102 in 0..=600;

    /// Late move reductions: constant part.
    reduction_base = 1130 in 0..=3000;
    /// Late move reductions: factor of the product of logarithms.
    reduction_factor = 466 in 200..=900;
    /// Late move reductions: more when the position does not improve, in 1024ths of the product.
    reduction_not_improving = 412 in 0..=1024;
    /// Late move reductions: less by the width of the window in that of the root.
    reduction_window = 585 in 0..=2000;
    /// Less reduction on or once on a principal variation.
    reduction_tt_pv = 2820 in 0..=6000;
    /// Less reduction at PV nodes.
    reduction_pv = 970 in 0..=3000;
    /// Less reduction where the table's score is above alpha.
    reduction_tt_above_alpha = 900 in 0..=3000;
    /// Less reduction where the table's entry is at least as deep.
    reduction_tt_deep = 945 in 0..=3000;
    /// More reduction at all nodes of the tree.
    reduction_constant = 690 in 0..=3000;
    /// Less reduction per move tried.
    reduction_move_count = 65 in 0..=300;
    /// More reduction at cut nodes.
    reduction_cut = 3600 in 0..=7000;
    /// More reduction at cut nodes without a tt move.
    reduction_cut_no_tt_move = 985 in 0..=4000;
    /// More reduction when the tt move is a capture.
    reduction_tt_tactical = 1050 in 0..=3000;
    /// More reduction when several children failed high.
    reduction_cutoffs = 1120 in 0..=4000;
    /// More reduction when several children failed high at all nodes.
    reduction_cutoffs_all = 1040 in 0..=4000;
    /// Less reduction by history, in 1024ths of the stat score.
    reduction_stat_score = 107 in 0..=400;
    /// A reduced move that beats the best score by more is searched deeper.
    research_deeper = 53 in 0..=300;
    /// A reduced move that beats the best score by less is searched less deep.
    research_shallower = 10 in 0..=100;
    /// Reduction from which a scout without late move reduction is searched one ply less deep.
    full_depth_first = 4630 in 1000..=10000;
    /// The same for a second ply.
    full_depth_second = 5770 in 1000..=12000;

    /// Hindsight: how much both static evaluations together must have risen for one more ply of reduction.
    hindsight_margin = 192 in 0..=600;

    /// Quiescence: how much more than the balance a capture must promise.
    quiescence_futility = 364 in 50..=1000;

    /// Order of moves: quiet checks come earlier by this much.
    check_order_bonus = 16384 in 0..=40000;

    /// Histories: bonus per ply of depth.
    history_bonus_factor = 128 in 30..=500;
    /// Histories: greatest bonus.
    history_bonus_max = 1530 in 300..=4000;
    /// Histories: malus per ply of depth.
    history_malus_factor = 882 in 100..=2000;
    /// Histories: greatest malus.
    history_malus_max = 2120 in 300..=5000;

    /// Correction of the static evaluation: weight of the pawn structure, in 1024ths.
    correction_pawn = 105 in 0..=300;
    /// Correction of the static evaluation: weight of the minor pieces, in 1024ths.
    correction_minor = 75 in 0..=300;
    /// Correction of the static evaluation: weight of the hands, in 1024ths.
    correction_hand = 40 in 0..=300;
    /// Correction of the static evaluation: weight of each side's pieces but pawns, in 1024ths.
    correction_non_pawn = 107 in 0..=300;
    /// Correction of the static evaluation: weight of the last moves, in 1024ths.
    correction_continuation = 69 in 0..=300;

    /// Entering king: what it is worth to have all that a declaration needs.
    declaration_base = 600 in 0..=3000;
    /// Entering king: how much less for every point that is missing.
    declaration_point = 25 in 0..=200;
    /// Entering king: how much less for every piece that is missing in the camp.
    declaration_piece = 30 in 0..=300;
    /// Entering king: how much less while the king stands before the camp.
    declaration_king = 100 in 0..=600;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_lies_in_its_range_and_has_one_name() {
        let names: std::collections::HashSet<_> = TUNABLES.iter().map(|tunable| tunable.name).collect();
        assert_eq!(names.len(), TUNABLES.len());
        for tunable in TUNABLES {
            assert!((tunable.min..=tunable.max).contains(&tunable.default), "{}", tunable.name);
        }
    }
}
