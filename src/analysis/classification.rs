//! Classification of a move.

use super::class::Class;
use super::position::AnalysisScore;
use sabi_shogi::Move;

/// Classification of a move.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct MoveClassification {
    /// Score of the best move, for the player.
    pub before: AnalysisScore,
    /// Score after the move, for the player.
    pub after: AnalysisScore,
    /// The best move.
    pub best: Option<Move>,
    /// Loss of win rate, from 0 to 1.
    pub loss: f64,
    /// Loss in centipawns.
    pub centipawn_loss: i32,
    /// The class.
    pub class: Class,
    /// Whether the player had a forced mate and lost it.
    pub missed_mate: bool,
    /// Whether the move allows a forced mate that another move avoids.
    pub allowed_mate: bool,
    /// Whether the lead changes by a mistake or worse.
    pub turning_point: bool,
}
