//! The search stack.

use super::corrections::CorrectionIndices;
use super::history::{ContHistIndex, NO_CONT_HIST};
use super::history_entry::{NO_MOVE, PieceTo};
use sabi_shogi::{MAX_PLY, Move};

/// Search stack entry of one ply.
#[derive(Copy, Clone, Debug)]
pub(super) struct StackEntry {
    /// Piece and target of the move made here; [`NO_MOVE`] for none and for the null move.
    pub moved: PieceTo,
    /// Continuation history row of that move.
    pub cont_hist: ContHistIndex,
    /// Correction history indices of this position.
    pub correction_indices: CorrectionIndices,
    /// Corrected static eval; in check that of two plies before.
    pub static_eval: i32,
    /// Stat score of the move made here.
    pub stat_score: i32,
    /// Reduction of that move in plies.
    pub reduction: i32,
    /// Its number among the moves of the node, from 1.
    pub move_count: i32,
    /// Fail highs of this node and its siblings.
    pub cutoffs: i32,
    /// Excluded move of a singular search.
    pub excluded: Option<Move>,
    pub in_check: bool,
    pub tt_hit: bool,
    /// Whether the position is or was on a principal variation.
    pub tt_pv: bool,
    /// Whether all moves so far follow the PV of the last iteration.
    pub on_last_pv: bool,
}

impl StackEntry {
    pub(super) const EMPTY: Self = Self {
        moved: NO_MOVE,
        cont_hist: NO_CONT_HIST,
        correction_indices: CorrectionIndices::NONE,
        static_eval: 0,
        stat_score: 0,
        reduction: 0,
        move_count: 0,
        cutoffs: 0,
        excluded: None,
        in_check: false,
        tt_hit: false,
        tt_pv: false,
        on_last_pv: false,
    };
}

/// Stack entries before the root, so that looking back needs no bounds check.
pub(super) const STACK_OFFSET: usize = 7;
/// Stack size.
pub(super) const STACK_SIZE: usize = MAX_PLY + 2 * STACK_OFFSET;
