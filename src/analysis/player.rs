//! What is told of a player.

use super::class::{Class, accuracy};
use super::judgement::Judgement;

/// All judged moves of one player together.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct PlayerSummary {
    /// Moves that were judged.
    pub moves: usize,
    /// The mean loss of win rate, from 0 to 1.
    pub mean_loss: f64,
    /// The mean loss in centipawns.
    pub mean_centipawn_loss: f64,
    /// The mean accuracy of the moves, from 0 to 1.
    pub accuracy: f64,
    /// How many moves there are of each class, the best first.
    pub counts: [usize; Class::ALL.len()],
    /// Mates that were not seen.
    pub missed_mates: usize,
    /// Moves after which the opponent mates.
    pub allowed_mates: usize,
}

impl PlayerSummary {
    /// Sums up; `None` when nothing was judged.
    pub(super) fn of<'a>(moves: impl Iterator<Item = &'a Judgement>) -> Option<Self> {
        let mut sum = Self::default();
        for judgement in moves {
            sum.moves += 1;
            sum.mean_loss += judgement.loss;
            sum.mean_centipawn_loss += f64::from(judgement.centipawn_loss);
            sum.accuracy += accuracy(judgement.loss);
            sum.counts[judgement.class as usize] += 1;
            sum.missed_mates += usize::from(judgement.missed_mate);
            sum.allowed_mates += usize::from(judgement.allowed_mate);
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

    /// How many moves there are of a class.
    pub fn count(&self, class: Class) -> usize {
        self.counts[class as usize]
    }
}
