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
    razor_base = 320 in 50..=1200;
    /// Razoring: part of the margin per squared depth.
    razor_factor = 230 in 50..=800;

    /// Reverse futility pruning: margin per ply.
    reverse_futility_margin = 105 in 30..=300;
    /// Reverse futility pruning: how much less when the position improves.
    reverse_futility_improving = 75 in 0..=300;

    /// Null move: reduction that does not depend on anything.
    null_move_base = 4 in 2..=7;
    /// Null move: plies of depth per further ply of reduction.
    null_move_depth_divisor = 4 in 2..=8;
    /// Null move: centipawns above beta per further ply of reduction.
    null_move_eval_divisor = 220 in 80..=600;
    /// Null move: how far above beta the static evaluation must be at depth 0.
    null_move_margin = 240 in 0..=600;
    /// Null move: how much less each ply of depth demands.
    null_move_margin_per_depth = 20 in 0..=60;
    /// Null move: from this depth the cutoff is verified.
    null_move_verification_depth = 14 in 8..=24;

    /// ProbCut: how far beyond beta a shallow search must go.
    probcut_margin = 230 in 60..=600;
    /// ProbCut: how much nearer when the position improves.
    probcut_improving = 70 in 0..=200;

    /// ProbCut by the table alone: how far beyond beta its score must lie.
    probcut_table_margin = 420 in 100..=1200;

    /// Futility pruning of quiet moves: constant part.
    futility_base = 90 in 20..=400;
    /// Futility pruning of quiet moves: part per ply.
    futility_factor = 85 in 30..=400;
    /// Futility pruning of captures: constant part.
    capture_futility_base = 260 in 50..=800;
    /// Futility pruning of captures: part per ply.
    capture_futility_factor = 240 in 50..=800;
    /// Quiet moves whose histories fall below this per ply are skipped.
    history_pruning = -3400 in -10000..=-500;
    /// Pruning of quiet moves: history that counts as one more ply of depth.
    pruning_history_divisor = 4000 in 1000..=100000;
    /// SEE pruning of quiet moves: centipawns per squared ply.
    see_quiet_factor = 26 in 5..=100;
    /// SEE pruning of captures: centipawns per ply.
    see_capture_factor = 140 in 30..=400;

    /// Singular extension: how far below the table's score the others must stay, per ply, in 64ths of a centipawn.
    singular_margin = 150 in 30..=500;
    /// Singular extension: how much further below for a second ply.
    double_extension_margin = 28 in 0..=120;

    /// Below this depth a check that costs nothing is searched one ply deeper.
    check_extension_depth = 10 in 0..=40;

    /// Late move reductions: constant part, in 1024ths of a ply.
    reduction_base = 520 in 0..=2000;
    /// Late move reductions: factor of the product of logarithms, in 1024ths of a ply.
    reduction_factor = 440 in 200..=800;
    /// Less reduction on the principal variation.
    reduction_pv = 1100 in 0..=3000;
    /// More reduction where a cutoff is expected.
    reduction_cut = 1500 in 0..=4000;
    /// More reduction where a cutoff is expected and the table has no move.
    reduction_no_table_move = 900 in 0..=3000;
    /// More reduction when the position does not improve.
    reduction_not_improving = 500 in 0..=2000;
    /// More reduction when the table's move is a capture.
    reduction_table_capture = 700 in 0..=3000;
    /// Less reduction for killer and counter moves.
    reduction_refutation = 900 in 0..=3000;
    /// Less reduction for moves that give check.
    reduction_check = 800 in 0..=3000;
    /// More reduction when many children failed high.
    reduction_cutoffs = 600 in 0..=3000;
    /// History that takes away one ply of reduction.
    reduction_history_divisor = 9000 in 2000..=30000;

    /// Hindsight: reduction, in plies, from which one is given back when the evaluation has not risen since.
    hindsight_extension = 3 in 2..=20;
    /// Hindsight: reduction, in plies, from which one more is taken when the evaluation has risen.
    hindsight_reduction = 2 in 1..=20;
    /// Hindsight: how much it must have risen for that, in centipawns.
    hindsight_margin = 100 in 0..=600;

    /// Quiescence: how much more than the balance a capture must promise.
    quiescence_futility = 220 in 50..=800;

    /// Histories: bonus per ply of depth.
    history_bonus_factor = 150 in 30..=500;
    /// Histories: bonus of a move that no answer refuted, in 128ths of the usual one.
    history_unrefuted = 96 in 0..=256;
    /// Histories: bonus of a move per centipawn that the evaluation rose by it, in 16ths.
    history_evaluation = 48 in 0..=320;
    /// Histories: blame of an early move that the table refutes, in 128ths of the usual one.
    history_refuted = 128 in 0..=512;
    /// Histories: how much less every further move that failed is blamed, in 128ths.
    history_malus_decay = 8 in 0..=64;
    /// Histories: greatest bonus.
    history_bonus_max = 1500 in 300..=4000;

    /// Correction of the static evaluation: weight of the pawn structure, in 1024ths.
    correction_pawn = 60 in 0..=300;
    /// Correction of the static evaluation: weight of the hands, in 1024ths.
    correction_hand = 50 in 0..=300;
    /// Correction of the static evaluation: weight of each side's other pieces, in 1024ths.
    correction_pieces = 50 in 0..=300;
    /// Correction of the static evaluation: weight of the last move, in 1024ths.
    correction_move = 40 in 0..=300;
    /// Correction of the static evaluation: weight of the last two moves, in 1024ths.
    correction_pair = 60 in 0..=300;

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
