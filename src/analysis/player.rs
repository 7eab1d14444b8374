//! Summary of a player.

use super::class::{Class, accuracy};
use super::classification::MoveClassification;

/// Summary of all classified moves of one player.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct PlayerSummary {
    /// Number of classified moves.
    pub moves: usize,
    /// Mean loss of win rate, from 0 to 1.
    pub mean_loss: f64,
    /// Mean loss in centipawns.
    pub mean_centipawn_loss: f64,
    /// Mean accuracy, from 0 to 1.
    pub accuracy: f64,
    /// Number of moves of each class, the best first.
    pub counts: [usize; Class::ALL.len()],
    /// Missed mates.
    pub missed_mates: usize,
    /// Moves that allowed a mate.
    pub allowed_mates: usize,
}

impl PlayerSummary {
    /// The summary; `None` without classified moves.
    pub(super) fn of<'a>(moves: impl Iterator<Item = &'a MoveClassification>) -> Option<Self> {
        let mut sum = Self::default();
        for classification in moves {
            sum.moves += 1;
            sum.mean_loss += classification.loss;
            sum.mean_centipawn_loss += f64::from(classification.centipawn_loss);
            sum.accuracy += accuracy(classification.loss);
            sum.counts[classification.class as usize] += 1;
            sum.missed_mates += usize::from(classification.missed_mate);
            sum.allowed_mates += usize::from(classification.allowed_mate);
        }
        let count = sum.moves as f64;
        let means = Self {
            mean_loss: sum.mean_loss / count,
            mean_centipawn_loss: sum.mean_centipawn_loss / count,
            accuracy: sum.accuracy / count,
            ..sum
        };
        (sum.moves > 0).then_some(means)
    }

    /// Number of moves of a class.
    pub fn count(&self, class: Class) -> usize {
        self.counts[class as usize]
    }
}
