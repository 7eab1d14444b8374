//! Training, validation and test set. All positions of a game are in the same set, because they are
//! correlated.

use super::samples::Samples;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

/// Games of each set, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The training set.
    pub train: Vec<usize>,
    /// The validation set, for early stopping.
    pub validation: Vec<usize>,
    /// The test set, used for the final result only.
    pub test: Vec<usize>,
}

impl Split {
    /// Whether no set is empty.
    pub fn is_possible(&self) -> bool {
        !self.train.is_empty() && !self.validation.is_empty() && !self.test.is_empty()
    }

    /// Random split: the share `test` of the games, 0 to 1, is the test set; the same share of the
    /// rest the validation set.
    pub fn new(samples: &Samples, test: f64, seed: u64) -> Self {
        let mut games: Vec<usize> = (0..samples.game_count()).collect();
        games.shuffle(&mut SmallRng::seed_from_u64(seed));
        let part = |games: &[usize]| (games.len() as f64 * test).round() as usize;
        let test = games.split_off(games.len() - part(&games));
        let validation = games.split_off(games.len() - part(&games));
        Self { train: sorted(games), validation: sorted(validation), test: sorted(test) }
    }

    /// K-fold cross-validation: each fold in turn is the test set, and the next one the validation
    /// set, so that early stopping does not select by the test set.
    pub fn folds(&self, folds: usize, seed: u64) -> Vec<Self> {
        let mut games: Vec<usize> = self.train.iter().chain(&self.validation).copied().collect();
        games.sort_unstable();
        games.shuffle(&mut SmallRng::seed_from_u64(seed));
        let fold = |number: usize| {
            let next = (number + 1) % folds;
            let of = |is_meant: &dyn Fn(usize) -> bool| {
                let chosen = games.iter().enumerate().filter(|(at, _)| is_meant(at % folds));
                sorted(chosen.map(|(_, &game)| game).collect())
            };
            Self {
                train: of(&|fold| fold != number && fold != next),
                validation: of(&|fold| fold == next),
                test: of(&|fold| fold == number),
            }
        };
        (0..folds).map(fold).collect()
    }
}

fn sorted(mut games: Vec<usize>) -> Vec<usize> {
    games.sort_unstable();
    games
}
