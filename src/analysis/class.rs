//! Classes of moves by loss of win rate, the classification of a move, and the summary of a player.

use super::position::{AnalysisScore, PositionAnalysis};
use sabi_shogi::{Move, Score};

/// Loss of win rate at which the accuracy of a move is `1/e`.
pub(super) const ACCURACY_SCALE: f64 = 0.10;

/// Scores are clamped to this many centipawns before taking the loss in centipawns: the game is
/// decided there.
const CP_LIMIT: i32 = 2000;

/// Class of a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The best move, far better than any other, and one that a short search misses.
    Great,
    /// The search's best move, or a loss below 1 %.
    Best,
    /// A loss below 5 %.
    Good,
    /// A loss of 5 % or more.
    Inaccuracy,
    /// A loss of 10 % or more.
    Mistake,
    /// A loss of 20 % or more.
    Blunder,
    /// A loss of 50 % or more.
    MajorBlunder,
}

impl Class {
    /// Every class, the best first.
    pub const ALL: [Self; 7] =
        [Self::Great, Self::Best, Self::Good, Self::Inaccuracy, Self::Mistake, Self::Blunder, Self::MajorBlunder];

    /// Minimum loss of win rate, from 0 to 1.
    const fn least_loss(self) -> f64 {
        match self {
            Self::Great | Self::Best => 0.0,
            Self::Good => 0.01,
            Self::Inaccuracy => 0.05,
            Self::Mistake => 0.10,
            Self::Blunder => 0.20,
            Self::MajorBlunder => 0.50,
        }
    }

    /// The class of a move with this loss of win rate.
    pub fn of(loss: f64) -> Self {
        Self::ALL.into_iter().rfind(|class| loss >= class.least_loss()).unwrap_or(Self::Best)
    }

    /// Name in data.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Great => "great",
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::MajorBlunder => "major_blunder",
        }
    }

    /// Whether it is an error: inaccuracy, mistake, blunder or major blunder.
    pub fn is_error(self) -> bool {
        self >= Self::Inaccuracy
    }
}

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

impl MoveClassification {
    /// Compares the positions before and after a move.
    pub(super) fn new(played: Move, before: &PositionAnalysis, after: &PositionAnalysis) -> Self {
        let (expected, actual) = (before.score, after.score.reversed());
        let is_best = before.best() == Some(played);
        // Two searches of the same line differ by noise.
        let loss = if is_best { 0.0 } else { win_rate_loss(expected.score, actual.score) };
        let centipawn_loss = if is_best { 0 } else { centipawn_loss(expected.score, actual.score) };
        let class = if is_best && before.great { Class::Great } else { Class::of(loss) };
        let still_mates = is_best || before.keeps_mate || actual.mate().is_some_and(|plies| plies > 0);
        Self {
            before: expected,
            after: actual,
            best: before.best(),
            loss,
            centipawn_loss,
            class,
            missed_mate: before.mates && !still_mates,
            allowed_mate: after.mates && expected.mate().is_none_or(|plies| plies > 0),
            turning_point: class >= Class::Mistake
                && expected.score.expected_score() >= 0.5
                && actual.score.expected_score() < 0.5,
        }
    }
}

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
        for mean in [&mut sum.mean_loss, &mut sum.mean_centipawn_loss, &mut sum.accuracy] {
            *mean /= sum.moves as f64;
        }
        (sum.moves > 0).then_some(sum)
    }

    /// Number of moves of a class.
    pub fn count(&self, class: Class) -> usize {
        self.counts[class as usize]
    }
}

/// The accuracy of a single move, from 0 to 1: `exp(-loss / 0.10)`.
pub(super) fn accuracy(loss: f64) -> f64 {
    (-loss / ACCURACY_SCALE).exp()
}

/// Loss of win rate between two scores of one player; gains count as 0.
fn win_rate_loss(before: Score, after: Score) -> f64 {
    (before.expected_score() - after.expected_score()).max(0.0)
}

/// Loss in centipawns between two scores of one player, each clamped to [`CP_LIMIT`].
fn centipawn_loss(before: Score, after: Score) -> i32 {
    let cut = |score: Score| score.get().clamp(-CP_LIMIT, CP_LIMIT);
    (cut(before) - cut(after)).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_thresholds() {
        for (loss, class) in [
            (0.0, Class::Best),
            (0.0099, Class::Best),
            (0.01, Class::Good),
            (0.0499, Class::Good),
            (0.05, Class::Inaccuracy),
            (0.0999, Class::Inaccuracy),
            (0.10, Class::Mistake),
            (0.1999, Class::Mistake),
            (0.20, Class::Blunder),
            (0.4999, Class::Blunder),
            (0.50, Class::MajorBlunder),
            (1.0, Class::MajorBlunder),
        ] {
            assert_eq!(Class::of(loss), class, "{loss}");
        }
        assert!(Class::Inaccuracy.is_error() && !Class::Good.is_error());
    }

    #[test]
    fn loss_is_from_the_players_view() {
        let loss = win_rate_loss(Score::cp(600), Score::cp(-600));
        assert!((loss - (0.731_058_6 - 0.268_941_4)).abs() < 1e-6, "{loss}");
        assert_eq!(win_rate_loss(Score::cp(-50), Score::cp(80)), 0.0);
        // A mate that becomes a large advantage costs little, one that becomes a loss costs
        // everything.
        assert!(win_rate_loss(Score::mate_in(5), Score::cp(3000)) < 0.01);
        assert!(win_rate_loss(Score::mate_in(5), Score::mated_in(4)) > 0.999);
    }

    #[test]
    fn centipawn_losses_are_clamped() {
        assert_eq!(centipawn_loss(Score::cp(150), Score::cp(-50)), 200);
        assert_eq!(centipawn_loss(Score::cp(-50), Score::cp(150)), 0);
        assert_eq!(centipawn_loss(Score::mate_in(3), Score::cp(2500)), 0);
        assert_eq!(centipawn_loss(Score::mate_in(3), Score::mated_in(2)), 2 * CP_LIMIT);
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        assert_eq!(accuracy(0.0), 1.0);
        assert!((accuracy(ACCURACY_SCALE) - 1.0 / std::f64::consts::E).abs() < 1e-12);
        assert!(accuracy(1.0) < 1e-4);
    }
}
