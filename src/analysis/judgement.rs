//! How good a move was.

use super::class::Class;
use super::position::Evaluation;
use crate::types::Move;

/// How good a move was, and why.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Judgement {
    /// What the best move promised, to the player.
    pub before: Evaluation,
    /// What the position is worth after the move, to the player.
    pub after: Evaluation,
    /// The best move.
    pub best: Option<Move>,
    /// The win rate that was lost, from 0 to 1.
    pub loss: f64,
    /// The same in centipawns.
    pub centipawn_loss: i32,
    /// How good the move was.
    pub class: Class,
    /// Whether the player could have mated by force, and can no longer.
    pub missed_mate: bool,
    /// Whether the opponent can now mate by force, which was not so after every move.
    pub allowed_mate: bool,
    /// Whether the side that is ahead is another one now, by a mistake or worse.
    pub turning_point: bool,
}
